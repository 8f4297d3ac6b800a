"""SRTP in place: the same bytes as the public calls, and those where the library is another."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import pylibsrtp
import pytest
from pylibsrtp import Policy, Session

from tests.media.headers import rtp_header
from voice.media import srtp

if TYPE_CHECKING:
    from collections.abc import Iterator

PROFILES = (Policy.SRTP_PROFILE_AES128_CM_SHA1_80, Policy.SRTP_PROFILE_AEAD_AES_128_GCM)


def sessions(profile: int) -> tuple[Any, Any, Any]:
    """Two that send with one key, and one that hears them."""
    key = os.urandom(30)
    kinds = (Policy.SSRC_ANY_OUTBOUND, Policy.SSRC_ANY_OUTBOUND, Policy.SSRC_ANY_INBOUND)
    one, two, three = (Session(Policy(key=key, ssrc_type=kind, srtp_profile=profile)) for kind in kinds)
    return one, two, three


@pytest.fixture
def another_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A pylibsrtp that is not known here."""
    srtp.in_place.cache_clear()
    monkeypatch.setattr(srtp, "PIN", "9.9.9")
    yield
    monkeypatch.undo()
    srtp.in_place.cache_clear()


def both_ways(profile: int) -> None:
    ours, theirs, hears = sessions(profile)
    place = srtp.Scratch()
    protect, unprotect = srtp.protector(ours, place), srtp.unprotector(hears, place)
    for number, size in enumerate((0, 1, 66, 1275)):
        packet = rtp_header(96, False, number, number, 5) + os.urandom(size)
        place.view[: len(packet)] = packet
        sealed = bytes(protect(len(packet)))
        assert sealed == theirs.protect(packet)
        assert unprotect(sealed) == packet
        with pytest.raises(pylibsrtp.Error):
            unprotect(sealed)
        with pytest.raises(pylibsrtp.Error):
            unprotect(sealed[:-1] + bytes([sealed[-1] ^ 1]))


@pytest.mark.parametrize("profile", PROFILES)
def test_it_is_what_the_public_calls_make(profile: int) -> None:
    assert srtp.in_place()
    both_ways(profile)


@pytest.mark.usefixtures("another_library")
def test_another_library_is_noticed_and_used_by_its_public_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert not srtp.in_place()
    assert "pylibsrtp 9.9.9 is known, and" in "".join(capsys.readouterr())
    both_ways(PROFILES[0])


def too_long(profile: int) -> None:
    ours, _, _ = sessions(profile)
    place = srtp.Scratch()
    protect = srtp.protector(ours, place)
    place.view[:] = (rtp_header(96, False, 1, 960, 5) + bytes(srtp.BUFFER_BYTES))[: srtp.BUFFER_BYTES]
    before = bytes(place.view)
    with pytest.raises(ValueError, match=rf"at most {srtp.MAX_BYTES} bytes, got {srtp.MAX_BYTES + 1}"):
        protect(srtp.MAX_BYTES + 1)
    assert bytes(place.view) == before


@pytest.mark.parametrize("profile", PROFILES)
def test_what_has_no_room_for_its_trailer_is_refused(profile: int) -> None:
    assert srtp.in_place()
    too_long(profile)
    ours, _, hears = sessions(profile)
    place = srtp.Scratch()
    place.view[: srtp.MAX_BYTES] = longest = rtp_header(96, False, 1, 960, 5) + bytes(srtp.MAX_BYTES - 12)
    assert srtp.unprotector(hears, place)(bytes(srtp.protector(ours, place)(srtp.MAX_BYTES))) == longest


@pytest.mark.usefixtures("another_library")
def test_another_library_refuses_the_same() -> None:
    assert not srtp.in_place()
    too_long(PROFILES[0])


def test_a_library_that_does_something_else_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    srtp.in_place.cache_clear()
    monkeypatch.setattr(Session, "protect", lambda self, packet: packet)
    assert not srtp.in_place()
    monkeypatch.undo()
    srtp.in_place.cache_clear()
    assert srtp.in_place()


def test_two_threads_do_not_share_a_buffer() -> None:
    found: list[srtp.Scratch] = []
    thread = threading.Thread(target=lambda: found.append(srtp.scratch()))
    thread.start()
    thread.join()
    assert found[0] is not srtp.scratch()
    assert srtp.scratch() is srtp.scratch()
