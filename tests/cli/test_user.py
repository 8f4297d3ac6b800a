"""`voicetable user`: accounts made, listed, renewed and disabled."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from voice.accounts import by_token
from voice.cli.user import run_add, run_disable, run_list, run_token
from voice.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def known(data: Path, token: str) -> Any:
    async def look() -> Any:
        store = await Store.open(f"sqlite:///{data}/voicetable.sqlite3")
        try:
            return await by_token(store, token)
        finally:
            await store.close()

    return asyncio.run(look())


def test_an_account_from_its_making_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    assert run_add("Ann", "moderator", None, str(data)) == 0
    said = capsys.readouterr()
    token = said.out.strip()
    assert token not in said.err
    account = known(data, token)
    assert (account.name, account.role, account.moderates, account.hosts) == ("Ann", "moderator", True, False)
    assert run_add("Борис", "admin", None, str(data)) == 0
    assert run_add("Pat", "player", None, str(data)) == 0
    capsys.readouterr()
    assert run_disable("ann", None, str(data)) == 0
    assert known(data, token) is None
    capsys.readouterr()
    assert run_list(None, str(data)) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [(name, role, state) for name, role, _, state in rows] == [
        ("Ann", "moderator", "disabled"),
        ("Борис", "admin", "active"),
        ("Pat", "player", "active"),
    ]
    assert run_token("ANN", None, str(data)) == 0
    again = capsys.readouterr().out.strip()
    assert again != token
    assert known(data, token) is None
    assert known(data, again).name == "Ann"


def test_what_can_not_be_done_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = str(tmp_path)
    assert run_add("Ann", "moderator", None, data) == 0
    capsys.readouterr()
    for status, call in (
        (2, lambda: run_add("Bob", "judge", None, data)),
        (2, lambda: run_add(" ann ", "admin", None, data)),
        (2, lambda: run_add("host", "admin", None, data)),
        (2, lambda: run_add("", "player", None, data)),
        (2, lambda: run_add("x" * 25, "player", None, data)),
        (2, lambda: run_add("a\nb", "player", None, data)),
        (2, lambda: run_disable("Bob", None, data)),
        (2, lambda: run_token("Bob", None, data)),
        (2, lambda: run_list("postgres://x", data)),
        (2, lambda: run_list(None, str(tmp_path / "voicetable.sqlite3"))),
    ):
        assert call() == status
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("user: ")
        assert said.err.count("\n") == 1
