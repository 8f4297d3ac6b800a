"""Tables, invitations and errors over HTTP."""

from __future__ import annotations

import stat
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.client import CONSENT, Server, serving
from voice.web import pages

if TYPE_CHECKING:
    from pathlib import Path


async def test_make_look_and_join(server: Server) -> None:
    made = await server.table("Anna", lang="ru")
    assert set(made) == {"table", "token", "invite"}
    await server.join(made["invite"], "  Борис ")
    look = await server.http.get(f"/api/invites/{made['invite']}")
    assert look.json() == {
        "table": made["table"],
        "name": "Club",
        "lang": "ru",
        "ruleset": "sport",
        "code": "sport1",
        "state": "waiting",
        "people": ["Anna", "Борис"],
        "seats": 10,
    }


async def test_health(server: Server) -> None:
    answer = await server.http.get("/api/health")
    assert answer.json()["ok"] is True


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"consent": False}, "consent_needed"),
        ({"consent": None}, "consent_needed"),
        ({"consent": "yes"}, "consent_needed"),
        ({"display_name": ""}, "bad_request"),
        ({"display_name": "   "}, "bad_request"),
        ({"display_name": "x" * 25}, "bad_request"),
        ({"display_name": "a\nb"}, "bad_request"),
        ({"display_name": "a\u202eb"}, "bad_request"),
        ({"display_name": "a\u200bb"}, "bad_request"),
        ({"display_name": "a\u2028b"}, "bad_request"),
        ({"display_name": "\u3164"}, "bad_request"),
        ({"display_name": "\u2800 \u2800"}, "bad_request"),
        ({"display_name": "a\u034fb"}, "bad_request"),
        ({"display_name": "\u0301"}, "bad_request"),
        ({"display_name": "Z" + "\u0335" * 4}, "bad_request"),
        ({"name": "\u2029"}, "bad_request"),
        ({"display_name": 5}, "bad_request"),
        ({"lang": "xx"}, "bad_request"),
        ({"name": ""}, "bad_request"),
        ({"ruleset": "poker"}, "bad_options"),
        ({"options": {"speech_s": "x"}}, "bad_options"),
        ({"options": {"speech_s": 0}}, "bad_request"),
        ({"options": {"speech_s": 1e9}}, "bad_request"),
        ({"options": {"nonsense": 1}}, "bad_options"),
        ({"options": {"points_win": 10**400}}, "bad_options"),
        ({"options": {"\u202e": 1}}, "bad_options"),
        ({"options": []}, "bad_request"),
        ({"extra": 1}, "bad_request"),
    ],
)
async def test_what_is_wrong_with_a_new_table_is_said(server: Server, change: dict[str, Any], code: str) -> None:
    body = {"name": "Club", "display_name": "Anna", **CONSENT, **change}
    answer = await server.http.post(
        "/api/tables", json={key: value for key, value in body.items() if value is not None}
    )
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["code"] == code
    assert error["message"]
    assert "\n" not in error["message"]


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"",
        b"null",
        b"[]",
        b"\xff\xfe",
        b'{"name":' + b"[" * 30_000,
        b'{"name":"C","display_name":"A","consent":true,"options":{"points_win":' + b"9" * 6000 + b"}}",
        b'{"name":"C","display_name":"A","consent":true,"options":{"points_win":NaN}}',
        b'{"name":"C","display_name":"A","consent":true,"options":{"points_win":1e999}}',
        b'{"name":"C","display_name":"A","consent":true,"options":{"a\\ud800":1}}',
        b'{"name":"C","display_name":"\\ud800","consent":true}',
    ],
)
async def test_a_body_that_is_no_json_of_ours_is_refused(server: Server, content: bytes) -> None:
    answer = await server.http.post("/api/tables", content=content, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["code"] in ("bad_request", "bad_options")
    assert (await server.http.get("/api/health")).status_code == 200


async def test_a_body_that_is_too_large_is_refused(server: Server) -> None:
    answer = await server.http.post("/api/tables", content=b"x" * 70_000)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


async def test_a_long_body_without_a_length_is_cut_off(server: Server) -> None:
    async def endless() -> Any:
        for _ in range(100):
            yield b" " * 4096

    answer = await server.http.post("/api/tables", content=endless(), headers={"content-type": "application/json"})
    assert answer.status_code >= 400
    assert (await server.http.get("/api/health")).status_code == 200


@pytest.mark.parametrize("name", ["ANNA", " anna ", "\uff21nna", "Anna\ufe0f"])
async def test_a_name_is_one_persons(server: Server, name: str) -> None:
    made = await server.table("Anna")
    answer = await server.http.post(f"/api/invites/{made['invite']}/join", json={"display_name": name, **CONSENT})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "name_taken")


@pytest.mark.parametrize("name", ["Борис", "אבג", "नमस्ते", "สวัสดี", "Zoë", "ｱﾝﾅ", "李", "🦊", "#1"])
async def test_people_have_the_names_of_their_languages(server: Server, name: str) -> None:
    made = await server.table(name)
    look = await server.http.get(f"/api/invites/{made['invite']}")
    assert look.json()["people"] == [name]


