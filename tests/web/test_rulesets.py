"""Every ruleset over the wire: what is offered, made, told to who comes, played, and stopped by a moderator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.client import CONSENT, Server

if TYPE_CHECKING:
    from typing import Any

SHORT = {
    "quick": {f"{phase}_s": 0.08 for phase in ("recognition", "discussion", "vote", "tie_speech", "shot")},
    "teaching": {
        f"{phase}_s": 0.08 for phase in ("shot", "check", "protect", "speech", "nomination", "defence", "vote")
    },
    "party": {
        f"{phase}_s": 0.08 for phase in ("shot", "check", "protect", "discussion", "nomination", "defence", "vote")
    },
}


def bearer(server: Server) -> dict[str, str]:
    return {"Authorization": f"Bearer {server.moderator}"}


async def test_what_can_be_played(server: Server) -> None:
    offered = (await server.http.get("/api/rulesets")).json()["rulesets"]
    assert [(each["name"], each["seats"], each["flags"], each["stoppable"]) for each in offered] == [
        ("sport", {"least": 10, "most": 10, "default": 10}, [], False),
        ("quick", {"least": 6, "most": 10, "default": 10}, ["runoff"], True),
        ("teaching", {"least": 6, "most": 6, "default": 6}, [], True),
        ("party", {"least": 7, "most": 13, "default": 13}, [], True),
    ]
    assert [each["code"] for each in offered] == ["sport1", "quick1", "teaching1", "party1"]


@pytest.mark.parametrize(
    ("ruleset", "options", "seats", "deck"),
    [
        ("quick", {"seats": 7, "runoff": True}, 7, {"mafia": 2, "town": 5}),
        ("teaching", {}, 6, {"mafia": 1, "detective": 1, "doctor": 1, "town": 3}),
        ("party", {"seats": 8}, 8, {"mafia": 1, "detective": 1, "doctor": 1, "town": 5}),
    ],
)
async def test_a_table_of_a_house_ruleset_from_its_making_to_its_end(
    server: Server, ruleset: str, options: dict[str, Any], seats: int, deck: dict[str, int]
) -> None:
    made = await server.table(ruleset=ruleset, options={**SHORT[ruleset], **options, "away_s": 0.05})
    invited = (await server.http.get(f"/api/invites/{made['invite']}")).json()
    assert (invited["ruleset"], invited["seats"]) == (ruleset, seats)
    assert invited["code"].startswith(f"{ruleset}1:seats={seats}" if "seats" in options else f"{ruleset}1:")
    client = await server.seat(made["token"])
    welcome = await client.of("welcome")
    assert (welcome["seats"], welcome["deck"], welcome["stoppable"]) == (seats, deck, True)
    assert welcome["code"] == invited["code"]
    assert welcome["numbers"]["seats"] == seats
    await client.send(type="start")
    seated = await client.of("seated")
    assert (seated["ruleset"], len(seated["people"])) == (ruleset, seats)
    # A mafia that does nothing could keep a game without a draw from ending: a bot takes over.
    watcher = await server.seat(server.moderator, table=made["table"])
    await watcher.of("welcome")
    await client.send(type="leave")
    over = await watcher.event("over")
    assert over["event"]["winner"] in ("town", "mafia", "draw")
    assert "points" not in over["event"]
    assert len(over["event"]["cards"]) == seats


async def test_options_that_the_ruleset_does_not_have_are_named(server: Server) -> None:
    body = {"name": "Club", "display_name": "Anna", **CONSENT}
    for ruleset, options, word in (
        ("quick", {"seats": 5}, "seats"),
        ("quick", {"runoff": 1}, "runoff"),
        ("teaching", {"runoff": True}, "runoff"),
        ("poker", {}, "sport, quick, teaching, party"),
    ):
        answer = await server.http.post("/api/tables", json={**body, "ruleset": ruleset, "options": options})
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "bad_options"
        assert word in answer.json()["error"]["message"]


async def test_a_moderator_stops_a_game_over_http(server: Server) -> None:
    made = await server.table(ruleset="party")
    stop = f"/api/moderation/tables/{made['table']}/stop"
    assert (await server.http.post(stop)).status_code == 401
    assert (await server.http.post(stop, headers=bearer(server))).json()["error"]["code"] == "not_stoppable"
    client = await server.seat(made["token"])
    await client.of("welcome")
    await client.send(type="start")
    await client.event("phase")
    (row,) = (await server.http.get("/api/moderation/tables", headers=bearer(server))).json()["tables"]
    assert (row["ruleset"], row["code"], row["stoppable"]) == ("party", "party1", True)
    answer = await server.http.post(stop, headers=bearer(server))
    assert (answer.status_code, answer.json()) == (200, {"table": made["table"], "state": "over"})
    assert (await client.event("abandoned"))["event"]["by"] is None
    assert (await server.http.post(stop, headers=bearer(server))).json()["error"]["code"] == "not_stoppable"
    nowhere = await server.http.post("/api/moderation/tables/none/stop", headers=bearer(server))
    assert (nowhere.status_code, nowhere.json()["error"]["code"]) == (404, "no_table")
