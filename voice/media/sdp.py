"""Reading an offer and writing the answer (RFC 8866, RFC 8839, RFC 9429).

Nothing of a stranger's text reaches aiortc: an offer is read here, each field checked, and a canonical offer is
written anew from those fields. So a malformed offer is a `MediaError` with a reason, never an exception from deep
inside, and a candidate can't make the server resolve names (`.local` would be looked up by multicast).
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import MediaError
from .settings import MAX_SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_CHARACTERS = 65_536
MAX_CANDIDATES = 16
MAX_SECTIONS = MAX_SLOTS
"""Audio sections of one offer: one voice in and out, and one more stream out for each further."""
OPUS_FMTP = "minptime=10;useinbandfec=1;usedtx=1;stereo=0;maxaveragebitrate=32000"
"""What listeners are asked to send (RFC 7587, 7): aiortc's answer has no `a=fmtp` and so asks for nothing."""
AUDIO_LEVEL = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"

_TOKEN = re.compile(r"[!-~]{1,64}")
_UFRAG = re.compile(r"[A-Za-z0-9+/]{4,256}")
_PASSWORD = re.compile(r"[A-Za-z0-9+/]{22,256}")
_FINGERPRINT = re.compile(r"(sha-256|sha-384|sha-512) ([0-9A-F]{2}(?::[0-9A-F]{2}){31,63})", re.IGNORECASE)
_DIGEST_BYTES = {"sha-256": 32, "sha-384": 48, "sha-512": 64}
_MEDIA = re.compile(r"([a-z]+) (\d{1,5})(?:/\d+)? ([A-Z/]+) (.+)")
_CANDIDATE = re.compile(
    r"([A-Za-z0-9+/]{1,32}) (\d{1,3}) (\w+) (\d{1,10}) (\S+) (\d{1,5}) typ (host|srflx|prflx|relay)(?: .*)?"
)
_RTPMAP = re.compile(r"(\d{1,3}) opus/48000/2", re.IGNORECASE)
_EXTMAP = re.compile(r"(\d{1,2})(?:/\w+)? (\S+)")
_SSRC = re.compile(r"(\d{1,10})(?: cname:(\S+))?.*")
_DIRECTIONS = ("sendrecv", "sendonly", "recvonly", "inactive")
_ROLES = ("actpass", "active", "passive")
_PROFILES = ("UDP/TLS/RTP/SAVPF", "RTP/SAVPF", "UDP/TLS/RTP/SAVP", "RTP/SAVP")


@dataclass(frozen=True, slots=True)
class Further:
    """An audio section after the first, in its bundle (RFC 8843): one more stream from the table."""

    mid: str
    profile: str
    receives: bool
    ssrc: int | None


@dataclass(frozen=True, slots=True)
class Section:
    """The first audio section of an offer or answer, checked; `further` are the others, which go over its transport."""

    mid: str | None
    bundle: bool
    profile: str
    payload_type: int
    direction: str
    ufrag: str
    password: str
    fingerprints: tuple[str, ...]
    setup: str
    candidates: tuple[str, ...]
    ssrc: int | None
    cname: str
    audio_level: int | None
    """The header extension's id of RFC 6464 where it is offered."""
    further: tuple[Further, ...] = ()

    def canonical(self) -> str:
        """The first section as an offer written by us."""
        mid = self.mid or "0"
        lines = [
            "v=0",
            "o=- 0 0 IN IP4 0.0.0.0",
            "s=-",
            "t=0 0",
            f"a=group:BUNDLE {mid}",
            "a=msid-semantic: WMS *",
            f"m=audio 9 UDP/TLS/RTP/SAVPF {self.payload_type}",
            "c=IN IP4 0.0.0.0",
            f"a={self.direction}",
            f"a=mid:{mid}",
            "a=rtcp:9 IN IP4 0.0.0.0",
            "a=rtcp-mux",
            f"a=rtpmap:{self.payload_type} opus/48000/2",
        ]
        if self.audio_level is not None:
            lines.append(f"a=extmap:{self.audio_level} {AUDIO_LEVEL}")
        lines += [f"a=candidate:{candidate}" for candidate in self.candidates]
        lines += [f"a=ice-ufrag:{self.ufrag}", f"a=ice-pwd:{self.password}"]
        lines += [f"a=fingerprint:{fingerprint}" for fingerprint in self.fingerprints]
        lines.append(f"a=setup:{self.setup}")
        return "\r\n".join(lines) + "\r\n"


def _bad(message: str) -> MediaError:
    return MediaError("bad_sdp", message)


def _split(text: str) -> tuple[list[str], list[list[str]]]:
    """The session's lines, and those of each media section."""
    session: list[str] = []
    sections: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("m="):
            sections.append([line])
        else:
            (sections[-1] if sections else session).append(line.rstrip())
    return session, sections


def _values(lines: list[str], attribute: str) -> Iterator[str]:
    start = f"a={attribute}:"
    return (line[len(start) :].strip() for line in lines if line.startswith(start))


