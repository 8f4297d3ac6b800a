"""The model's training: gradient descent in numpy over the table's rows, the signs and maybe a sentence vector."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from moderation.grams import ROWS
from moderation.model import OUTCOMES

Floats = NDArray[np.float32]
ANY = len(OUTCOMES)  # the label of abuse without a category: whichever the model finds likeliest


@dataclass(frozen=True, slots=True)
class Batchable:
    """Encoded lines: rows of the table, dense inputs, labels (of OUTCOMES, or ANY) and weights."""

    rows: Sequence[NDArray[np.int32]]
    dense: Floats
    labels: NDArray[np.int64]
    weights: Floats

    def part(self, chosen: NDArray[np.int64]) -> "Batchable":
        """The lines at these places."""
        return Batchable(
            [self.rows[at] for at in chosen], self.dense[chosen], self.labels[chosen], self.weights[chosen]
        )


@dataclass(frozen=True, slots=True)
class Recipe:
    """What the training does, in the units of its field."""

    hidden: int = 32
    epochs: int = 15
    batch: int = 64
    rate: float = 1e-3  # of the dense layers (Adam)
    table_rate: float = 0.15  # of the table (Adagrad)
    decay: float = 1e-3
    drop_inputs: float = 0.15
    drop_hidden: float = 0.3
    drop_rows: float = 0.3
    seed: int = 6


@dataclass(slots=True)
class Network:
    """The weights while they are learnt: two dense layers and the table."""

    dense: list[Floats]
    table: Floats = field(default_factory=lambda: np.zeros((ROWS, len(OUTCOMES)), np.float32))

    def logits(self, lines: Batchable) -> Floats:
        """Raw scores of each line for each outcome."""
        first, first_bias, second, second_bias = self.dense
        hidden = np.maximum(lines.dense @ first + first_bias, 0)
        scores: Floats = (hidden @ second + second_bias + self.of_table(lines.rows)).astype(np.float32)
        return scores

    def of_table(self, rows: Sequence[NDArray[np.int32]]) -> Floats:
        """The table's part of the scores."""
        return np.stack([self.table[r].sum(axis=0) / np.sqrt(max(1, len(r))) for r in rows]).astype(np.float32)


def softmax(logits: Floats) -> Floats:
    """Probabilities of scores, a row a line."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Floats = (raised / raised.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def train(lines: Batchable, recipe: Recipe) -> Network:
    """Learn the weights; the same lines and recipe give the same ones."""
    chance = np.random.default_rng(recipe.seed)
    size, outcomes = lines.dense.shape[1], len(OUTCOMES)
    network = Network(
        [
            chance.normal(0, 1 / np.sqrt(size), (size, recipe.hidden)).astype(np.float32),
            np.zeros(recipe.hidden, np.float32),
            chance.normal(0, 1 / np.sqrt(recipe.hidden), (recipe.hidden, outcomes)).astype(np.float32),
            np.zeros(outcomes, np.float32),
        ]
    )
    dense = _Adam(network.dense, recipe.decay)
    spread = np.full_like(network.table, 1e-3)
    steps = -(-len(lines.labels) // recipe.batch)
    for epoch in range(recipe.epochs):
        order = chance.permutation(len(lines.labels))
        slower = 1 - epoch / recipe.epochs
        for step in range(steps):
            batch = lines.part(order[step * recipe.batch : (step + 1) * recipe.batch])
            _step(network, batch, recipe, chance, dense, spread, slower)
    return network


def _step(
    network: Network,
    batch: Batchable,
    recipe: Recipe,
    chance: np.random.Generator,
    dense: "_Adam",
    spread: Floats,
    slower: float,
) -> None:
    first, first_bias, second, second_bias = network.dense
    inputs = batch.dense * ((chance.random(batch.dense.shape) > recipe.drop_inputs) / (1 - recipe.drop_inputs))
    raw = inputs @ first + first_bias
    kept = (chance.random(raw.shape) > recipe.drop_hidden) / (1 - recipe.drop_hidden)
    hidden = np.maximum(raw, 0) * kept
    rows = [r[chance.random(len(r)) > recipe.drop_rows] for r in batch.rows]
    found = softmax((hidden @ second + second_bias + network.of_table(rows)).astype(np.float32))
    error = (found - _targets(found, batch.labels)) * batch.weights[:, None]
    mean = error / len(batch.labels)
    behind = (mean @ second.T) * kept * (raw > 0)
    dense.step([inputs.T @ behind, behind.sum(axis=0), hidden.T @ mean, mean.sum(axis=0)], recipe.rate * slower)
    counts = [len(r) for r in rows]
    each = np.repeat(error / np.sqrt(np.maximum(counts, 1))[:, None], counts, axis=0)
    touched, place = np.unique(np.concatenate(rows), return_inverse=True)
    sums = [np.bincount(place, each[:, at], len(touched)) for at in range(each.shape[1])]
    gradient = (np.stack(sums, axis=1) + 1e-3 * network.table[touched]).astype(np.float32)
    spread[touched] += gradient**2
    network.table[touched] -= recipe.table_rate * slower * gradient / np.sqrt(spread[touched])


def _targets(found: Floats, labels: NDArray[np.int64]) -> Floats:
    """One where the label is; for abuse without a category, what the model has of each category."""
    wanted = np.zeros_like(found)
    named = labels < ANY
    wanted[np.flatnonzero(named), labels[named]] = 1
    abusive = found[~named, 1:]
    wanted[~named, 1:] = abusive / abusive.sum(axis=1, keepdims=True)
    return wanted


class _Adam:
    def __init__(self, weights: list[Floats], decay: float) -> None:
        self._weights, self._decay, self._steps = weights, decay, 0
        self._mean = [np.zeros_like(one) for one in weights]
        self._square = [np.zeros_like(one) for one in weights]

    def step(self, gradients: Sequence[NDArray[np.floating]], rate: float) -> None:
        self._steps += 1
        for weights, mean, square, gradient in zip(self._weights, self._mean, self._square, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            straight = mean / (1 - 0.9**self._steps)
            weights -= rate * (straight / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8) + self._decay * weights)
