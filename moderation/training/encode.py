"""Labelled lines as the numbers that the training takes, by the same code that reads a line at a table."""

from collections.abc import Sequence

import numpy as np

from models.sentences import SentenceEncoder
from moderation.line import Finding
from moderation.model import OUTCOMES, SENTENCE_SCALE, rows_of, sentence_of, windows
from moderation.pipeline import Pipeline
from moderation.signs import names, signs
from moderation.training.corpus import WEIGHTS, Example
from moderation.training.network import ANY, Batchable, Floats
from moderation.vocabulary import lexicon

CHUNK = 200  # lines that the encoder takes at once


def encode(examples: Sequence[Example], encoder: SentenceEncoder | None) -> tuple[Batchable, list[int]]:
    """The lines in numbers, and for each row the example that it comes from.

    A long harmless line is harmless in each of its windows; a long abusive one is taken whole, for nobody says which
    of them holds the abuse.
    """
    pipeline = Pipeline(lexicon())
    width = len(names())
    rows, dense, labels, weights, source, texts = [], [], [], [], [], []
    for at, example in enumerate(examples):
        line, findings = pipeline.rules(example.text)
        if not line.tokens:
            continue
        if example.origin == "lexicon":
            findings = []  # the rules were made with these lines and are never wrong there: that is not to be learnt
        whole = [(0, len(line.words))]
        stretches = windows(len(line.words)) if example.label == "none" else whole
        for first, last in stretches:
            inside = within(findings, first, last)
            rows.append(rows_of(line, first, last))
            flags = np.zeros(width, np.float32)
            flags[list(signs(line, inside, first, last))] = 1
            dense.append(flags)
            labels.append(OUTCOMES.index(example.label) if example.label in OUTCOMES else ANY)
            weights.append(WEIGHTS[example.origin] / len(stretches) ** 0.5)
            source.append(at)
            texts.append(sentence_of(line, first, last))
    inputs = np.stack(dense)
    if encoder is not None:
        inputs = np.concatenate([inputs, SENTENCE_SCALE * vectors(encoder, texts)], axis=1)
    return Batchable(rows, inputs, np.asarray(labels), np.asarray(weights, np.float32)), source


def within(findings: Sequence[Finding], first: int, last: int) -> list[Finding]:
    """The findings that begin in words `first` to `last` (half-open)."""
    return [finding for finding in findings if first <= finding.first < last]


def vectors(encoder: SentenceEncoder, texts: Sequence[str]) -> Floats:
    """The texts' vectors, some at a time."""
    parts = [encoder.vectors(texts[at : at + CHUNK]) for at in range(0, len(texts), CHUNK)]
    return np.concatenate(parts).astype(np.float32)
