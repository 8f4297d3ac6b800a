"""`voicetable models list` and `voicetable models verify`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from models.catalogue import DEFAULT_BY_LANGUAGE, EMBEDDED
from models.errors import ModelError
from models.store import joined_directory, part_path
from models.verifying import verify, verify_bytes

DATA_DIR = Path(os.environ.get("VOICETABLE_DATA", "data"))


def run_list(data_dir: Path = DATA_DIR) -> int:
    """Print each embedded model, a tab-separated line each: name, languages, state, where it comes from."""
    for model in EMBEDDED.values():
        try:
            for file in model.files:
                for part in file.parts:
                    if not part_path(part, model.distributions).is_file():
                        raise ModelError(f"{part.package}/{part.path} is missing")
            joined = model.directory is not None or joined_directory(model, data_dir).is_dir()
            state = "ready" if joined else "ready (joined at first use)"
        except ModelError as error:
            state = str(error)
        languages = ",".join(
            f"{lang}*" if DEFAULT_BY_LANGUAGE.get(lang) == model.name else lang for lang in model.languages
        )
        print(model.name, languages, state, model.title, "from " + ", ".join(model.distributions), sep="\t")
    print(
        "* the language's model where no other is named. Any other faster-whisper model: its folder, or its hub name.",
        file=sys.stderr,
    )
    return 0


def run_verify(data_dir: Path = DATA_DIR) -> int:
    """Hash every embedded model's files and print one line a file; 1 where one is missing or damaged."""
    from rich.console import Console
    from rich.progress import Progress

    errors = Console(stderr=True)
    bad = 0
    with Progress(console=errors, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("Reading models", total=verify_bytes(data_dir))
        for check in verify(data_dir, lambda read_bytes: bar.advance(task, read_bytes)):
            bad += bool(check.problem)
            print(check.model, "BAD" if check.problem else "ok", check.path, check.problem, sep="\t")
    if bad:
        print(
            f"voicetable: {bad} model files are missing or damaged: reinstall their packages, as said above",
            file=sys.stderr,
        )
    return 1 if bad else 0
