"""What a second opinion costs: models as large as Detoxify's, of random weights, in the process that a server has.

    python -m benchmarks.second_opinions [--kind KIND] [--lines N] [--json FILE]

Needs the extra `detoxify`. Time and memory do not depend on what the weights are, so none need be fetched; what a model
says of a line is not measured here. Lines of 10 and of 30 words go to the process one after the other. Words are cut
into as many tokens as a tokenizer of a few words cuts them, so `tokens` is told beside. `cpu_ms` is the processor's
time a line, which other work on the machine changes little.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.toxicity.find import check_installed, locate
from voice.bench import report
from voice.cli.speech_options import no_logs
from voice.processes.usage import processor_s
from voice.second_opinions.service import SecondOpinions

KINDS = ("original", "unbiased", "multilingual", "original-small")
LINE = "you are an idiot number five and i think we vote today"
WORDS = (10, 30)


async def _measured(folder: Path, data: Path, lines: int) -> dict[str, Any]:
    """Through the process, as a server asks: its loading, each line's time, and its memory."""
    service = SecondOpinions(data, str(folder))
    begun = time.monotonic()
    await service.start()
    try:
        row: dict[str, Any] = {}
        for words in WORDS:
            text = " ".join((LINE.split() * 4)[:words])
            took_ms: list[float] = []
            used_s = 0.0
            for number in range(lines + 1):
                if number == 1:
                    used_s = processor_s(service.pid) or 0.0
                answered = asyncio.Event()
                asked = time.monotonic()
                service.ask(text, "en", lambda _, answered=answered: answered.set())  # type: ignore[misc]
                await asyncio.wait_for(answered.wait(), 600)
                if number:
                    took_ms.append(1000 * (time.monotonic() - asked))
                elif words == WORDS[0]:
                    row["ready_s"] = round(time.monotonic() - begun, 1)
            row[f"words_{words}_ms"] = report.distribution(took_ms)
            row[f"words_{words}_cpu_ms"] = round(1000 * ((processor_s(service.pid) or 0.0) - used_s) / lines, 1)
        stats = service.stats()
        return {**row, "precision": stats["precision"], "rss_mb": stats["rss_mb"]}
    finally:
        await service.stop()


def _full_precision(folder: Path, data: Path, lines: int) -> dict[str, Any]:
    """The same texts without int8, in this process, and how many tokens they are."""
    from models.toxicity.scoring import ToxicityModel

    model = ToxicityModel(locate(str(folder), data), full=True)
    row: dict[str, Any] = {}
    for words in WORDS:
        text = " ".join((LINE.split() * 4)[:words])
        row[f"tokens_{words}"] = len(model.tokens(text))
        took_ms = []
        used_s = time.process_time()
        for _ in range(lines):
            begun = time.monotonic()
            model.scores([text])
            took_ms.append(1000 * (time.monotonic() - begun))
        row[f"float32_words_{words}_ms"] = report.distribution(took_ms)
        row[f"float32_words_{words}_cpu_ms"] = round(1000 * (time.process_time() - used_s) / lines, 1)
    return row


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the rows, write the document."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--lines", type=int, default=50)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args(arguments)
    check_installed()
    from tests.detoxify.made import make_model

    rows = []
    for kind in options.kind or KINDS:
        with tempfile.TemporaryDirectory() as made:
            folder, data = Path(made) / kind, Path(made) / "data"
            parameters = sum(weight.numel() for weight in make_model(folder, kind, full=True).parameters())
            with no_logs():
                row = {"kind": kind, "parameters": parameters, **asyncio.run(_measured(folder, data, options.lines))}
            rows.append({**row, **_full_precision(folder, data, options.lines)})
            sys.stdout.write(f"{rows[-1]}\n")
            sys.stdout.flush()
    if options.json:
        document = report.document("second", rows, {})
        document["versions"] |= report.versions(("torch", "transformers", "detoxify"))
        report.write(options.json, document)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
