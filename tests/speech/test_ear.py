"""Real Opus in one open microphone: in order, lost, reordered, doubled, silent, and not Opus at all."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.speech.sound import Clip, encode_opus
from voice.media.client import OpusEncoder
from voice.mic.player import EXPECTED_LOSS_PERCENT
from voice.speech import ear as ear_module
from voice.speech.ear import Ear, Heard
from voice.speech.endpointer import EndpointRules, Stage
from voice.speech.jitter import Arrived
from voice.speech.opus import LibOpusDecoder, OpusError, PyAvDecoder, libopus, open_decoder

if TYPE_CHECKING:
    from models.vad import Samples

SILENCE = np.zeros(16_000, np.float32)


def arrivals(payloads: list[bytes], begin_s: float = 100.0) -> list[Arrived]:
    return [
        Arrived((65_500 + n) % 65_536, (2**32 - 9_600 + 960 * n) % 2**32, payload, begin_s + 0.02 * (n + 1))
        for n, payload in enumerate(payloads)
    ]


def hear(packets: list[Arrived], ear: Ear | None = None) -> tuple[list[Heard], Ear]:
    ear = ear or Ear(EndpointRules())
    heard = [found for packet in packets for found in ear.push(packet)]
    heard += ear.close()
    return [found for found in heard if found.cut.stage is Stage.FINAL], ear


@pytest.fixture(scope="module")
def said(clips: dict[str, Clip]) -> list[bytes]:
    """A clip of some two seconds and a second of silence after it, as packets."""
    return encode_opus(np.concatenate([clips["table_en_000"].pcm, SILENCE]), fec=True)


def test_one_clip_is_one_utterance_at_its_time(said: list[bytes]) -> None:
    heard, ear = hear(arrivals(said))
    (utterance,) = heard
    assert 100.0 <= utterance.start_s <= 100.4
    assert 101.7 <= utterance.end_s <= 102.3
    assert utterance.speech_s > 1.2
    assert ear.counts.samples_decoded == 320 * len(said)
    assert ear.counts.undecodable == 0
    assert ear.jitter.counts.lost == 0


def test_both_decoders_give_the_same_sound(said: list[bytes]) -> None:
    library = libopus()
    assert library is not None, "the PyAV wheel has libopus in it"
    ours, theirs = LibOpusDecoder(library), PyAvDecoder()
    a = np.concatenate([ours.decode(payload) for payload in said])
    b = np.concatenate([theirs.decode(payload) for payload in said])
    assert abs(len(a) - len(b)) < 1_600
    level_a, level_b = (float(np.sqrt(np.mean(x**2))) for x in (a, b))
    assert level_a == pytest.approx(level_b, rel=0.1)


def test_the_fallback_hears_the_utterance_too(said: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ear_module, "open_decoder", PyAvDecoder)
    packets = arrivals(said)
    del packets[40]
    heard, ear = hear(packets)
    assert len(heard) == 1
    assert ear.jitter.counts.lost == 1


def test_reordered_and_doubled_packets_change_nothing(said: list[bytes]) -> None:
    plain, _ = hear(arrivals(said))
    packets = arrivals(said)
    for n in range(5, len(packets) - 5, 9):
        packets[n], packets[n + 1] = packets[n + 1], packets[n]
    packets = [packet for n, packet in enumerate(packets) for _ in range(2 if n % 7 == 0 else 1)]
    shuffled, ear = hear(packets)
    assert len(shuffled) == 1
    assert np.array_equal(plain[0].cut.audio, shuffled[0].cut.audio)
    assert ear.jitter.counts.reordered > 0
    assert ear.jitter.counts.late + ear.jitter.counts.duplicate > 0


@pytest.mark.parametrize("loss", [0.05, 0.2])
def test_lost_packets_are_concealed_in_place(said: list[bytes], loss: float) -> None:
    rng = random.Random(1)
    packets = [packet for packet in arrivals(said) if rng.random() >= loss]
    heard, ear = hear(packets)
    assert len(heard) == 1
    assert ear.jitter.counts.lost > 0
    assert ear.counts.samples_concealed > 0
    whole, _ = hear(arrivals(said))
    assert abs(len(heard[0].cut.audio) - len(whole[0].cut.audio)) <= 8 * 512


@pytest.mark.parametrize("coder", ["the test's", "the terminal's"])
def test_one_lost_packet_comes_back_from_the_next_one(clips: dict[str, Clip], coder: str) -> None:
    """What a packet carries of the one before it (RFC 6716, 2.1.7) is nearer to that than what would be made up."""
    library = libopus()
    assert library is not None
    pcm = clips["table_en_000"].pcm
    if coder == "the test's":
        packets = encode_opus(pcm, fec=True)
    else:
        encoder = OpusEncoder(16_000, loss_percent=EXPECTED_LOSS_PERCENT)
        whole = (np.pad(pcm, (0, -len(pcm) % 320)) * 32767).astype("<i2").tobytes()
        packets = [packet for at in range(0, len(whole), 640) if (packet := encoder.encode(whole[at : at + 640]))]
    wrong = {"recovered": 0.0, "concealed": 0.0}
    for lost in range(5, len(packets) - 1):
        whole_stream, one_recovers, one_conceals = (LibOpusDecoder(library) for _ in range(3))
        for packet in packets[:lost]:
            for each in (whole_stream, one_recovers, one_conceals):
                each.decode(packet)
        said = whole_stream.decode(packets[lost])
        wrong["recovered"] += float(np.sum((one_recovers.recover(packets[lost + 1], 320) - said) ** 2))
        wrong["concealed"] += float(np.sum((one_conceals.conceal(320) - said) ** 2))
    assert wrong["recovered"] < 0.5 * wrong["concealed"]
    # And the ear asks for it.
    arrived = arrivals(packets)
    heard, ear = hear([packet for number, packet in enumerate(arrived) if number % 4 != 2])
    assert ear.counts.recovered == ear.jitter.counts.lost > 10
    assert len(heard) == 1


def test_the_ear_recovers_rather_than_makes_up(said: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []
    recover = LibOpusDecoder.recover

    def noted(self: LibOpusDecoder, payload: bytes, samples: int) -> Samples:
        asked.append(payload)
        return recover(self, payload, samples)

    monkeypatch.setattr(LibOpusDecoder, "recover", noted)
    packets = arrivals(said)
    hear([*packets[:20], *packets[21:40], *packets[43:]])
    assert asked == [said[21], said[43]], "each time from the first packet that came after the loss"


@pytest.mark.parametrize("garbage", [b"", b"\xff" * 3, bytes(1_400), b"\x03\xff\xff\xff", b"\x00" * 4_000])
def test_garbage_is_counted_and_survived(said: list[bytes], garbage: bytes) -> None:
    payloads = list(said)
    payloads[10:10] = [garbage] * 3
    payloads[60] = garbage
    heard, ear = hear(arrivals(payloads))
    assert len(heard) == 1
    assert ear.counts.packets == len(payloads)


def test_random_bytes_never_break_the_decoder() -> None:
    rng = random.Random(2)
    decoder = open_decoder()
    refused = 0
    for _ in range(3_000):
        try:
            pcm = decoder.decode(rng.randbytes(rng.randint(0, 200)))
            assert len(pcm) <= 1_920
            assert np.isfinite(pcm).all()
        except OpusError:
            refused += 1
    assert refused > 0


def test_a_pause_in_the_packets_is_silence_and_ends_the_utterance_by_the_clock(said: list[bytes]) -> None:
    """Discontinuous transmission: after the speech nothing comes at all."""
    ear = Ear(EndpointRules())
    speech = arrivals(said)[:100]
    for packet in speech:
        assert not [h for h in ear.push(packet) if h.cut.stage is Stage.FINAL]
    assert ear.restless
    last = speech[-1].arrival
    heard: list[Heard] = []
    for step in range(1, 40):
        heard += [h for h in ear.poll(last + 0.02 * step) if h.cut.stage is Stage.FINAL]
    (utterance,) = heard
    assert utterance.end_s <= last + 0.1
    assert not ear.restless
    assert ear.counts.samples_silence <= 16_000


def test_where_packets_stay_away_the_longest_wait_ends_too(said: list[bytes]) -> None:
    """A text that hangs in the air, and then nothing comes any more: the utterance ends by the clock all the same."""
    rules = EndpointRules()
    ear = Ear(rules)
    speech = arrivals(said)[:100]
    for packet in speech:
        ear.push(packet)
    last = speech[-1].arrival
    heard: list[Heard] = []
    ended_s = 0.0
    for step in range(1, 100):
        for item in ear.poll(last + 0.02 * step):
            heard.append(item)
            ended_s = 0.02 * step
            if item.cut.stage is Stage.LIKELY:
                assert ear.wait(item.cut.utterance, item.cut.version, rules.hanging_silence_s) == []
    assert [item.cut.stage for item in heard] == [Stage.LIKELY, Stage.FINAL]
    assert rules.hanging_silence_s <= ended_s < rules.hanging_silence_s + 0.3
    assert not ear.restless


def test_a_stall_and_a_burst_lose_no_speech(said: list[bytes]) -> None:
    """The network holds packets back for 200 ms, then delivers them at once, their timestamps without a gap."""
    plain, _ = hear(arrivals(said))
    ear = Ear(EndpointRules())
    packets = arrivals(said)
    heard: list[Heard] = []
    for packet in packets[:50]:
        heard += ear.push(packet)
    for step in range(1, 11):
        heard += ear.poll(packets[49].arrival + 0.02 * step)
    for packet in packets[50:]:
        heard += ear.push(packet)
    heard += ear.close()
    finals = [h for h in heard if h.cut.stage is Stage.FINAL]
    speech_s = sum(h.speech_s for h in finals)
    assert speech_s >= plain[0].speech_s - 0.1
    assert ear.counts.samples_decoded == 320 * len(said)


def test_dtx_packets_are_heard(clips: dict[str, Clip]) -> None:
    pcm = np.concatenate([clips["table_en_000"].pcm, SILENCE, clips["table_en_003"].pcm, SILENCE])
    payloads = encode_opus(pcm, dtx=True)
    heard, _ = hear([packet for packet in arrivals(payloads) if len(packet.payload) > 2])
    assert len(heard) == 2


def test_a_reconnect_begins_a_new_stream(said: list[bytes]) -> None:
    ear = Ear(EndpointRules())
    packets = arrivals(said)
    for packet in packets:
        ear.push(packet)
    again = [Arrived(p.sequence ^ 0x4000, p.timestamp ^ 0x40000000, p.payload, p.arrival + 5.0) for p in packets]
    heard, _ = hear(again, ear)
    assert len(heard) == 1
    assert heard[0].start_s >= 104.7, "no more of the time before than its preroll"


def test_one_voice_is_no_longer_than_its_time(said: list[bytes]) -> None:
    """A client's own packets may hold 120 ms each, and tell of pauses, as often as its input limit lets it."""
    twice = bytes((said[0][0] | 1,))  # two frames of equal size in one packet (RFC 6716, 3.2.3)
    packets = [
        Arrived(n % 65_536, 9_600 * n, twice + payload[1:] * 2, 100.0 + n / 120)
        for n, payload in enumerate(said[10] for _ in range(1200))
    ]
    ear = Ear(EndpointRules())
    for packet in packets[:600]:
        ear.push(packet)
    assert ear.counts.ahead > 400
    assert ear.counts.samples_at_endpointer < 16_000 * (5.0 + ear_module.MAX_AHEAD_S + 1.0)
    # It is for that voice alone to wait: with time, it is heard again.
    before = ear.counts.samples_decoded
    hear([Arrived(600 + n, 9_600 * 600 + 960 * n, p, 400.0 + 0.02 * n) for n, p in enumerate(said)], ear)
    assert ear.counts.samples_decoded - before == 320 * len(said)


def test_what_a_stalled_network_brings_at_once_is_heard(said: list[bytes]) -> None:
    packets = [Arrived(p.sequence, p.timestamp, p.payload, 103.0) for p in arrivals(said)]
    heard, ear = hear(packets)
    assert len(heard) == 1
    assert ear.counts.ahead == 0
    assert ear.counts.samples_decoded == 320 * len(said)
