"""Clips at rest: nobody reads them without the key, and none passes for another's."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from voice.clips.box import Box, ClipKeyError, ClipLostError

if TYPE_CHECKING:
    from pathlib import Path

CLIP = b"OggS" + bytes(range(256)) * 20


def test_sealed_it_tells_nothing_and_opens_again(tmp_path: Path) -> None:
    box = Box.kept(tmp_path / "keys")
    key, kept = box.seal(CLIP, "table 7")
    assert b"OggS" not in kept
    assert not any(kept[i : i + 16] in CLIP for i in range(0, len(kept) - 16, 16))
    assert Box.kept(tmp_path / "keys").open(key, kept, "table 7") == CLIP
    assert box.seal(CLIP, "table 7")[1] != kept


def test_the_key_file_is_the_owners_alone(tmp_path: Path) -> None:
    Box.kept(tmp_path / "keys")
    assert (tmp_path / "keys").stat().st_mode & 0o777 == 0o600


def test_changed_or_of_another_line_it_does_not_open() -> None:
    box = Box.new()
    key, kept = box.seal(CLIP, "table 7")
    for wrong, about in (
        (kept[:-1], "table 7"),
        (kept[:20] + b"\0" + kept[21:], "table 7"),
        (kept, "table 8"),
        (b"", ""),
    ):
        with pytest.raises(ClipLostError):
            box.open(key, wrong, about)
    with pytest.raises(ClipLostError):
        Box.new().open(key, kept, "table 7")


def test_a_new_key_seals_and_the_old_one_still_opens(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    old_key, kept = Box.kept(path).seal(CLIP, "x")
    path.write_text(base64.urlsafe_b64encode(b"k" * 32).decode() + "\n" + path.read_text())
    box = Box.kept(path)
    assert box.open(old_key, kept, "x") == CLIP
    assert box.seal(CLIP, "x")[0] != old_key


@pytest.mark.parametrize("text", ["", "short\n", "é" * 44, base64.b64encode(b"k" * 31).decode()])
def test_a_file_without_a_key_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "keys").write_text(text)
    with pytest.raises(ClipKeyError, match="keys"):
        Box.kept(tmp_path / "keys")


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(ClipKeyError):
        Box.kept(tmp_path)
