"""`voicetable moderate`: lines in, one JSON object a line out."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from voice.cli.moderate import run

COMMAND = [sys.executable, "-c", "from voice.cli.main import run; run()", "moderate"]


class Result:
    def __init__(self, status: int, out: bytes, err: str) -> None:
        self.status, self.err = status, err
        self.lines: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def moderate(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> Any:
    def call(data: bytes | str, *, lang: str | None = None, model: str | None = None, as_file: bool = False) -> Result:
        raw = data.encode() if isinstance(data, str) else data
        path = None
        if as_file:
            (tmp_path / "lines.txt").write_bytes(raw)
            path = str(tmp_path / "lines.txt")
        else:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
        status = run(path, lang, model)
        out, err = capsysbinary.readouterr()
        return Result(status, out, err.decode())

    return call


@pytest.mark.parametrize("as_file", [False, True])
def test_lines_in_order(moderate: Any, as_file: bool) -> None:
    result = moderate('you idiot\n{"text": "ты дурак", "lang": "ru"}\r\n\nпривет', as_file=as_file)
    assert result.status == 0
    assert result.err == ""
    assert [line["text"] for line in result.lines] == ["you idiot", "ты дурак", "", "привет"]
    assert [line["lang"] for line in result.lines] == ["en", "ru", "en", "ru"]
    assert [line["category"] for line in result.lines] == ["insult", "insult", None, None]
    assert [line["severity"] for line in result.lines] == ["clear", "likely", None, None]
    first = result.lines[0]
    assert list(first) == ["text", "lang", "category", "severity", "scores", "why", "review"]
    assert set(first["scores"]) == {"insult", "hate", "sexual"}
    assert first["why"] == [{"start": 4, "end": 9, "rule": "en.insult.idiot", "category": "insult"}]
    assert first["review"] is False


def test_language_of_a_line(moderate: Any) -> None:
    result = moderate('{"text": "you ёж"}\n{"text": "ёж", "lang": "en"}\n{"text": "ok", "lang": null}\nok')
    assert [line["lang"] for line in result.lines] == ["ru", "en", "en", "en"]
    result = moderate('ok\nёж\n{"text": "ok", "lang": "en"}', lang="ru")
    assert [line["lang"] for line in result.lines] == ["ru", "ru", "en"]


def test_a_line_for_a_person(moderate: Any) -> None:
    line = moderate("he called me a faggot").lines[0]
    assert (line["category"], line["severity"], line["review"]) == (None, None, True)
    assert 0 < line["scores"]["hate"] < 0.5


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ('{"text": "a"', "broken JSON at column"),
        ("{", "broken JSON"),
        ('{"lang": "en"}', "JSON object with text"),
        ('{"text": 3}', "text to be a string, got a number"),
        ('{"text": null}', "text to be a string, got null"),
        ('{"text": ["a"]}', "text to be a string, got a list"),
        ('{"text": {}}', "text to be a string, got an object"),
        ('{"text": true}', "text to be a string, got a boolean"),
        ('{"text": "a", "lang": "de"}', "lang to be en or ru, got 'de'"),
        ('{"text": "a", "lang": 1}', "lang to be en or ru, got a number"),
        ('{"text": "a", "lang": ["en"]}', "lang to be en or ru, got a list"),
        ('{"text": "a"} x', "broken JSON"),
        ('  {"text": "a"', "broken JSON"),
        ('{"text": ' + "[" * 100_000, "JSON"),
        ('{"text": ' + "9" * 10_000 + "}", "JSON object with text"),
        (b"ab\xff", "UTF-8, got byte 0xff at byte 3"),
        ("ы".encode("cp1251"), "UTF-8"),
    ],
)
def test_bad_lines_are_named(moderate: Any, bad: str | bytes, says: str) -> None:
    raw = bad.encode() if isinstance(bad, str) else bad
    result = moderate(b"you idiot\nhello\n" + raw + b"\nnever read\n")
    assert result.status == 2
    assert [line["text"] for line in result.lines] == ["you idiot", "hello"]
    assert result.err.startswith("standard input, line 3: expected ")
    assert says in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "text", ["a\x00b", "🙂 \u200b you", "\u2028 you", "x" * 1_000_000, "\ufeff you", "'{' is a brace", "[1, 2]"]
)
def test_odd_lines_are_fine(moderate: Any, text: str) -> None:
    result = moderate("first\n" + text)
    assert (result.status, result.err) == (0, "")
    assert [line["text"] for line in result.lines] == ["first", text]


def test_half_a_surrogate_pair(moderate: Any) -> None:
    result = moderate('{"text": "you \\ud800 idiot"}')
    assert result.status == 0
    assert result.lines[0]["text"] == "you \ud800 idiot"


def test_a_byte_order_mark_is_no_text(moderate: Any) -> None:
    assert moderate(b'\xef\xbb\xbf{"text": "a"}').lines[0]["text"] == "a"
    assert moderate(b"\xef\xbb\xbfhello").lines[0]["text"] == "hello"


def test_no_lines(moderate: Any) -> None:
    result = moderate("")
    assert (result.status, result.lines, result.err) == (0, [], "")


def test_wrong_options(moderate: Any) -> None:
    result = moderate("hello", lang="de")
    assert (result.status, result.lines) == (2, [])
    assert result.err == "--lang: expected en or ru, got 'de'\n"
    result = moderate("hello", model="detoxify")
    assert (result.status, result.lines) == (2, [])
    assert result.err == (
        "--model: expected a toxicity model's folder, or one of rules, fast, second, original, unbiased, multilingual, "
        "original-small, unbiased-small, got 'detoxify'\n"
    )
    for model in ("rules", "fast", "second"):
        assert moderate("hello", model=model).status == 0


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "none.txt", tmp_path):
        assert run(str(path), None, None) == 2
        err = capsys.readouterr().err
        assert str(path) in err
        assert err.count("\n") == 1


class Terminal(io.StringIO):
    """Standard error of a person."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("tail", ["", '{"text": 1}'])
def test_progress_is_shown_to_a_person_and_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tail: str
) -> None:
    monkeypatch.setattr("voice.cli.progress.QUIET_S", 0.0)
    monkeypatch.setattr("voice.cli.progress.PAUSE_S", 0.0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    (tmp_path / "lines.txt").write_text("you idiot\n" * 3 + tail, "utf-8")
    assert run(str(tmp_path / "lines.txt"), None, None) == (2 if tail else 0)
    assert isinstance(sys.stderr, Terminal)
    *shown, after = sys.stderr.getvalue().split("\r\x1b[K")
    assert shown == ["", "1 lines judged", "2 lines judged", "3 lines judged"]
    assert after.count("\n") == bool(tail)
    assert len(capsysbinary.readouterr().out.splitlines()) == 3


def test_the_command_streams() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"you idiot\n")
        process.stdin.flush()
        # The answer comes while the input is still open.
        assert json.loads(process.stdout.readline())["category"] == "insult"
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


def test_a_reader_that_goes_away_is_no_noise() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"hello\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        try:
            process.stdin.write(b"you idiot\n" * 1000)
            process.stdin.close()
        except BrokenPipeError:
            process.stdin = None
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_imports_are_light() -> None:
    heavy = ["numpy", "av", "aiortc", "faster_whisper", "sqlalchemy", "fastapi", "pydantic", "msgspec", "onnxruntime"]
    code = f"import sys, voice.cli.moderate; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
