"""The self-test of the adapter, the fallback, and both event loops."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest
import uvloop

from voice.media import fallback, peer, selftest
from voice.media.client import OpusDecoder, OpusEncoder, VoiceClient
from voice.media.errors import MediaError
from voice.media.room import MediaRoom
from voice.media.settings import MediaSettings

from .conftest import CLIENT, LOCAL, energy, opus_tone, settle, speak, tone, until

if TYPE_CHECKING:
    from voice.media.link import LinkFactory


async def test_the_installed_libraries_are_those_the_adapter_knows() -> None:
    await selftest.check()


async def test_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(peer.PINS, "aiortc", "9.9.9")
    with pytest.raises(MediaError, match=r"knows aiortc 9\.9\.9, and 1\.16\.0 is installed") as refused:
        await selftest.check()
    assert refused.value.code == "unsupported"


class Renamed(peer.PeerLink):
    """An aiortc in which a private part has another name."""

    def _listen(self) -> None:
        self._ice._sockets  # type: ignore[attr-defined]  # noqa: B018 - what it does not have


class Threaded(peer.PeerLink):
    """An aiortc that starts its decoder in spite of the adapter."""

    def _prepare(self) -> Any:
        self.stop = threading.Event()
        threading.Thread(target=self.stop.wait).start()
        return super()._prepare()

    async def close(self) -> None:
        self.stop.set()
        await super().close()


class Deaf(peer.PeerLink):
    """An aiortc whose packets do not come through the hook."""

    def _listen(self) -> None:
        pass


@pytest.mark.parametrize(
    ("link", "why"),
    [(Renamed, "AttributeError"), (Threaded, "decoder thread"), (Deaf, "0 came")],
)
async def test_a_changed_library_is_noticed(link: type[peer.PeerLink], why: str) -> None:
    with pytest.raises(MediaError, match=why):
        await selftest.check(link)


async def call(links: LinkFactory | None, settings: MediaSettings = LOCAL) -> None:
    """Three real peers at a room: speech, a closed gate, an end."""
    tapped: list[Any] = []
    room = MediaRoom("t", tapped.append, lambda s: None, settings, links)
    clients = {seat: VoiceClient(settings=CLIENT if settings is LOCAL else MediaSettings()) for seat in (1, 2, 3)}
    try:
        for seat, client in clients.items():
            await client.accept(await room.connect(seat, await client.offer()))
        await asyncio.gather(*(client.connected() for client in clients.values()))
        await until(lambda: room.stats()["alive"] == [1, 2, 3])
        payloads = opus_tone(440, 20)
        room.mic([1])
        await settle()  # with the fallback an opening begins when all that came before it is handled
        await speak(clients[1], payloads)
        await until(lambda: len([p for p in clients[3].received if len(p.payload) > 3]) == 19)
        room.mic([])
        await speak(clients[1], payloads)
        await speak(clients[2], payloads)
        await settle()
        for seat in (2, 3):
            assert [p.payload for p in clients[seat].received if len(p.payload) > 3] == payloads[1:]
        assert [p.payload for p in tapped] == payloads[1:]
    finally:
        await asyncio.gather(room.close(), *(client.close() for client in clients.values()))


def test_the_adapter_works_on_uvloop() -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(selftest.check())
        runner.run(call(peer.PeerLink))


async def test_the_fallback_carries_a_table_too() -> None:
    await call(fallback.FallbackLink, MediaSettings())


async def test_a_failed_selftest_is_loud_and_chooses_the_fallback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(selftest, "_chosen", None)
    monkeypatch.setitem(peer.PINS, "aioice", "0.0.1")
    assert await selftest.link_factory() is fallback.FallbackLink
    assert "selftest_failed" in "".join(capsys.readouterr())
    monkeypatch.undo()
    monkeypatch.setattr(selftest, "_chosen", None)
    assert await selftest.link_factory() is peer.PeerLink


async def test_a_fallback_without_its_hook_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("aiortc.RTCRtpReceiver._handle_rtp_packet")
    room = MediaRoom("t", lambda p: None, lambda s: None, LOCAL, fallback.FallbackLink)
    client = VoiceClient(settings=CLIENT)
    with pytest.raises(MediaError) as refused:
        await room.connect(1, await client.offer())
    assert refused.value.code == "unsupported"
    await asyncio.gather(room.close(), client.close())


@pytest.mark.parametrize("rate_hz", [16_000, 48_000])
def test_what_a_client_encodes_is_that_tone(rate_hz: int) -> None:
    encoder, decoder = OpusEncoder(rate_hz), OpusDecoder()
    pcm, step = tone(440, 0.5, rate_hz), rate_hz // 50 * 2
    heard = b"".join(decoder.decode(encoder.encode(pcm[at : at + step])) for at in range(0, len(pcm), step))
    assert energy(heard, 440) > 0.15
    assert energy(heard, 880) < 0.02


def test_a_rate_opus_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="44100"):
        OpusEncoder(44_100)


async def test_nobody_outside_is_asked_for_addresses() -> None:
    """No STUN server by default: aiortc's own default is Google's."""
    link = peer.PeerLink(LOCAL, lambda *a: None, lambda: None)
    assert link._ice.stun_server is None
    assert link._ice.turn_server is None
    offer = await link.offer(speak=True)
    assert "typ srflx" not in offer
    assert "127.0.0.1" in offer
    await link.close()