def _first(section: list[str], session: list[str], attribute: str) -> str:
    """An attribute of the section, else of the session (RFC 8839, 5.4)."""
    for lines in (section, session):
        for value in _values(lines, attribute):
            return value
    raise _bad(f"an audio section needs a={attribute}, and this one has none")


def _candidate(value: str) -> str | None:
    """One candidate as we write it; None for what we do not use: TCP, names (mDNS), addresses nobody can send to, such
    as those with a zone of the offerer's own machine."""
    match = _CANDIDATE.fullmatch(value)
    if match is None:
        return None
    foundation, component, transport, priority, host, port, kind = match.groups()
    if transport.lower() != "udp" or component != "1" or not 0 < int(port) < 65536 or int(priority) >= 1 << 32:
        return None
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    if address.is_multicast or address.is_unspecified or "%" in host or kind == "prflx":
        return None
    return f"{foundation} 1 udp {priority} {address} {port} typ {kind}"


def _fingerprints(section: list[str], session: list[str]) -> tuple[str, ...]:
    for lines in (section, session):
        found = []
        for value in _values(lines, "fingerprint"):
            match = _FINGERPRINT.fullmatch(value)
            if match and len(match[2].split(":")) == _DIGEST_BYTES[match[1].lower()]:
                found.append(f"{match[1].lower()} {match[2].upper()}")
        if found:
            return tuple(found[:4])
    raise _bad("an audio section needs a=fingerprint with sha-256, sha-384 or sha-512")


def _payload_type(section: list[str], formats: list[str]) -> int:
    offered = {match[1] for value in _values(section, "rtpmap") if (match := _RTPMAP.fullmatch(value))}
    for name in formats:
        if name in offered and 96 <= int(name) <= 127:
            return int(name)
    raise MediaError("no_opus", "the audio section must offer opus/48000/2 with a payload type of 96 to 127")


def parse(text: str) -> Section:
    """Read and check an offer (or answer): audio with Opus, ICE, DTLS and rtcp-mux, in one section or a bundle of some.

    Raises MediaError `bad_sdp`, `no_audio` or `no_opus`.
    """
    if len(text) > MAX_CHARACTERS:
        raise _bad(f"an offer has at most {MAX_CHARACTERS} characters, and this one has {len(text)}")
    if not text.startswith("v=0"):
        raise _bad("an offer is SDP and begins with v=0")
    session, sections = _split(text)
    medias = [_MEDIA.fullmatch(lines[0][2:].strip()) for lines in sections]
    if not any(media and media[1] == "audio" for media in medias):
        raise MediaError("no_audio", "the offer has no audio section (m=audio)")
    if len(sections) > MAX_SECTIONS:
        raise _bad(f"an offer has at most {MAX_SECTIONS} sections, all of them audio, and this one has {len(sections)}")
    section, media = sections[0], medias[0]
    if media is None or any(each is None or each[1] != "audio" for each in medias):
        raise _bad("an offer has audio sections (m=audio) alone, and this one has others")
    if media[3] not in _PROFILES:
        raise _bad(f"the audio section must be UDP/TLS/RTP/SAVPF, and this one is {media[3][:40]}")
    if "a=rtcp-mux" not in section:
        raise _bad("the audio section needs a=rtcp-mux")
    ufrag = _first(section, session, "ice-ufrag")
    password = _first(section, session, "ice-pwd")
    if not _UFRAG.fullmatch(ufrag) or not _PASSWORD.fullmatch(password):
        raise _bad("a=ice-ufrag needs 4 to 256, a=ice-pwd 22 to 256 characters of A-Z a-z 0-9 + /")
    setup = _first(section, session, "setup")
    if setup not in _ROLES:
        raise _bad(f"a=setup is one of {', '.join(_ROLES)}, not {setup[:20]}")
    mid = next(_values(section, "mid"), None)
    if mid is not None and not _TOKEN.fullmatch(mid):
        raise _bad("a=mid is a token of at most 64 characters")
    ssrcs = [match for value in _values(section, "ssrc") if (match := _SSRC.fullmatch(value))]
    cname = next((match[2] for match in ssrcs if match[2]), "")
    candidates = (made for value in _values(section, "candidate") if (made := _candidate(value)))
    level = None
    for value in _values(section, "extmap"):
        extension = _EXTMAP.fullmatch(value)
        if extension and extension[2] == AUDIO_LEVEL and 1 <= int(extension[1]) <= 14:
            level = int(extension[1])
            break
    payload_type = _payload_type(section, media[4].split())
    bundled = next((value.split()[1:] for value in _values(session, "group") if value.startswith("BUNDLE")), None)
    further = tuple(
        _further(lines, each, payload_type)
        for lines, each in zip(sections[1:], medias[1:], strict=True)
        if each is not None
    )
    mids = [mid, *(each.mid for each in further)]
    if further and (bundled is None or len(set(mids)) < len(mids) or not set(mids).issubset(bundled)):
        raise _bad("several sections need an a=mid each, and all of those in one a=group:BUNDLE")
    return Section(
        mid=mid,
        bundle=bundled is not None,
        profile=media[3],
        payload_type=payload_type,
        direction=next((name for name in _DIRECTIONS if f"a={name}" in section + session), "sendrecv"),
        ufrag=ufrag,
        password=password,
        fingerprints=_fingerprints(section, session),
        setup=setup,
        candidates=tuple(dict.fromkeys(candidates))[:MAX_CANDIDATES],
        ssrc=int(ssrcs[0][1]) & 0xFFFFFFFF if ssrcs else None,
        cname=cname[:64],
        audio_level=level,
        further=further,
    )


