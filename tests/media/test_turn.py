"""Players behind a firewall: everything through a real coturn, with passwords that expire."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser_here import HOW_TO_GET_ONE as BROWSER_ABSENT
from tests.browser_here import find_browser
from tests.coturn_here import HOW_TO_GET_ONE, SECRET, coturn, find_coturn
from voice.media.client import VoiceClient
from voice.media.errors import MediaError
from voice.media.settings import MediaSettings, TurnServer
from voice.settings import Settings
from voice.web.ice import ephemeral, ice_servers

from .conftest import Voices, energy, opus_tone, speak, tone, until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(find_coturn() is None, reason=HOW_TO_GET_ONE)


def relayed(url: str, credentials: dict[str, str]) -> MediaSettings:
    """A client's end that can use nothing but the relay."""
    server = TurnServer((url,), credentials["username"], credentials["credential"])
    return MediaSettings(relay_only=True, turn=(server,), packets_per_s=1e6, packets_burst=1e6, bytes_burst=1e9)


def told(url: str, **settings: Any) -> dict[str, str]:
    """The credentials that a server with these settings tells a person."""
    (server,) = ice_servers(Settings(turn=[url], turn_secret=SECRET, **settings), "Zq-7_bA9xY3k", time.time())
    return {"username": server["username"], "credential": server["credential"]}


async def sit(voices: Voices, seat: int, settings: MediaSettings) -> VoiceClient:
    client = VoiceClient(settings=settings)
    voices.others.append(client)
    offer = await client.offer()
    assert " typ host" not in offer
    await client.accept(await voices.room.connect(seat, offer))
    await client.connected()
    voices.clients[seat] = client
    return client


async def test_a_client_behind_a_relay_hears_and_is_heard(voices: Voices, tmp_path: Path) -> None:
    async with coturn(tmp_path) as url:
        speaker = await sit(voices, 1, relayed(url, told(url)))
        await voices.join(2)
        for seat, client, listener in ((1, speaker, 2), (2, voices.clients[2], 1)):
            voices.room.mic([seat])
            voices.forget()
            await speak(client, opus_tone(440, 20), step_s=0.005)
            await until(lambda listener=listener: len(voices.heard(listener)) >= 19)  # type: ignore[misc]
            assert energy(voices.clients[listener].heard(), 440) > 0.05
        relay = speaker.link._ice._nominated[1].local_candidate.type
        assert relay == "relay"
        await speaker.close()


async def test_a_user_with_a_password_that_stays(voices: Voices, tmp_path: Path) -> None:
    async with coturn(tmp_path, "--lt-cred-mech", "--user=club:apassword") as url:
        settings = Settings(turn=[url], turn_user="club", turn_password="apassword")
        (server,) = ice_servers(settings, "Zq-7_bA9xY3k", time.time())
        client = await sit(voices, 1, relayed(url, server))
        await client.close()


@pytest.mark.parametrize(
    "credentials",
    [
        ephemeral(SECRET, "late", int(time.time()) - 60),
        ephemeral("another secret", "thief", int(time.time()) + 3600),
        {
            "username": f"{int(time.time()) + 9e9:.0f}:longer",
            "credential": ephemeral(SECRET, "longer", 1)["credential"],
        },
    ],
    ids=["expired", "another's secret", "a longer life than signed"],
)
async def test_a_password_that_holds_no_more_is_refused(
    voices: Voices, tmp_path: Path, credentials: dict[str, str]
) -> None:
    async with coturn(tmp_path) as url:
        client = VoiceClient(settings=relayed(url, credentials))
        voices.others.append(client)
        assert "typ relay" not in await client.offer()
        good = VoiceClient(settings=relayed(url, told(url)))
        voices.others.append(good)
        assert "typ relay" in await good.offer()
        await good.close()


