"""A recogniser of the host's own: the one that the document shows, by every way to it; and what is none."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from models.errors import ModelError
from tests.docs.runner import blocks
from tests.speech.sound import FIXTURES, accepted, encode_opus, read_clips
from voice.bench.asr import document
from voice.cli import bench_asr, transcribe
from voice.cli.bench_asr import Given
from voice.settings import Settings
from voice.speech.loading import Options, loader, look_at
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings
from voice.wiring import Wiring

if TYPE_CHECKING:
    from voice.speech.lines import Line

DOCUMENT = Path(__file__).parents[2] / "docs" / "speech.md"
CLIP = FIXTURES / "table_en_009.flac"


@pytest.fixture
def stopwatch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The document's own module, in the current folder; its name."""
    (block,) = [each for each in blocks(DOCUMENT.read_text("utf-8")) if each.file == "stopwatch.py"]
    (tmp_path / "stopwatch.py").write_text(block.code, "utf-8")
    monkeypatch.chdir(tmp_path)
    return "stopwatch"


def options(data_dir: Path) -> Options:
    return Options(data_dir, "cpu", None, 1, None)


def test_the_documents_recogniser_is_one(stopwatch: str, tmp_path: Path) -> None:
    look_at(stopwatch)
    recogniser = loader(stopwatch)("any", options(tmp_path))
    assert recogniser.transcribe(np.zeros(24_000, np.float32), "en").text == "1.5 seconds"
    with pytest.raises(ModelError, match="language fr"):
        recogniser.transcribe(np.zeros(24_000, np.float32), "fr")


async def test_a_tables_speech_goes_through_it(stopwatch: str, tmp_path: Path) -> None:
    wiring = Wiring(Settings(data=tmp_path, recogniser=stopwatch, asr="its/own/model", media=False))
    await wiring.check()
    await wiring.start()
    try:
        service = wiring.speech
        assert service is not None
        lines: list[Line] = []
        stream = service.open("t", "en", lines.append, lambda *_: None)
        stream.mic({1}, 1)
        pcm = np.concatenate([read_clips()["table_en_009"].pcm, np.zeros(16_000, np.float32)])
        for packet in accepted(encode_opus(pcm), 1, 1, begin_s=time.monotonic()):
            stream.feed(packet)
        await service.settled()
        assert [line.text.endswith(" seconds") for line in lines] == [True]
    finally:
        await wiring.stop()


@pytest.mark.parametrize("live", [False, True])
def test_files_go_through_it(
    live: bool, stopwatch: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    given: dict[str, Any] = {"model": None, "device": "cpu", "data": str(tmp_path)}
    assert transcribe.run([str(CLIP)], lang="en", live=live, recogniser=stopwatch, **given) == 0
    out, err = capsysbinary.readouterr()
    assert err == b""
    assert json.loads(out)["text"].endswith(" seconds")


def given(**told: Any) -> Given:
    nothing: dict[str, Any] = {
        "models": [], "device": "cpu", "compute_types": [], "threads": [], "windows_s": [], "clips": None, "limit": 1,
        "tables": [], "workers": [], "interims_s": [], "one_by_one": False, "recognisers": [],
        "only": None, "json_file": None, "plot_file": None, "data": None,
    }  # fmt: skip
    return Given(**(nothing | told))


@pytest.mark.speech
def test_it_is_measured_as_a_row_of_its_own(stopwatch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "clips"
    folder.mkdir()
    (folder / "a.flac").write_bytes(CLIP.read_bytes())
    (folder / "manifest.jsonl").write_text('{"file": "a.flac", "text": "four words of it", "lang": "en"}')
    file = tmp_path / "asr.json"
    told = given(
        clips=str(folder), models=["its/own/model"], recognisers=[stopwatch], only=stopwatch, json_file=str(file),
        data=str(tmp_path),
    )  # fmt: skip
    assert bench_asr.run(told) == 0, capsys.readouterr()
    (row,) = document.read(str(file))["rows"]
    assert (row["way"], row["model"], row["utterances"], row["wer"]) == (stopwatch, "its/own/model", 1, {"en": 1.0})


@pytest.mark.parametrize("command", ["transcribe", "bench asr"])
@pytest.mark.parametrize("module", ["", "../mine", "mine.py/", "-c", "mine; true", "mine\n", ".mine", "a" * 300])
def test_what_is_no_name_is_one_line(
    module: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(command, module, tmp_path) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(f"{command}: --recogniser: ")
    assert "expected a Python module's name" in err


def refused(command: str, module: str, folder: Path) -> int:
    if command == "bench asr":
        return bench_asr.run(given(recognisers=[module], clips=str(FIXTURES), data=str(folder)))
    return transcribe.run(
        [str(CLIP)], lang="en", model=None, device="cpu", live=False, data=str(folder), recogniser=module
    )


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (None, "ModuleNotFoundError: No module named 'mine'"),
        ("LOAD = 1", "mine has no load(name, options)"),
        ("load = 1", "mine has no load(name, options)"),
        ("def load(", "can't be imported: SyntaxError"),
        ("raise ValueError('two\\nlines')", "can't be imported: ValueError: two lines"),
        ("import sys; print('noise'); sys.exit(0)", "can't be imported: SystemExit: 0"),
        ("import os; os._exit(0)", "mine ends its process when it is imported"),
    ],
)
def test_a_module_that_is_none_is_one_line(
    code: str | None, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if code is not None:
        (tmp_path / "mine.py").write_text(code, "utf-8")
    assert refused("transcribe", "mine", tmp_path) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("transcribe: --recogniser: recogniser mine")
    assert said in err


def test_a_module_that_never_ends_its_import_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("voice.speech.loading.LOOK_S", 1.0)
    (tmp_path / "mine.py").write_text("import time; time.sleep(600)", "utf-8")
    assert refused("transcribe", "mine", tmp_path) == 2
    assert "mine is not imported after 1 s" in capsys.readouterr().err


async def test_one_whose_model_does_not_load_is_told_and_harms_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def load(name, options): return {}[name]", "utf-8")
    service = SpeechService(tmp_path, SpeechSettings.of_model("big", "cpu", "mine"))
    await service.start()
    try:
        service.open("t", "en", lambda _: None, lambda *_: None)
        await service.settled()
        assert service.problem("en") == "recogniser mine does not load big: KeyError: 'big'"
        assert service.stats()["recogniser"]["deaths"] == 0
    finally:
        await service.stop()


def test_nothing_in_the_current_folder_stands_in_for_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server is started where its host happens to be: a folder with a json.py, or with models in it."""
    monkeypatch.chdir(tmp_path)
    for name in ("json", "models", "voice"):
        (tmp_path / f"{name}.py").write_text("raise AssertionError", "utf-8")
    look_at("voice.speech.windowed")
