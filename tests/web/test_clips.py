"""The sound of cases: out of the memory, encrypted at rest, heard by who judges, deleted in time with the words."""

from __future__ import annotations

import io
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import av
import numpy as np
import pytest
from sqlalchemy import select, update

from tests.clips.test_ogg import encoded, sent
from tests.web.client import serving
from tests.web.test_cases import Moderator, audit, moderator
from tests.web.test_moderation import talking
from voice.media.packet import AcceptedPacket
from voice.store import schema

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.client import Client, Server


async def spoken(server: Server, text: str, seconds: float = 1.0) -> tuple[Any, Client]:
    """A table whose open seat says something with its voice, after another had spoken: the table and the page."""
    table, anna = await talking(server, [])
    running = table.running
    assert running is not None
    (seat,) = running.play.mic
    now = time.monotonic()
    other = AcceptedPacket(seat % 10 + 1, 1, 7, 7, b"\x08another", now - 0.5)
    before = sent(encoded(1.0), arrival=now - seconds - 3.0)
    said = sent(encoded(seconds), first=1000, ticks=48_000 * 60, arrival=now - seconds)
    for packet in (other, *before, *said):
        running.voices._packet(AcceptedPacket(packet.seat if packet is other else seat, 1, *_rest(packet)))
    line = {"id": "x", "seat": seat, "text": text, "words": (), "start_s": now - seconds, "end_s": now}
    table._heard(type("Line", (), {**line, "lang": "en", "others": None})())
    await anna.of("line", text=text)
    return table, anna


def _rest(packet: AcceptedPacket) -> tuple[int, int, bytes, float]:
    return packet.sequence, packet.timestamp, packet.payload, packet.arrival


async def clips(server: Server) -> list[Any]:
    return list(await server.house.store.read(select(schema.clips)))


def length_s(file: bytes) -> float:
    with av.open(io.BytesIO(file)) as container:
        sound = np.concatenate([frame.to_ndarray().reshape(-1) for frame in container.decode(audio=0)])
    assert np.abs(sound).max() > 0.05
    return len(sound) / 48_000


@pytest.mark.parametrize("text", ["rude", "odd"])
async def test_a_flagged_line_is_heard_by_who_judges_it(server: Server, text: str) -> None:
    await spoken(server, text)
    ann = await moderator(server, "Ann")
    line = await ann.next()
    assert line is not None
    assert line["clip_s"] == pytest.approx(1.0, abs=0.1)  # neither what was said before nor another's voice
    answer = await ann.get(f"/{line['id']}/clip")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "audio/ogg")
    assert answer.headers["cache-control"] == "no-store"
    assert length_s(answer.content) == pytest.approx(1.0, abs=0.1)
    assert [entry["case"] for entry in await audit(server, "listened")] == [line["id"]]


async def test_of_a_harmless_line_no_sound_is_kept(server: Server) -> None:
    await spoken(server, "fine")
    assert await clips(server) == []


async def test_a_reported_line_has_its_sound_while_it_is_remembered(server: Server) -> None:
    _, anna = await spoken(server, "fine")
    line = next(frame for frame in anna.frames if frame["type"] == "line" and frame["text"] == "fine")
    await anna.send(
        type="command", id=1, phase=0, command={"do": "report", "target": line["seat"], "line": line["line"]}
    )
    await anna.of("done", id=1)
    ann = await moderator(server, "Ann")
    case = await ann.next()
    assert case is not None
    assert (case["source"], len(case["reports"])) == ("report", 1)
    assert length_s((await ann.get(f"/{case['id']}/clip")).content) == pytest.approx(1.0, abs=0.1)


