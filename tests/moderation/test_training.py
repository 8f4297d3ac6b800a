"""The training of the embedded model: its lines, its split, its arithmetic."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from models.errors import ModelError
from models.weights import SUMS, read_weights, write_weights
from moderation.grams import PARTS, between_rows, plain_words, row, word_rows
from moderation.line import Line
from moderation.model import OUTCOMES, Model, rows_of
from moderation.signs import names, signs
from moderation.training import corpus
from moderation.training.corpus import TEMPLATE_LINES, own_lines, template_lines
from moderation.training.encode import encode
from moderation.training.network import ANY, Recipe, softmax, train
from moderation.training.train import FOLDS, arrays_of, folds, sharpness
from moderation.vocabulary import lexicon

CASES = Path(__file__).parent / "cases"
OWN = list(own_lines())
TEMPLATES = list(template_lines())


def bare(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.lower().replace("ё", "е")))


def test_no_case_is_trained_on() -> None:
    cases = {
        bare(json.loads(line)["text"])
        for path in CASES.glob("*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert len(cases) > 700
    assert not cases & {bare(example.text) for example in (*OWN, *TEMPLATES)}


def test_both_languages_have_thousands_of_lines() -> None:
    for lang in ("en", "ru"):
        assert sum(example.lang == lang for example in OWN) > 2000
        assert sum(example.lang == lang for example in TEMPLATES) > 2000


def test_a_template_is_filled_a_limited_number_of_times_and_always_the_same() -> None:
    counts: dict[str, int] = {}
    for example in TEMPLATES:
        counts[example.group] = counts.get(example.group, 0) + 1
    assert max(counts.values()) == TEMPLATE_LINES
    assert not any("{" in example.text for example in TEMPLATES)
    assert [example.text for example in template_lines()] == [example.text for example in TEMPLATES]


def test_a_second_draw_from_a_slot_is_another_filler() -> None:
    made = corpus._fill("{a} {a2} {a3}", {"a": ["x", "y", "z"]}, random.Random(1))
    assert sorted(made.split()) == ["x", "y", "z"]


def test_a_group_is_on_one_side_of_the_split() -> None:
    sides: dict[str, set[int]] = {}
    for example, fold in zip([*OWN, *TEMPLATES], folds([*OWN, *TEMPLATES]), strict=True):
        sides.setdefault(example.group, set()).add(int(fold))
    assert all(len(side) == 1 for side in sides.values())
    assert {fold for side in sides.values() for fold in side} == set(range(FOLDS))


@pytest.fixture(scope="module")
def small() -> tuple[Model, list[float]]:
    """A model trained on some of the own lines, and its labels' right answers there."""
    examples = [example for example in OWN if example.lang == "en"][::6]
    lines, _ = encode(examples, None)
    network = train(lines, Recipe(hidden=16, epochs=12))
    found = softmax(network.logits(lines))
    right = [float(found[at, label]) for at, label in enumerate(lines.labels)]
    return Model(arrays_of(network, 1.0, lines.dense.shape[1], ["a", "слово"])), right


def test_the_training_learns_and_the_written_weights_say_the_same(small: tuple[Model, list[float]]) -> None:
    model, right = small
    assert sum(share > 0.5 for share in right) > 0.7 * len(right)
    line = Line(OWN[0].text, lexicon())
    found = model.probabilities(line, [], 0, len(line.words))
    assert sum(found) == pytest.approx(1)
    assert len(found) == len(OUTCOMES)


def test_the_same_lines_give_the_same_weights() -> None:
    lines, _ = encode(OWN[:60], None)
    first, second = (train(lines, Recipe(hidden=4, epochs=2)) for _ in range(2))
    assert np.array_equal(first.table, second.table)
    assert all(np.array_equal(a, b) for a, b in zip(first.dense, second.dense, strict=True))


def test_abuse_without_a_category_takes_the_likeliest() -> None:
    lines, _ = encode([corpus.Example("you absolute waste of air", "en", "any", "", "own", "g")], None)
    assert lines.labels.tolist() == [ANY]
    found = softmax(train(lines, Recipe(hidden=4, epochs=30)).logits(lines))
    assert found[0, 0] < 0.2


def test_probabilities_are_calibrated_by_one_factor() -> None:
    labels = np.asarray([0, 1] * 50)
    timid = np.zeros((100, 4), np.float32)
    timid[np.arange(100), labels] = 1.0
    assert sharpness(timid, labels, np.ones(100, np.float32)) == pytest.approx(2.5)
    wrong = timid[::-1].copy()
    assert sharpness(wrong, labels, np.ones(100, np.float32)) == pytest.approx(0.5)


def test_signs_are_named_in_their_order() -> None:
    line = Line("you are not a fool", lexicon())
    found = [names()[number] for number in signs(line, [], 0, len(line.words))]
    assert {"you", "negation", "mild"} <= set(found)
    russian = Line("ты не дурак", lexicon())
    assert {"you", "negation", "mild"} <= {names()[number] for number in signs(russian, [], 0, 3)}


def test_a_line_costs_rows_linear_in_its_length() -> None:
    short, long = (Line("number two is red and I vote " * times, lexicon()) for times in (1, 50))
    assert len(rows_of(long, 0, len(long.words))) < 51 * len(rows_of(short, 0, len(short.words)))


@pytest.mark.parametrize("word", ["idiot", "дурак", "naïve", "ab", "\ud800abcd"])
def test_a_word_has_the_rows_of_its_parts(word: str) -> None:
    marked = f"<{word}>"
    parts = [marked[at : at + size] for size in PARTS for at in range(len(marked) - size + 1)]
    wanted = [row(f"w{word}"), *(row(f"p{part}") for part in parts if len(word) > PARTS[0])]
    assert list(word_rows(word)) == wanted


def test_neighbours_have_rows_of_their_own() -> None:
    line = Line("ты не дурак шестой", lexicon())
    found = between_rows(line, plain_words(line, 0, 4), 0, 4)
    for name in ("n^ ты", "nты не", "sты дурак", "nдурак #", "sдурак $", "n# $", "s ты"):
        assert row(name) in found, name


def test_weights_of_another_sum_are_refused(tmp_path: Path) -> None:
    arrays = {"a": np.arange(6, dtype=np.float16), "b": np.asarray(0.5, np.float32)}
    size = write_weights(tmp_path, "w.npz", arrays)
    assert size == (tmp_path / "w.npz").stat().st_size
    before = (tmp_path / "w.npz").read_bytes()
    read = read_weights(tmp_path, "w.npz")
    assert read["a"].tolist() == arrays["a"].tolist()
    assert read["b"].item() == 0.5
    write_weights(tmp_path, "w.npz", arrays)
    assert (tmp_path / "w.npz").read_bytes() == before
    (tmp_path / "w.npz").write_bytes(before[:-1] + b"x")
    with pytest.raises(ModelError, match=SUMS):
        read_weights(tmp_path, "w.npz")
    with pytest.raises(ModelError, match="can't be read"):
        read_weights(tmp_path / "none", "w.npz")


def test_weights_hold_no_pickle(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="allow_pickle"):
        write_weights(tmp_path, "w.npz", {"a": np.asarray([{}], dtype=object)})
