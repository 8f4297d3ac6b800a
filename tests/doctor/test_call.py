"""A test call that this machine has no socket for."""

from __future__ import annotations

import errno
import os
from typing import NoReturn

import pytest

from voice.doctor import outside
from voice.doctor.call import CallError, call
from voice.doctor.finding import Finding, ok
from voice.player.door import DoorError


@pytest.fixture
def no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every open file were in use."""

    def bind(address: str, ports: object) -> NoReturn:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("voice.media.gather.bind", bind)


async def never(offer: str) -> str:
    """Nobody's answer."""
    raise AssertionError("the other end was asked")


@pytest.mark.usefixtures("no_sockets")
async def test_a_machine_without_a_socket_is_told_so() -> None:
    with pytest.raises(CallError, match="no socket for it: Too many open files"):
        await call(never)


async def test_what_a_server_refuses_is_not_taken_for_that() -> None:
    async def refuses(offer: str) -> str:
        raise DoorError("too_many", "at most 4 test calls at once: wait a moment")

    with pytest.raises(DoorError, match="at most 4"):
        await call(refuses)


@pytest.mark.usefixtures("no_sockets")
async def test_the_report_from_outside_ends_there(monkeypatch: pytest.MonkeyPatch) -> None:
    async def socket(url: str) -> Finding:
        return ok("websocket", "outside_socket", url=url)

    monkeypatch.setattr(outside, "ask", lambda url, body, token: {"version": "1"})
    monkeypatch.setattr(outside, "_socket", socket)
    found = [each async for each in outside.check_from_outside("http://127.0.0.1:1", "token")]
    assert [each.code for each in found] == ["outside_page", "outside_socket", "outside_no_call"]
    assert "Too many open files" in found[-1].said("en")
