"""Train the embedded model's two stages and write their weights.

    python -m moderation.training.train --public dev.jsonl [--out FOLDER] [--check]

`--public` is a set of labelled public lines whose licences allow training (moderation/weights/README.md names those
used). First each stage is trained on four fifths of the groups and asked of the rest, five times over: the
probabilities are calibrated on those answers, and the table printed is of them. `--check` stops there. Then it is
trained on everything and written.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from models.sentences import SIZE, SentenceEncoder
from models.weights import write_weights
from moderation.grams import LONGEST_WORD
from moderation.model import FAST, SECOND
from moderation.tokens import tokenise
from moderation.training.corpus import Example, lexicon_lines, own_lines, public_lines, table_lines, template_lines
from moderation.training.encode import encode
from moderation.training.network import Batchable, Floats, Network, Recipe, softmax, train

FOLDS = 5
RECIPES = {
    FAST: Recipe(hidden=48, epochs=25, table_rate=0.1),
    SECOND: Recipe(hidden=256, epochs=25, table_rate=0.08),
}
SHARPNESS = np.linspace(0.5, 2.5, 81)
POINTS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def folds(examples: Sequence[Example]) -> NDArray[np.int64]:
    """The fold of each example: one for all of a group."""
    return np.asarray([crc32(example.group.encode()) % FOLDS for example in examples])


def unseen(lines: Batchable, fold: NDArray[np.int64], recipe: Recipe, asked: int = FOLDS) -> Floats:
    """Raw scores of every line of the first `asked` folds by a network that has seen nothing of its fold."""
    logits = np.zeros((len(lines.labels), 4), np.float32)
    for one in range(asked):
        network = train(lines.part(np.flatnonzero(fold != one)), recipe)
        there = np.flatnonzero(fold == one)
        logits[there] = network.logits(lines.part(there))
    return logits


def sharpness(logits: Floats, labels: NDArray[np.int64], weights: Floats) -> float:
    """The factor on raw scores that makes their probabilities likeliest (temperature scaling, Guo et al. 2017)."""

    def loss(factor: float) -> float:
        found = softmax((logits * factor).astype(np.float32))
        right = np.where(labels < 4, found[np.arange(len(labels)), np.minimum(labels, 3)], 1 - found[:, 0])
        return float(-(weights * np.log(np.maximum(right, 1e-6))).sum())

    return min((float(factor) for factor in SHARPNESS), key=loss)


def words_of(examples: Sequence[Example]) -> list[str]:
    """The words that stand in two lines or more: those that a table is likely to say."""
    lines = Counter(word for example in examples for word in {token.text for token in tokenise(example.text)})
    return sorted(word for word, times in lines.items() if times > 1 and len(word) <= LONGEST_WORD)


def arrays_of(network: Network, factor: float, signs: int, words: Sequence[str]) -> dict[str, NDArray[Any]]:
    """The network as the arrays that `moderation.model.Model` reads; the table in whole numbers of a byte.

    `words` are kept to be read early.
    """
    first, first_bias, second, second_bias = network.dense
    scale = np.maximum(np.abs(network.table).max(axis=0), 1e-6) / 127
    arrays = {
        "table": np.round(network.table / scale).astype(np.int8),
        "table_scale": scale.astype(np.float32),
        "signs": first[:signs].astype(np.float16),
        "hidden": first_bias.astype(np.float16),
        "out": second.astype(np.float16),
        "bias": second_bias.astype(np.float16),
        "sharpness": np.asarray(factor, np.float32),
        "words": np.frombuffer("\n".join(words).encode(), np.uint8),
    }
    if len(first) > signs:
        arrays["sentence"] = first[signs:].astype(np.float16)
    return arrays


def report(name: str, found: Floats, lines: Batchable, origin: NDArray[np.str_], lang: NDArray[np.str_]) -> None:
    """Recall and false alarms at some thresholds, and how far the probabilities are off."""
    abusive = 1 - found[:, 0]
    for part in ("own", "template", "public", "lexicon"):
        for language in ("en", "ru"):
            chosen = (origin == part) & (lang == language)
            if not chosen.any():
                continue
            truth, score = lines.labels[chosen] > 0, abusive[chosen]
            cells = [f"{p}: R {(score[truth] >= p).mean():.2f} F {(score[~truth] >= p).mean():.3f}" for p in POINTS]
            bins = np.minimum((score * 10).astype(int), 9)
            off = sum(abs(score[bins == b].mean() - truth[bins == b].mean()) * (bins == b).mean() for b in set(bins))
            sys.stdout.write(f"{name} {part} {language} n {chosen.sum()} calibration error {off:.3f} | ")
            sys.stdout.write(" | ".join(cells) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--public", type=Path, required=True, metavar="FILE.jsonl")
    parser.add_argument("--table", type=Path, default=Path("tests/moderation"), metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "weights", metavar="FOLDER")
    parser.add_argument("--check", action="store_true", help="measure on unseen groups and write nothing")
    parser.add_argument("--folds", type=int, choices=range(1, FOLDS + 1), default=FOLDS, help="how many are asked")
    parser.add_argument("--stage", action="append", choices=sorted(RECIPES))
    options = parser.parse_args(arguments)
    examples = [*own_lines(), *template_lines(), *public_lines(options.public), *lexicon_lines()]
    examples += table_lines(options.table)
    both, source = encode(examples, SentenceEncoder())
    origin = np.asarray([examples[at].origin for at in source])
    lang = np.asarray([examples[at].lang for at in source])
    fold = folds(examples)[source]
    signs = both.dense.shape[1] - SIZE
    for stage in options.stage or RECIPES:
        dense = both.dense if stage == SECOND else both.dense[:, :signs]
        lines = Batchable(both.rows, dense, both.labels, both.weights)
        logits = unseen(lines, fold, RECIPES[stage], options.folds)
        there = np.flatnonzero(fold < options.folds)
        factor = sharpness(logits[there], lines.labels[there], lines.weights[there])
        sys.stdout.write(f"{stage}: sharpness {factor:.3f}\n")
        shares = softmax(logits[there] * np.float32(factor))
        report(stage, shares, lines.part(there), origin[there], lang[there])
        if not options.check:
            network = train(lines, RECIPES[stage])
            options.out.mkdir(exist_ok=True)
            size = write_weights(options.out, stage, arrays_of(network, factor, signs, words_of(examples)))
            sys.stdout.write(f"{stage}: {size} bytes\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