async def test_a_relay_lives_longer_than_its_allocation(
    voices: Voices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relay lives by what is renewed: allocation, permission and channel, all within seconds here.

    The password expires meanwhile too, and the call outlives it: coturn looks at its end when a relay is made.
    """
    from aioice import turn

    # What aioice asks for and renews, shortened like coturn's own limits.
    make = turn.create_turn_endpoint

    async def short(*args: Any, **kwargs: Any) -> Any:
        return await make(*args, **{**kwargs, "lifetime": 2, "channel_refresh_time": 1})

    monkeypatch.setattr(turn, "create_turn_endpoint", short)
    limits = ("--max-allocate-lifetime=2", "--channel-lifetime=2", "--permission-lifetime=2", "--stale-nonce=3")
    secret = ("--use-auth-secret", f"--static-auth-secret={SECRET}")
    async with coturn(tmp_path, *secret, *limits) as url:
        speaker = await sit(voices, 1, relayed(url, ephemeral(SECRET, "short", int(time.time()) + 4)))
        await voices.join(2)
        voices.room.mic([1])
        begun, sent = time.monotonic(), 0
        payload = opus_tone(440, 5)
        while time.monotonic() - begun < 8:  # four lives of everything
            await speak(speaker, payload, step_s=0.02)
            sent += len(payload)
        await until(lambda: len(voices.heard(2)) >= 0.9 * sent)
        assert not speaker.link.down
        log = (tmp_path / "coturn.log").read_text()
        assert log.count("CHANNEL_BIND processed, success") >= 4, log
        assert "REFRESH processed, success" in log, (
            "coturn grants an allocation 600 s at least, and it was renewed early"
        )
        assert "Stale nonce" in log
        await speaker.close()


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason=BROWSER_ABSENT)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_chromium_behind_a_relay(voices: Voices, tmp_path: Path) -> None:
    """Two pages that may use the relay alone: `iceTransportPolicy` is what a strict firewall leaves them."""
    import wave

    from playwright.async_api import async_playwright

    microphone = tmp_path / "microphone.wav"
    with wave.open(str(microphone), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(tone(440, 60, 48_000))
    async with coturn(tmp_path) as url, async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser(),
            args=[
                *("--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"),
                f"--use-file-for-fake-audio-capture={microphone}",
                *("--autoplay-policy=no-user-gesture-required", "--allow-loopback-in-peer-connection"),
            ],
        )
        page = await browser.new_page()
        await page.route("http://127.0.0.1:9/**", lambda r: r.fulfill(content_type="text/html", body="<p>"))
        await page.goto("http://127.0.0.1:9/")
        await page.expose_function("answer", lambda offer: voices.room.connect(1, offer))
        server = {"urls": [url], **told(url)}
        await page.evaluate(
            """async server => {
              const pc = window.pc = new RTCPeerConnection({iceServers: [server], iceTransportPolicy: 'relay'});
              const stream = await navigator.mediaDevices.getUserMedia({audio: true});
              pc.addTrack(stream.getAudioTracks()[0], stream);
              await pc.setLocalDescription(await pc.createOffer());
              if (pc.iceGatheringState !== 'complete')
                await new Promise(done => pc.onicegatheringstatechange = () =>
                  pc.iceGatheringState === 'complete' && done());
              await pc.setRemoteDescription({type: 'answer', sdp: await answer(pc.localDescription.sdp)});
              while (pc.connectionState !== 'connected') {
                if (pc.connectionState === 'failed') throw new Error('failed: ' + pc.localDescription.sdp);
                await new Promise(done => setTimeout(done, 20));
              }
            }""",
            server,
        )
        await voices.join(2)
        voices.room.mic([1])
        await until(lambda: len(voices.heard(2)) >= 50)
        voices.room.mic([2])
        before = await page.evaluate(RECEIVED)
        await speak(voices.clients[2], opus_tone(440, 50), step_s=0.01)
        async with asyncio.timeout(10):
            while await page.evaluate(RECEIVED) < before + 45:  # noqa: ASYNC110 - it has no event
                await asyncio.sleep(0.1)
        kinds = await page.evaluate(
            """async () => {
              const all = [...(await pc.getStats()).values()];
              const pair = all.find(each => each.type === 'candidate-pair' && each.nominated);
              return all.find(each => each.id === pair.localCandidateId).candidateType;
            }"""
        )
        assert kinds == "relay"
        await browser.close()


RECEIVED = """async () =>
  [...(await pc.getStats()).values()].find(each => each.type === 'inbound-rtp')?.packetsReceived ?? 0"""


async def test_without_a_relay_there_is_a_clear_end(voices: Voices) -> None:
    """A client that may use a relay alone and has none connects to nobody, and is told within its time."""
    client = VoiceClient(settings=MediaSettings(relay_only=True, connect_timeout_s=1.0))
    voices.others.append(client)
    await client.accept(await voices.room.connect(1, await client.offer()))
    with pytest.raises(MediaError) as failed:
        await client.connected()
    assert failed.value.code == "closed"
