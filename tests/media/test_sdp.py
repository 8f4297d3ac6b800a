"""Offers of browsers, of strangers and of nobody."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from voice.media.errors import MediaError
from voice.media.sdp import MAX_CANDIDATES, OPUS_FMTP, finish_answer, first_section, offer_further, parse

CHROMIUM = """v=0
o=- 6131215612341237834 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 0
a=extmap-allow-mixed
a=msid-semantic: WMS 5ab2c3d4
m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126
c=IN IP4 0.0.0.0
a=rtcp:9 IN IP4 0.0.0.0
a=candidate:3313133131 1 udp 2122260223 10.0.0.5 41000 typ host generation 0 network-id 1
a=candidate:3313133132 1 udp 2122260223 f81c9a0e-1111-4222-8333-444444444444.local 41001 typ host generation 0
a=candidate:3313133133 1 tcp 1518280447 10.0.0.5 9 typ host tcptype active generation 0 network-id 1
a=candidate:3313133134 1 udp 1686052607 203.0.113.9 41000 typ srflx raddr 10.0.0.5 rport 41000 generation 0
a=ice-ufrag:Ab/+
a=ice-pwd:abcdefghijklmnopqrstuvwx
a=ice-options:trickle
a=fingerprint:sha-256 {fingerprint}
a=setup:actpass
a=mid:0
a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
a=sendrecv
a=msid:5ab2c3d4 6cd
a=rtcp-mux
a=rtcp-rsize
a=rtpmap:111 opus/48000/2
a=rtcp-fb:111 transport-cc
a=fmtp:111 minptime=10;useinbandfec=1
a=rtpmap:63 red/48000/2
a=fmtp:63 111/111
a=rtpmap:9 G722/8000
a=rtpmap:0 PCMU/8000
a=ssrc:1234567890 cname:abcdef
a=ssrc:1234567890 msid:5ab2c3d4 6cd
""".replace("{fingerprint}", ":".join(["AB"] * 32)).replace("\n", "\r\n")


def test_a_browsers_offer_is_read() -> None:
    offer = parse(CHROMIUM)
    assert offer.payload_type == 111
    assert offer.direction == "sendrecv"
    assert (offer.mid, offer.bundle, offer.ssrc, offer.audio_level) == ("0", True, 1234567890, 1)
    assert offer.setup == "actpass"


def test_names_and_tcp_never_reach_ice() -> None:
    offer = parse(CHROMIUM)
    assert offer.candidates == (
        "3313133131 1 udp 2122260223 10.0.0.5 41000 typ host",
        "3313133134 1 udp 1686052607 203.0.113.9 41000 typ srflx",
    )
    assert ".local" not in offer.canonical()
    assert " tcp " not in offer.canonical()
    assert "end-of-candidates" not in offer.canonical()


def test_the_canonical_offer_is_the_same_offer() -> None:
    offer = parse(CHROMIUM)
    again = parse(offer.canonical())
    assert again.candidates == offer.candidates
    assert (again.ufrag, again.password, again.fingerprints) == (offer.ufrag, offer.password, offer.fingerprints)


def test_the_session_may_hold_what_the_section_lacks() -> None:
    """Firefox writes the fingerprint once, for the session."""
    fingerprint = next(line for line in CHROMIUM.split("\r\n") if line.startswith("a=fingerprint"))
    moved = CHROMIUM.replace(fingerprint + "\r\n", "").replace("a=extmap-allow-mixed", fingerprint)
    assert parse(moved).fingerprints == parse(CHROMIUM).fingerprints


def test_a_zone_of_the_offerers_machine_means_nothing_here() -> None:
    zoned = CHROMIUM.replace("10.0.0.5 41000 typ host", "fe80::1%eth0 41000 typ host")
    assert zoned != CHROMIUM
    assert not any("fe80" in candidate for candidate in parse(zoned).candidates)
    assert any("fe80::1 " in candidate for candidate in parse(zoned.replace("%eth0", "")).candidates)


def test_candidates_are_bounded() -> None:
    more = "".join(f"a=candidate:{n} 1 udp 1 10.0.0.5 {20000 + n} typ host\r\n" for n in range(500))
    assert len(parse(CHROMIUM.replace("a=ice-ufrag", more + "a=ice-ufrag")).candidates) == MAX_CANDIDATES


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("v=0", "hello", "bad_sdp"),
        (CHROMIUM, "", "bad_sdp"),
        (CHROMIUM, "v=0", "no_audio"),
        ("m=audio", "m=video", "no_audio"),
        ("m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126", "m=audio", "no_audio"),
        ("UDP/TLS/RTP/SAVPF", "RTP/AVP", "bad_sdp"),
        ("a=rtcp-mux\r\n", "", "bad_sdp"),
        ("a=ice-ufrag:Ab/+\r\n", "", "bad_sdp"),
        ("a=ice-pwd:abcdefghijklmnopqrstuvwx\r\n", "", "bad_sdp"),
        ("a=ice-pwd:abcdefghijklmnopqrstuvwx", "a=ice-pwd:short", "bad_sdp"),
        ("a=ice-ufrag:Ab/+", "a=ice-ufrag:é€!!", "bad_sdp"),
        ("a=fingerprint:sha-256", "a=fingerprint:sha-1", "bad_sdp"),
        ("a=fingerprint:sha-256 AB:", "a=fingerprint:sha-256 ", "bad_sdp"),
        ("a=setup:actpass", "a=setup:holdconn", "bad_sdp"),
        ("a=setup:actpass\r\n", "", "bad_sdp"),
        ("a=rtpmap:111 opus/48000/2\r\n", "", "no_opus"),
        ("a=rtpmap:111 opus/48000/2", "a=rtpmap:999 opus/48000/2", "no_opus"),
        ("a=mid:0", "a=mid:0 0", "bad_sdp"),
        ("a=ssrc:1234567890 cname:abcdef\r\n", "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n", "bad_sdp"),
        ("a=ssrc:1234567890 cname:abcdef\r\n", "m=video 9 UDP/TLS/RTP/SAVPF 96\r\n", "bad_sdp"),
        ("a=ssrc:1234567890 cname:abcdef\r\n", "a=x:" + "y" * 70_000, "bad_sdp"),
    ],
)
def test_a_bad_offer_is_refused_with_a_reason(old: str, new: str, code: str) -> None:
    assert old in CHROMIUM
    with pytest.raises(MediaError) as refused:
        parse(CHROMIUM.replace(old, new))
    assert refused.value.code == code
    assert refused.value.message


NOISE = st.text("aAzZ09 :=/+-.;é\x00\u2028\t", max_size=40)


@given(st.data(), st.sampled_from((CHROMIUM, offer_further(CHROMIUM, 2))))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_mangled_offer_is_read_or_refused(data: st.DataObject, whole: str) -> None:
    """Lines dropped, doubled, swapped, cut and overwritten: a MediaError or a Section, nothing else."""
    lines = whole.split("\r\n")
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(lines) - 1))
        kind = data.draw(st.sampled_from(["drop", "double", "swap", "cut", "noise"]))
        if kind == "drop" and len(lines) > 1:
            del lines[at]
        elif kind == "double":
            lines.insert(at, lines[at])
        elif kind == "swap":
            lines[at], lines[-1] = lines[-1], lines[at]
        elif kind == "cut":
            lines[at] = lines[at][: data.draw(st.integers(0, len(lines[at])))]
        else:
            lines[at] = lines[at][:2] + data.draw(NOISE)
    try:
        section = parse("\r\n".join(lines))
    except MediaError:
        return
    assert parse(section.canonical()).canonical() == section.canonical()


@given(st.text(max_size=300))
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(MediaError):
        parse("v=0\r\n" + text)


def test_the_answer_fits_the_offer_and_asks_for_our_opus() -> None:
    answer = (
        "v=0\r\na=group:BUNDLE 0\r\nm=audio 5000 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n"
        "a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10\r\n"
    )
    assert f"a=fmtp:111 {OPUS_FMTP}\r\n" in finish_answer(answer, parse(CHROMIUM))
    assert finish_answer(answer, parse(CHROMIUM)).count("a=fmtp") == 1
    bare = CHROMIUM.replace("a=group:BUNDLE 0\r\n", "").replace("a=mid:0\r\n", "").replace("UDP/TLS/RTP", "RTP")
    made = finish_answer(answer, parse(bare))
    assert "BUNDLE" not in made
    assert "a=mid" not in made
    assert "m=audio 5000 RTP/SAVPF 111" in made


def test_further_sections_are_streams_over_the_first_ones_transport() -> None:
    offer = parse(offer_further(CHROMIUM, 2))
    assert [(each.mid, each.receives) for each in offer.further] == [("slot1", True), ("slot2", True)]
    assert offer.canonical().count("m=audio") == 1
    assert (offer.ufrag, offer.mid, offer.bundle) == (parse(CHROMIUM).ufrag, "0", True)


def test_the_answer_gives_streams_to_those_who_receive_as_far_as_they_go() -> None:
    """A section that receives nothing gets none, and one too many is inactive; all have the transport of the first."""
    text = offer_further(CHROMIUM, 3).replace("a=recvonly\r\na=mid:slot1", "a=sendonly\r\na=mid:slot1")
    first = parse(CHROMIUM).canonical().replace("a=setup:actpass", "a=setup:active")
    answer = finish_answer(first, parse(text), [4_000_000_000])
    sections = answer.split("m=audio")[2:]
    assert ["a=inactive" in section for section in sections] == [True, False, True]
    assert "a=sendonly" in sections[1]
    assert "a=ssrc:4000000000 cname:" in sections[1]
    assert all(line in section for section in sections for line in ("a=ice-ufrag:Ab/+", "a=setup:active", "a=rtcp-mux"))
    assert "a=group:BUNDLE 0 slot1 slot2 slot3\r\n" in answer
    assert [each.ssrc for each in parse(answer).further] == [None, 4_000_000_000, None]
    assert parse(first_section(answer)).canonical() == parse(first).canonical()
    assert "slot" not in first_section(answer)
