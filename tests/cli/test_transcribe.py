"""`voicetable transcribe`: one JSON object a file, offline and live; bad input is one line."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import ctranslate2
import pytest

from tests.speech.sound import FIXTURES, read_clips, words_wrong
from voice.cli.transcribe import run

if TYPE_CHECKING:
    from pathlib import Path

CLIPS = read_clips()
ENGLISH, RUSSIAN = CLIPS["table_en_037"], CLIPS["table_ru_065"]


def transcribe(*files: str, data: Path, **options: Any) -> int:
    given: dict[str, Any] = {"lang": None, "model": None, "device": "cpu", "live": False}
    return run(list(files), **(given | {"data": str(data)} | options))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared with the speech tests, so that a model is joined once."""
    return tmp_path_factory.getbasetemp() / "speech-data"


@pytest.mark.speech
@pytest.mark.parametrize("live", [False, True])
def test_a_line_of_json_a_file(live: bool, data: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = str(FIXTURES / "table_en_037.flac")
    assert transcribe(path, path, lang="en", live=live, data=data) == 0
    out, err = capsysbinary.readouterr()
    assert err == b""
    lines = [json.loads(line) for line in out.splitlines()]
    assert len(lines) == 2
    for found in lines:
        assert list(found) == ["file", "lang", "text", "audio_s", "utterances"]
        assert (found["file"], found["lang"]) == (path, "en")
        assert found["audio_s"] == pytest.approx(ENGLISH.seconds, abs=0.001)
        assert words_wrong(ENGLISH.text, found["text"]) <= 0.2
        assert found["text"] == " ".join(each["text"] for each in found["utterances"])
        for each in found["utterances"]:
            assert list(each) == ["start_s", "end_s", "text", "latency_s"]
            assert 0 <= each["start_s"] < each["end_s"] <= ENGLISH.seconds + 0.1
            assert each["latency_s"] > 0


@pytest.mark.speech
def test_the_language_is_heard_where_none_is_given(data: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    files = [str(FIXTURES / f"{clip.name}.flac") for clip in (RUSSIAN, ENGLISH)]
    assert transcribe(*files, data=data) == 0
    found = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert [each["lang"] for each in found] == ["ru", "en"]
    assert words_wrong(RUSSIAN.text, found[0]["text"]) <= 0.4


@pytest.mark.speech
@pytest.mark.parametrize("live", [False, True])
def test_a_model_that_lacks_the_language_is_told(live: bool, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(FIXTURES / "table_ru_065.flac")
    assert transcribe(file, lang="ru", model="tiny.en", live=live, data=data) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "does not do language ru" in err


@pytest.mark.parametrize(
    ("files", "options", "said"),
    [
        (["README.md"], {}, "README.md can't be read as audio"),
        (["no-such.wav"], {}, "no-such.wav does not exist"),
        (["README.md/x.wav"], {}, "README.md/x.wav can't be read as audio: Not a directory"),
        ([f"{'a' * 300}.wav"], {}, "aaa"),
        (["docs"], {}, "docs can't be read as audio"),
        (["/dev/zero"], {}, "/dev/zero can't be read as audio"),
        (["x"], {"device": "abacus"}, "--device: expected cpu or cuda"),
        (["x"], {"lang": "e1"}, "--lang: expected a language's code"),
        (["x"], {"model": "no/such/model"}, "--model: model folder no/such/model does not exist"),
    ],
)
def test_bad_input_is_one_line(
    files: list[str], options: dict[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert transcribe(*files, data=tmp_path, **options) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(f"transcribe: {said}")


@pytest.mark.speech
def test_a_file_may_come_through_a_pipe(tmp_path: Path, data: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert transcribe(str(pipe), data=data) == 2
    assert b"give --lang" in capsysbinary.readouterr().err
    with subprocess.Popen(["cp", str(FIXTURES / "table_en_037.flac"), str(pipe)]):
        assert transcribe(str(pipe), lang="en", data=data) == 0
    assert words_wrong(ENGLISH.text, json.loads(capsysbinary.readouterr().out)["text"]) <= 0.2


@pytest.mark.skipif(ctranslate2.get_cuda_device_count() > 0, reason="this machine has CUDA")
def test_cuda_on_a_machine_without_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert transcribe("x", device="cuda", data=tmp_path) == 2
    assert "no CUDA device" in capsys.readouterr().err


def test_a_bad_file_among_good_ones_is_told_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = str(FIXTURES / "table_en_037.flac")
    (tmp_path / "cut.flac").write_bytes((FIXTURES / "table_en_037.flac").read_bytes()[:60])
    assert transcribe(good, str(tmp_path / "cut.flac"), lang="en", data=tmp_path) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "cut.flac" in err