async def test_an_invitation_of_another_server_opens_nothing(tmp_path: Path, server: Server) -> None:
    async with serving(tmp_path / "other") as other:
        made = await other.table()
        answer = await server.http.get(f"/api/invites/{made['invite']}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "invite_unknown")
        guest = await server.seat(made["token"])
        assert (await guest.end())[0] == 4401


async def test_a_fault_in_one_request_is_told_in_the_same_form_and_its_words_stay_out_of_the_log(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(_invite: str) -> str:
        raise RuntimeError("Anna said secret words")

    made = await server.table()
    monkeypatch.setattr(server.house.keys, "invited", fail)
    answer = await server.http.get(f"/api/invites/{made['invite']}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "fault")
    seen = caplog.text + "".join(capfd.readouterr())
    assert "a request failed" in seen
    assert "secret" not in seen


async def test_a_table_has_so_many_seats_and_no_more(server: Server) -> None:
    made = await server.table("Anna")
    for i in range(9):
        await server.join(made["invite"], f"Guest {i}")
    answer = await server.http.post(f"/api/invites/{made['invite']}/join", json={"display_name": "X", **CONSENT})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "table_full")


async def test_nobody_joins_a_game_that_has_begun(server: Server) -> None:
    made = await server.table("Anna")
    anna = await server.seat(made["token"])
    await anna.of("lobby")
    await anna.send(type="start")
    await anna.of("seated")
    answer = await server.http.post(f"/api/invites/{made['invite']}/join", json={"display_name": "X", **CONSENT})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "table_started")
    look = await server.http.get(f"/api/invites/{made['invite']}")
    assert look.json()["state"] == "running"


async def test_invitations_are_signed_and_expire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(tmp_path, invite_s=60) as server:
        made = await server.table()
        forged = made["invite"][:-2] + ("aa" if made["invite"][-2:] != "aa" else "bb")
        for invite in (forged, "x", made["table"], "..", "%00"):
            answer = await server.http.get(f"/api/invites/{invite}")
            assert answer.status_code == 404
        later = time.time() + 61
        monkeypatch.setattr("time.time", lambda: later)
        answer = await server.http.get(f"/api/invites/{made['invite']}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (410, "invite_expired")


async def test_other_pages_may_not_ask_for_anything(server: Server) -> None:
    body = {"name": "Club", "display_name": "Anna", **CONSENT}
    for origin in ("https://evil.example", "null", "http://localhost:1", "file://"):
        answer = await server.http.post("/api/tables", json=body, headers={"origin": origin})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "bad_origin")
    answer = await server.http.post("/api/tables", json=body, headers={"origin": server.address})
    assert answer.status_code == 201


async def test_the_page_is_there_for_who_asks_only_whether_it_is(server: Server) -> None:
    """Watchers of a host's servers ask so (RFC 9110, 9.3.2)."""
    asked, page = await server.http.head("/"), await server.http.get("/")
    assert asked.status_code == page.status_code
    assert asked.headers["content-type"] == page.headers["content-type"]
    assert asked.content == b""


async def test_the_page_runs_nothing_of_others(server: Server) -> None:
    for path in ("/", "/api/health", "/nowhere"):
        headers = (await server.http.get(path)).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    assert (await server.http.get("/api/health")).headers["cache-control"] == "no-store"


async def test_too_many_requests_are_refused_with_when_to_come_back(server: Server) -> None:
    body = {"name": "Club", "display_name": "Anna", **CONSENT}
    answers = [await server.http.post("/api/tables", json=body) for _ in range(31)]
    assert [answer.status_code for answer in answers[:30]] == [201] * 30
    assert answers[30].status_code == 429
    assert answers[30].headers["retry-after"] == "60"


async def test_unknown_paths_are_errors_of_the_same_form(server: Server) -> None:
    answer = await server.http.get("/api/nothing")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    answer = await server.http.put("/api/tables")
    assert answer.status_code == 405


async def test_secrets_are_for_their_owner_alone(server: Server) -> None:
    names = ("secret", "moderator-token", "voicetable.sqlite3", "voicetable.sqlite3-wal", "voicetable.sqlite3-shm")
    for name in names:
        assert stat.S_IMODE((server.settings.data / name).stat().st_mode) == 0o600


async def test_tokens_are_not_in_the_database(server: Server) -> None:
    made = await server.table()
    stored = b"".join(path.read_bytes() for path in server.settings.data.glob("voicetable.sqlite3*"))
    assert made["table"].encode() in stored
    assert made["token"].encode() not in stored


async def test_the_app_is_served_or_how_to_build_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "static"
    monkeypatch.setattr(pages.install, "__defaults__", (static,))
    async with serving(tmp_path / "data") as server:
        answer = await server.http.get("/")
        assert answer.status_code == 503
        assert "npm run build" in answer.text
        assert (await server.http.get("/assets/app.js")).status_code == 404
        static.mkdir()
        (static / "index.html").write_text("the app")
        (static / "assets").mkdir()
        (static / "assets" / "app.js").write_text("run")
        assert (await server.http.get("/")).text == "the app"
        answer = await server.http.get("/assets/app.js")
        assert answer.text == "run"
        assert "immutable" in answer.headers["cache-control"]
        for path in ("/../data/secret", "/%2e%2e/data/secret", "/..%2fdata/secret"):
            assert (await server.http.get(path)).status_code == 404
