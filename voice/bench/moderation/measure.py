"""Judge the lines of labelled sets one after the other, and make rows and the result of it."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from moderation import LANGUAGES
from voice.bench.moderation.figures import ANY, NAMES, Counts
from voice.bench.moderation.sets import kind_of
from voice.bench.report import distribution

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from moderation import Verdict
    from voice.judging import Judging

DIGITS = 4
"""Of milliseconds."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A line of a set, its verdict, and what that took on a line's path, by the sentence and by the toxicity model."""

    source: str
    row: Mapping[str, Any]
    verdict: Verdict
    took_ms: float
    second_ms: float | None = None
    toxicity_ms: float | None = None

    @property
    def kind(self) -> str:
        """Its kind, as its set says; "" where it does not."""
        return kind_of(self.row)


def judge_all(
    sets: Mapping[str, Sequence[dict[str, Any]]], judging: Judging, done: Callable[[int], None] = lambda _: None
) -> list[Judged]:
    """Judge every line of the sets; `done` is told how many there are by now."""
    judging.judge("the first line loads the lexicon", "en")
    judged: list[Judged] = []
    for source, rows in sets.items():
        for row in rows:
            judged.append(_judge(source, row, judging))
            done(len(judged))
    return judged


def _judge(source: str, row: dict[str, Any], judging: Judging) -> Judged:
    text, lang = row["text"], row["lang"]
    second_ms = toxicity_ms = None
    begun = time.perf_counter()
    verdict = judging.path.judge(text, lang)
    took_ms = _since_ms(begun)
    if judging.late is not None:
        begun = time.perf_counter()
        verdict = judging.late.judge(text, lang)
        second_ms = _since_ms(begun)
    if judging.model is not None:
        begun = time.perf_counter()
        verdict = judging.with_model(text, verdict)
        toxicity_ms = _since_ms(begun)
    return Judged(source, row, verdict, took_ms, second_ms, toxicity_ms)


def _since_ms(begun: float) -> float:
    return 1000 * (time.perf_counter() - begun)


def grouped(judged: Sequence[Judged]) -> dict[str, dict[str, Counts]]:
    """The counts by language, by label and by kind (those lines that have one), and by set where there are several."""
    found: dict[str, dict[str, Counts]] = {"language": {}, "category": {}, "kind": {}, "set": {}}
    for each in judged:
        names = {"language": each.row["lang"], "category": each.row["label"], "kind": each.kind, "set": each.source}
        for by, name in names.items():
            if name != "":
                found[by].setdefault(name, Counts()).add(each.row["label"], each.verdict)
    return {by: dict(sorted(counts.items())) for by, counts in found.items() if counts}


def rows_of(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """Rows of each set: all of it, and by each language, category (as labelled) and kind (`by`, `name`)."""
    rows = []
    for source in dict.fromkeys(each.source for each in judged):
        some = [each for each in judged if each.source == source]
        whole = Counts()
        for each in some:
            whole.add(each.row["label"], each.verdict)
        rows.append({"set": source, "by": "set", "name": source, **whole.row()})
        rows += [
            {"set": source, "by": by, "name": name, **counts.row()}
            for by, groups in grouped(some).items()
            if by != "set"
            for name, counts in groups.items()
        ]
    return rows


def result_of(judged: Sequence[Judged]) -> dict[str, Any]:
    """The contract's fields, over all sets.

    `precision`, `recall` and `f1`, by category and language, are of what is flagged; `found` has the same of what is
    flagged or goes to a person. `line_ms` is what a line's path takes, `second_ms` the rules with the sentence model,
    `toxicity_ms` the toxicity model; the last two None where there are none.
    """
    every: dict[str, Counts] = defaultdict(Counts)
    for each in judged:
        every["all"].add(each.row["label"], each.verdict)
        every[each.row["lang"]].add(each.row["label"], each.verdict)
    langs = [*LANGUAGES, "all"]
    whole = every["all"]
    second = [each.second_ms for each in judged if each.second_ms is not None]
    toxicity = [each.toxicity_ms for each in judged if each.toxicity_ms is not None]
    took_s = sum(each.took_ms for each in judged) / 1000
    return {
        "line_ms": distribution([each.took_ms for each in judged], DIGITS),
        "second_ms": distribution(second, DIGITS) if second else None,
        "toxicity_ms": distribution(toxicity, DIGITS) if toxicity else None,
        "lines_per_s": round(len(judged) / took_s) if took_s else None,
        **{
            figure: {name: {lang: every[lang].scores(name)[figure] for lang in langs} for name in NAMES}
            for figure in ("precision", "recall", "f1")
        },
        "found": {
            figure: {ANY: {lang: every[lang].found()[figure] for lang in langs}}
            for figure in ("precision", "recall", "f1")
        },
        **{name: whole.row()[name] for name in ("false_flag", "false_clear", "category_right", "accuracy")},
        "by_language": {lang: every[lang].row() for lang in langs},
    }
