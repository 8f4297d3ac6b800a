"""The tap sends no draft that nobody wants, and everything else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from tests.speech.sound import accepted, encode_opus
from voice.speech.endpointer import EndpointRules
from voice.speech.tap import Tap
from voice.speech.wire import Drafts, Mic, Open, Packet, Utterance

if TYPE_CHECKING:
    from tests.speech.sound import Clip


def stages(clip: Clip, *before: Drafts) -> list[str]:
    """What the tap says of a clip, by stage; the rules give a draft each half second."""
    tap = Tap(EndpointRules(draft_every_s=0.5))
    said = []
    for message in (Open(1), *before, Mic(1, [3], 1)):
        said += tap.handle(message)
    pcm = np.concatenate([clip.pcm, np.zeros(16_000, np.float32)])
    for each in accepted(encode_opus(pcm), 3, 1, begin_s=time.monotonic()):
        said += tap.handle(Packet(1, 3, 1, each.sequence, each.timestamp, each.payload, each.arrival))
    return [message.stage for message in said if isinstance(message, Utterance)]


def test_drafts_come_as_often_as_they_are_wanted(clips: dict[str, Clip]) -> None:
    clip = clips["table_en_037"]
    often, seldom, none = stages(clip), stages(clip, Drafts(1.0)), stages(clip, Drafts(0.0))
    assert often.count("draft") > seldom.count("draft") > none.count("draft") == 0
    assert stages(clip, Drafts(0.0), Drafts(0.5)) == often
    for found in (seldom, none):
        assert [stage for stage in found if stage != "draft"] == [stage for stage in often if stage != "draft"]
    assert "final" in none