async def test_with_no_memory_there_is_no_sound(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", clip_memory_s=0) as server:
        await spoken(server, "rude")
        assert await clips(server) == []
        ann = await moderator(server, "Ann")
        case = await ann.next()
        assert case is not None
        assert case["clip_s"] is None
        answer = await ann.get(f"/{case['id']}/clip")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_clip")


async def test_on_the_disk_it_is_encrypted_and_another_key_does_not_open_it(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        await spoken(server, "rude")
        (clip,) = await clips(server)
        heard = await Moderator(server, server.moderator).get("/1/clip")
    files = [path.read_bytes() for path in (tmp_path / "data").iterdir() if "sqlite3" in path.name]
    assert not any(b"OggS" in each or heard.content[200:232] in each for each in files)
    assert any(bytes(clip["body"])[:200] in each for each in files)
    async with serving(tmp_path / "data") as server:  # a restart finds the key again
        assert (await Moderator(server, server.moderator).get("/1/clip")).content == heard.content
    (tmp_path / "data" / "clip-keys").unlink()
    async with serving(tmp_path / "data") as server:
        answer = await Moderator(server, server.moderator).get("/1/clip")
        assert (answer.status_code, answer.json()["error"]["code"]) == (410, "clip_lost")


async def test_keys_may_lie_elsewhere(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", clip_keys=tmp_path / "keys") as server:
        await spoken(server, "rude")
        assert len(await clips(server)) == 1
    assert (tmp_path / "keys").stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "data" / "clip-keys").exists()


async def test_a_clip_is_no_other_lines(server: Server) -> None:
    await spoken(server, "rude")
    await spoken(server, "odd")
    first, second = await clips(server)
    store = server.house.store
    swap = update(schema.clips).where(schema.clips.c.table == first["table"]).values(body=second["body"])
    await store.write([swap])
    answers = [await Moderator(server, server.moderator).get(f"/{case}/clip") for case in (1, 2)]
    assert sorted(answer.status_code for answer in answers) == [200, 410]


async def test_when_their_time_is_up_words_and_sound_are_deleted(server: Server, tmp_path: Path) -> None:
    await spoken(server, "rude")
    await spoken(server, "odd")
    ann = await moderator(server, "Ann")
    first = (await ann.next() or {})["id"]
    await ann.rule(first, uphold=True, reason="words of a reason")
    store, day = server.house.store, 86400.0
    await store.write([update(schema.flagged).where(schema.flagged.c.id == first).values(at=time.time() - 31 * day)])
    (path,) = (tmp_path / "data").glob("*.sqlite3")
    await server.house.tables.forget_evidence()
    one, two = sorted(await ann.queue(state="all"), key=lambda line: line["id"])
    assert (one["text"], one["reason"], one["clip_s"], one["words_gone"]) == ("", "", None, True)
    assert (one["state"], one["category"], one["why"]) == ("upheld", "insult", [{"rule": "test", "category": "insult"}])
    assert (two["text"], two["words_gone"]) == ("odd", False)
    assert two["clip_s"] is not None
    assert len(await clips(server)) == 1
    assert b"words of a reason" not in path.read_bytes()
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("select reason from rulings").fetchall() == [("",)]


async def test_a_case_that_nobody_judged_in_time_expires(server: Server) -> None:
    await spoken(server, "rude")
    store = server.house.store
    await store.write([update(schema.flagged).values(at=1.0)])
    ann = await moderator(server, "Ann")
    await ann.next()
    await server.house.tables.forget_evidence()
    (line,) = await ann.queue(state="all")
    assert (line["state"], line["claim"], line["words_gone"]) == ("expired", None, True)
    assert await ann.next() is None
    assert (await ann.post(f"/{line['id']}/claim")).json()["error"]["code"] == "decided"


async def test_the_door_says_how_long_sound_and_cases_are_kept(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", evidence_days=14, clip_memory_s=45) as server:
        told = (await server.http.get("/api/privacy")).json()
    assert told == {"transcript_days": 30, "evidence_days": 14, "sound_s": 45}


async def test_a_table_that_is_closed_forgets_its_sound(server: Server) -> None:
    table, _ = await spoken(server, "fine")
    ring = table.running.voices._ring
    assert len(ring) > 0
    table.ended.set()
    table._ring()
    await table.done()
    assert len(ring) == 0
