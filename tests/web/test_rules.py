"""The rules over HTTP: by a ruleset's name and by the code of a table's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from engine.rulebook import LANGS, rulebook
from engine.rulesets import names

if TYPE_CHECKING:
    from engine.rulebook import Lang
    from tests.web.client import Server


@pytest.mark.parametrize("lang", LANGS)
async def test_of_a_ruleset(server: Server, lang: Lang) -> None:
    for name in names():
        answer = await server.http.get(f"/api/rules/{name}", params={"lang": lang})
        assert answer.status_code == 200
        assert answer.json() == rulebook(name, None, lang).to_json()


async def test_of_a_table_by_its_code(server: Server) -> None:
    made = await server.table(ruleset="quick", options={"seats": 7, "runoff": True, "tie_speech_s": 12.5})
    code = (await server.http.get(f"/api/invites/{made['invite']}")).json()["code"]
    told = (await server.http.get(f"/api/rules/{quote(code, safe='')}", params={"lang": "ru"})).json()
    assert told["code"] == code
    speech = next(each["text"] for each in told["paragraphs"] if each["id"] == "quick.runoff.speech")
    assert "12,5 секунды" in speech


async def test_as_a_page_that_the_server_lets_the_browser_show(server: Server) -> None:
    page = await server.http.get("/rules/sport1:speech_s=45", params={"lang": "en"})
    assert page.headers["content-type"].startswith("text/html")
    assert "45 seconds each" in page.text
    assert "<style" not in page.text
    assert '<link rel="stylesheet" href="/rules/style.css">' in page.text
    style = await server.http.get("/rules/style.css")
    assert (style.status_code, style.headers["content-type"]) == (200, "text/css; charset=utf-8")
    every = await server.http.get("/rules", params={"lang": "ru"})
    assert all(f'id="{name}.vote.ballot"' in every.text for name in names())
    assert '<html lang="ru">' in every.text


@pytest.mark.parametrize("code", ["chess", "sport2", "sport1:x=1", "quick1:seats=99", "sport1:", "%00", "a" * 2000])
async def test_what_is_no_code(server: Server, code: str) -> None:
    for path in (f"/rules/{code}", f"/api/rules/{code}"):
        answer = await server.http.get(path)
        assert answer.status_code == 404, answer.text
        assert answer.json()["error"]["code"] == "not_found"


async def test_another_language(server: Server) -> None:
    answer = await server.http.get("/api/rules/sport", params={"lang": "de"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_request")