def _further(section: list[str], media: re.Match[str], payload_type: int) -> Further:
    if media[3] not in _PROFILES:
        raise _bad(f"an audio section must be UDP/TLS/RTP/SAVPF, and one is {media[3][:40]}")
    if "a=rtcp-mux" not in section:
        raise _bad("an audio section needs a=rtcp-mux")
    if _payload_type(section, media[4].split()) != payload_type:
        raise _bad("all audio sections must offer opus/48000/2 with one payload type")
    mid = next(_values(section, "mid"), "")
    if not _TOKEN.fullmatch(mid):
        raise _bad("a=mid is a token of at most 64 characters")
    direction = next((name for name in _DIRECTIONS if f"a={name}" in section), "sendrecv")
    ssrc = next((match[1] for value in _values(section, "ssrc") if (match := _SSRC.fullmatch(value))), None)
    return Further(
        mid=mid,
        profile=media[3],
        receives=direction in ("sendrecv", "recvonly"),
        ssrc=None if ssrc is None else int(ssrc) & 0xFFFFFFFF,
    )


_SHARED = ("ice-ufrag:", "ice-pwd:", "fingerprint:", "setup:")


def _append(text: str, mids: list[str], sections: list[list[str]]) -> str:
    """Further sections over the transport of the first, and all of their mids in the bundle."""
    head, first = _split(text)
    shared = [line for line in first[0] if line.startswith(tuple(f"a={name}" for name in _SHARED))]
    lines = [f"a=group:BUNDLE {' '.join(mids)}" if line.startswith("a=group:BUNDLE") else line for line in head]
    lines += first[0]
    for section in sections:
        lines += [*section, *shared]
    return "\r\n".join(lines) + "\r\n"


def _stream(profile: str, payload_type: int, direction: str, mid: str) -> list[str]:
    return [
        f"m=audio 9 {profile} {payload_type}",
        "c=IN IP4 0.0.0.0",
        f"a={direction}",
        f"a=mid:{mid}",
        "a=rtcp:9 IN IP4 0.0.0.0",
        "a=rtcp-mux",
        f"a=rtpmap:{payload_type} opus/48000/2",
    ]


def offer_further(offer: str, count: int) -> str:
    """An offer of one section, with `count` more in its bundle that only receive."""
    if not count:
        return offer
    first = parse(offer)
    mids = [first.mid or "0", *(f"slot{slot}" for slot in range(1, count + 1))]
    sections = [_stream(first.profile, first.payload_type, "recvonly", mid) for mid in mids[1:]]
    return _append(offer, mids, sections)


def first_section(text: str) -> str:
    """An answer without its further sections."""
    head, sections = _split(text)
    mid = next(_values(sections[0], "mid"), "0")
    lines = [f"a=group:BUNDLE {mid}" if line.startswith("a=group:BUNDLE") else line for line in head]
    return "\r\n".join(lines + sections[0]) + "\r\n"


def finish_answer(answer: str, offer: Section, streams: Sequence[int] = ()) -> str:
    """aiortc's answer to the canonical offer, made to fit the offer that really came, with our Opus parameters.

    `streams`: the SSRCs of the streams that the further sections get, in their order; those beyond are inactive.
    """
    text = _finish_first(answer, offer)
    if not offer.further:
        return text
    ours = list(streams)
    cname = next(
        (match[2] for value in _values(answer.splitlines(), "ssrc") if (match := _SSRC.fullmatch(value))), None
    )
    sections = []
    for further in offer.further:
        if not further.receives or not ours:
            sections.append(_stream(further.profile, offer.payload_type, "inactive", further.mid))
            continue
        section = _stream(further.profile, offer.payload_type, "sendonly", further.mid)
        stream = secrets.token_hex(8)
        section += [
            f"a=fmtp:{offer.payload_type} {OPUS_FMTP}",
            f"a=msid:{stream} {stream}",
            f"a=ssrc:{ours.pop(0)} cname:{cname or stream}",
        ]
        sections.append(section)
    return _append(text, [offer.mid or "0", *(each.mid for each in offer.further)], sections)


def _finish_first(answer: str, offer: Section) -> str:
    payload_type = offer.payload_type
    lines = []
    for line in answer.splitlines():
        unwanted = (
            (line.startswith("a=group:BUNDLE") and not offer.bundle)
            or (line.startswith("a=mid:") and offer.mid is None)
            or line.startswith(f"a=fmtp:{payload_type} ")
        )
        if not unwanted:
            lines.append(line.replace("UDP/TLS/RTP/SAVPF", offer.profile) if line.startswith("m=audio ") else line)
        if line.startswith(f"a=rtpmap:{payload_type} "):
            lines.append(f"a=fmtp:{payload_type} {OPUS_FMTP}")
    return "\r\n".join(lines) + "\r\n"
