"""The voice's ports, addresses and relay as a server is told of them, and as it tells its clients."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from tests.web.client import serving
from tests.web.processes import process
from voice.media.client import VoiceClient
from voice.media.ports import PortRange
from voice.settings import Settings
from voice.web.ice import ephemeral, ice_servers
from voice.wiring import media_settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def port() -> int:
    """A UDP port that is free."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_a_full_range_is_told_and_the_server_lives(tmp_path: Path, port: int) -> None:
    async with serving(
        tmp_path / "data", media=True, udp_ports=f"{port}-{port}", listen_address=["127.0.0.1"]
    ) as server:
        _, tokens = await server.people(2)
        clients = [await server.seat(token) for token in tokens]
        for client in clients:
            await client.of("lobby")
        await clients[0].send(type="start")
        for client in clients:
            await client.of("seated")
        voices = [VoiceClient(), VoiceClient()]
        await clients[0].send(type="offer", id=1, sdp=await voices[0].offer())
        answer = (await clients[0].of("answer", id=1))["sdp"]
        assert next(line for line in answer.splitlines() if line.startswith("a=candidate")).split()[5] == str(port)
        await voices[0].accept(answer)
        await voices[0].connected()
        await clients[1].send(type="offer", id=1, sdp=await voices[1].offer())
        error = await clients[1].of("error", id=1)
        assert error["code"] == "ports_full"
        assert f"{port}-{port}" in error["message"]
        await clients[0].until(lambda frame: frame["type"] == "link" and len(frame["seats"]) == 1)
        await asyncio.gather(*(each.close() for each in voices))


async def test_every_client_gets_a_password_of_its_own(tmp_path: Path) -> None:
    turn = {"turn": ["turn:turn.example.org:3478"], "turn_secret": "secret", "turn_ttl_s": 60}
    async with serving(tmp_path / "data", **turn) as server:
        _, tokens = await server.people(2)
        told = [(await (await server.seat(token)).of("welcome")) for token in tokens]
        users = {each["ice_servers"][0]["username"] for each in told}
        assert len(users) == 2
        for each in told:
            (one,) = each["ice_servers"]
            until, _, person = one["username"].partition(":")
            assert person == each["you"]
            assert one == {"urls": turn["turn"], **ephemeral("secret", person, int(until))}


def test_the_password_of_the_rest_scheme() -> None:
    # echo -n '1700000000:anna' | openssl dgst -sha1 -hmac secret -binary | base64
    assert ephemeral("secret", "anna", 1_700_000_000) == {
        "username": "1700000000:anna",
        "credential": "D3oPVmokbMhXuY+Q2DZ6Vd/1rZM=",
    }
    settings = Settings(turn=["turn:a.example:1", "turns:a.example:2"], turn_user="u", turn_password="p")
    assert ice_servers(settings, None, 0.0) == [{"urls": settings.turn, "username": "u", "credential": "p"}]
    assert ice_servers(Settings(), "anna", 0.0) == []


def test_settings_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "UDP_PORTS": "40000-40100",
        "LISTEN_ADDRESS": "127.0.0.1, ::1",
        "PUBLIC_ADDRESS": "203.0.113.5",
        "TURN": "turn:a.example:3478?transport=udp,turns:a.example:5349?transport=tcp",
        "TURN_SECRET": "s",
    }.items():
        monkeypatch.setenv(f"VOICETABLE_{name}", value)
    settings = Settings()
    media = media_settings(settings)
    assert media.ports == PortRange(40000, 40100)
    assert media.addresses == ("127.0.0.1", "::1")
    assert media.loopback is False
    assert media.public_addresses == ("203.0.113.5",)
    assert len(settings.turn) == 2


def test_without_any_of_it() -> None:
    media = media_settings(Settings())
    assert media.ports is None
    assert media.addresses is None
    assert media.loopback is True
    assert media.public_addresses == ()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"udp_ports": "80-90"}, "1024"),
        ({"udp_ports": "many"}, "20000-20200"),
        ({"listen_address": ["localhost"]}, "IP address of this machine"),
        ({"listen_address": ["0.0.0.0"]}, "all addresses"),  # noqa: S104 - refused
        ({"public_address": ["no.such.invalid"]}, "no.such.invalid"),
        ({"turn": ["turn:a.example"]}, "--turn needs"),
        ({"turn": ["https://a.example"], "turn_secret": "s"}, "turn:turn.example.org"),
        ({"turn": ["turn:a.example"], "turn_secret": "s", "turn_user": "u", "turn_password": "p"}, "got both"),
        ({"turn": ["turn:a.example"], "turn_user": "u"}, "go together"),
        ({"turn_secret": "s"}, "without its address"),
    ],
)
def test_what_a_server_is_not_to_be_told(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match="Value error") as refused:
        Settings(**given)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--listen-address", "203.0.113.77"), "--listen-address: 203.0.113.77"),
        (("--udp-ports", "1-2"), "serve: --udp-ports: expected ports from 1024"),
    ],
)
async def test_serve_ends_with_one_clear_line(tmp_path: Path, more: tuple[str, ...], said: str) -> None:
    async with process(tmp_path / "data", *more) as server:
        assert await server.ends() == 2
        assert said in server.said
        assert len(server.said.splitlines()) == 1
