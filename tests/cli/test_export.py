"""`voicetable export`: where a game comes from, what is written, and how bad input is told."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from tests.engine.review.games import by_lot
from tests.review.stored import GAME, LINE, NAMES, game_log, write_database
from voice.cli.export import run
from voice.store import LogRow, Store
from voice.store.store import append

SCENARIO = {"ruleset": "quick", "options": {"seats": 6, "runoff": True}, "seed": 5, "steps": [{"until": "discussion"}]}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_database(tmp_path_factory.mktemp("db") / "games.sqlite3")


def write_in_thread(path: Path) -> str:
    """Writes a database without a log, beside a loop that runs already."""
    with ThreadPoolExecutor() as pool:
        return pool.submit(write_database, path, []).result()


def log_file(folder: Path, ruleset: str = "sport") -> str:
    file = folder / "game.jsonl"
    file.write_text("".join(json.dumps(event) + "\n" for event in by_lot(ruleset, 1)), encoding="utf-8")
    return str(file)


def exported(capsysbinary: pytest.CaptureFixture[bytes], game: str, form: str = "json", **more: Any) -> bytes:
    assert run(game, form, **more) == 0
    out, err = capsysbinary.readouterr()
    assert err == b""
    return out


def refused(capsysbinary: pytest.CaptureFixture[bytes], game: str, form: str = "json", **more: Any) -> str:
    assert run(game, form, **more) == 2
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert err.count(b"\n") == 1
    assert err.endswith(b"\n")
    return err.decode()


def test_a_log_as_json(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    whole = json.loads(exported(capsysbinary, log_file(tmp_path), tournament="Кубок"))
    assert (whole["format"], whole["version"], whole["state"]) == ("voicetable.review", 1, "finished")
    assert whole["events"] == list(by_lot("sport", 1))
    assert whole["sheet"]["tournament"] == "Кубок"
    assert whole["sheet"]["judge"] is None
    assert whole["table"] is None


def test_a_scenario_has_its_options(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    file = tmp_path / "s.json"
    file.write_text(json.dumps(SCENARIO))
    whole = json.loads(exported(capsysbinary, str(file)))
    assert whole["ruleset"]["code"] == "quick1:seats=6,runoff"
    assert whole["state"] == "unfinished"


def test_a_stored_game_has_its_names_and_lines(database: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    whole = json.loads(exported(capsysbinary, GAME, db=database, lang="ru"))
    assert [player["name"] for player in whole["players"][:3]] == [NAMES[1], NAMES[2], "Бот 3"]
    lines = [
        item
        for circle in whole["timeline"]
        for phase in circle["phases"]
        for item in phase["happened"]
        if item["event"] == "line"
    ]
    assert [(line["seat"], line["text"]) for line in lines] == [(1, LINE)]
    assert whole["ruleset"]["code"] == "sport1"
    assert whole["table"] == {"id": GAME, "name": "Стол", "lang": "ru"}
    assert whole["state"] == "finished"


def test_a_stored_game_as_csv_and_pdf(
    database: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    table = list(csv.reader(io.StringIO(exported(capsysbinary, GAME, "csv", db=database).decode())))
    assert [row[1] for row in table[1:3]] == [NAMES[1], f"'{NAMES[2]}"]
    out = tmp_path / "sheet.pdf"
    assert exported(capsysbinary, GAME, "pdf", db=database, lang="ru", out=str(out), judge="Судья Ли") == b""
    front = PdfReader(out).pages[0].extract_text()
    assert NAMES[1] in front
    assert "Судья Ли" in front
    assert out.stat().st_mode & 0o444
    assert [file.name for file in tmp_path.iterdir()] == ["sheet.pdf"]


def test_a_database_is_only_read(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    url = write_database(tmp_path / "g.sqlite3")
    before = (tmp_path / "g.sqlite3").read_bytes()
    exported(capsysbinary, GAME, db=url)
    assert (tmp_path / "g.sqlite3").read_bytes() == before


async def test_a_game_is_exported_while_a_server_is_at_work_on_it(tmp_path: Path) -> None:
    url = write_in_thread(tmp_path / "g.sqlite3")
    store = await Store.open(url)
    rows = game_log()
    await store.write([append(GAME, rows[:50])])
    out = tmp_path / "a.json"
    assert await asyncio.to_thread(run, GAME, "json", db=url, out=str(out)) == 0
    assert json.loads(out.read_text())["state"] == "unfinished"
    await store.write([append(GAME, rows[50:])])
    assert await asyncio.to_thread(run, GAME, "json", db=url, out=str(out)) == 0
    assert json.loads(out.read_text())["state"] == "finished"
    await store.close()


def test_the_data_folder_and_the_environment_name_the_database(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = write_database(tmp_path / "voicetable.sqlite3")
    monkeypatch.delenv("VOICETABLE_DB", raising=False)
    exported(capsysbinary, GAME, data=str(tmp_path))
    monkeypatch.setenv("VOICETABLE_DATA", str(tmp_path))
    exported(capsysbinary, GAME)
    monkeypatch.setenv("VOICETABLE_DATA", "/nowhere")
    monkeypatch.setenv("VOICETABLE_DB", url)
    exported(capsysbinary, GAME)


def test_what_is_not_asked_rightly(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    game = log_file(tmp_path)
    assert "expected one of json, csv, pdf, got 'xml'" in refused(capsysbinary, game, "xml")
    assert "--lang: expected one of en, ru" in refused(capsysbinary, game, lang="de")
    assert "--out" in refused(capsysbinary, game, out=str(tmp_path / "no" / "where"))
    assert "--out" in refused(capsysbinary, game, out=str(tmp_path))
    assert "--out" in refused(capsysbinary, game, out="a\0b")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b"hello\n", "line 1: not JSON"),
        (b"\x00\x01\x02", "line 1: not"),
        (b'{"ruleset": "chess", "steps": []}', "unknown ruleset 'chess'"),
        (b'{"ruleset": "sport", "steps": [], "options": 3}', "'options' must be"),
        (b'{"a": 1}', "unknown key 'a'"),
        (b"[1, 2]", "line 1: expected an event"),
        (b'{"t": 0, "event": "day", "to": "all", "number": 1}', "event 1: 'day' before the deal"),
        (b'{"t": 0, "event": "dealt", "to": [1], "seat": 1, "card": "mafia"}\nx', "line 2: not JSON"),
    ],
)
@pytest.mark.parametrize("form", ["json", "csv", "pdf"])
def test_what_is_no_log(
    content: bytes, why: str, form: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "log"
    file.write_bytes(content)
    assert why in refused(capsysbinary, str(file), form, out=str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_no_such_game(database: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert "no game of that id" in refused(capsysbinary, "game2", db=database)
    assert "no database" in refused(capsysbinary, "game2", data=str(tmp_path))
    assert not list(tmp_path.iterdir())
    assert "no such file" in refused(capsysbinary, "../none.jsonl", db=database)
    assert "no such file" in refused(capsysbinary, "x" * 5000, db=database)
    assert "no such file" in refused(capsysbinary, "a\0b\n", db=database)
    assert "--db" in refused(capsysbinary, "game2", db="mysql://x/y")
    assert "directory" in refused(capsysbinary, str(tmp_path), db=database)
    rubbish = tmp_path / "rubbish"
    rubbish.write_bytes(b"rubbish" * 100)
    assert "is not a SQLite database" in refused(capsysbinary, "game2", db=f"sqlite:///{rubbish}")


def test_a_game_that_has_not_begun(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert "has not begun" in refused(capsysbinary, GAME, db=write_database(tmp_path / "g.sqlite3", []))


def test_a_game_that_still_runs_is_exported_as_far_as_it_is(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    url = write_database(tmp_path / "g.sqlite3", game_log()[:40])
    whole = json.loads(exported(capsysbinary, GAME, db=url))
    assert whole["state"] == "unfinished"
    exported(capsysbinary, GAME, "pdf", db=url)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("DELETE FROM log WHERE number = 9", "entry 9 is missing"),
        ("UPDATE log SET body = '{}' WHERE number = 9", "entry 9 can't be read"),
        ("UPDATE log SET t = 'x' WHERE number = 9", "entry 9 has no time"),
        ("UPDATE log SET body = replace(body, '\"seed\":3', '\"seed\":4') WHERE number = 1", "entry 1 folds to other"),
        ("UPDATE log SET body = CAST(x'ff' AS TEXT) WHERE number = 9", "can't be read"),
        ("DROP TABLE people", "can't be read: no such table"),
    ],
)
def test_a_damaged_log(change: str, why: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    file = tmp_path / "g.sqlite3"
    url = write_database(file)
    connection = sqlite3.connect(file)
    with connection:
        connection.execute(change)
    connection.close()
    assert why in refused(capsysbinary, GAME, db=url)


def test_an_older_file_is_kept_where_the_new_one_can_not_be_made(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    out = tmp_path / "out.json"
    out.write_text("old")
    broken = tmp_path / "broken"
    broken.write_text("x")
    refused(capsysbinary, str(broken), out=str(out))
    assert out.read_text() == "old"


@pytest.mark.parametrize("form", ["csv", "pdf"])
def test_a_log_that_can_not_stand_on_a_sheet(
    form: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "log"
    file.write_text("".join(json.dumps(event) + "\n" for event in by_lot("sport", 1)[:4]))
    assert "the log ends within the deal, with 4 cards" in refused(capsysbinary, str(file), form)
    whole = json.loads(exported(capsysbinary, str(file)))
    assert (whole["state"], whole["ruleset"]) == ("unfinished", None)


def test_half_a_surrogate_pair_is_written_as_json_has_it(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    events = [*by_lot("sport", 1)[:12], {"t": 1, "event": "refused", "to": [1], "seat": 1, "why": "\ud800"}]
    file = tmp_path / "log"
    file.write_text("".join(json.dumps(event) + "\n" for event in events))
    assert json.loads(exported(capsysbinary, str(file)))["events"][-1]["why"] == "\ud800"


def test_the_command_reads_standard_input_and_says_what_it_does(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "voice.cli.main", "export"]
    log = Path(log_file(tmp_path, "party")).read_bytes()
    done = subprocess.run([*program, "-", "--format", "csv"], input=log, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout.splitlines()) == 14
    told = subprocess.run([*program, "--help"], capture_output=True, check=True, text=True)
    assert all(option in told.stdout for option in ("--format", "--out", "--lang", "--tournament", "--judge"))
    bad = subprocess.run([*program, "-", "--format", "csv"], input=b"", capture_output=True, check=False)
    assert (bad.returncode, bad.stdout) == (2, b"")


def test_log_rows_of_a_whole_game_are_what_a_server_stores() -> None:
    rows = game_log()
    assert all(isinstance(row, LogRow) for row in rows)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
