"""A listener in a real browser, for `voicetable bench media`: what of the voice it had to make up.

A browser plays 48,000 samples a second whatever comes; those that it has nothing for are concealed (`concealedSamples`
of the W3C's WebRTC statistics). On a link that loses nothing each of them is the server's doing, or the machine's.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from voice.bench.chromium import Page, find

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PARTS: Final = ("one_speaker", "changes", "nobody")
"""What is listened to, in that order: one speaker, speakers that change twice a second, nobody."""
PAGE: Final = """(() => {
  const pc = window.pc = new RTCPeerConnection({iceServers: []});
  pc.ontrack = ({track}) => {
    const audio = window.audio = new Audio();
    audio.srcObject = new MediaStream([track]);
    audio.play();
  };
  window.gathered = () => pc.iceGatheringState === 'complete' ? 0 : new Promise(done => {
    pc.onicegatheringstatechange = () => pc.iceGatheringState === 'complete' && done();
  });
  window.offer = async () => {
    pc.addTransceiver('audio', {direction: 'recvonly'});
    await pc.setLocalDescription(await pc.createOffer());
    await gathered();
    return pc.localDescription.sdp;
  };
  window.accept = async sdp => { await pc.setRemoteDescription({type: 'answer', sdp}); };
  window.answer = async sdp => {
    await pc.setRemoteDescription({type: 'offer', sdp});
    await pc.setLocalDescription(await pc.createAnswer());
    await gathered();
    return pc.localDescription.sdp;
  };
  window.connected = async () => {
    while (pc.connectionState !== 'connected') {
      if (pc.connectionState === 'failed') throw new Error('the voice connection failed');
      await new Promise(done => setTimeout(done, 20));
    }
  };
  window.played = async () => {
    for (const each of (await pc.getStats()).values())
      if (each.type === 'inbound-rtp')
        return [each.totalSamplesReceived || 0, each.concealedSamples || 0, each.concealmentEvents || 0];
    return [0, 0, 0];
  };
})()"""


def missing() -> str | None:
    """What a browser's row lacks here; None where there is one."""
    return None if find() is not None else "no Chromium found: install one, or set VOICETABLE_CHROMIUM to its path"


class ListeningPage:
    """A page that listens at one table. Its calls raise ChromiumError."""

    def __init__(self, prefix: Sequence[str] = ()) -> None:
        program = find()
        assert program is not None
        self._looks: list[int] = []
        self._page = Page(program, prefix)
        try:
            self._page.evaluate(PAGE)
        except BaseException:
            self._page.close()
            raise

    def offer(self, answered: Callable[[str], str]) -> None:
        """Connect: the page's offer is given to `answered`."""
        answer = answered(self._page.evaluate("offer()"))
        self._page.evaluate(f"accept({json.dumps(answer)})")

    def answer(self, offer: str) -> str:
        """Connect the other way about: the page's answer to an offer."""
        return str(self._page.evaluate(f"answer({json.dumps(offer)})"))

    def connected(self) -> None:
        """Wait until it hears."""
        self._page.evaluate("connected()")

    def look(self) -> None:
        """Remember what it has played by now; nothing is waited for."""
        self._looks.append(self._page.ask("played()"))

    def made_up(self) -> list[dict[str, int]]:
        """From each look to the next: samples played, and of them those that were concealed, in how many events."""
        seen = [self._page.answer(number) for number in self._looks]
        self._looks.clear()
        names = ("samples", "concealed", "events")
        return [
            {name: after - before for name, before, after in zip(names, first, then, strict=True)}
            for first, then in pairwise(seen)
        ]

    def close(self) -> None:
        """End the browser."""
        self._page.close()
