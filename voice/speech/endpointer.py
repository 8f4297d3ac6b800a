"""Where an utterance begins and ends, from the probability of speech in each frame.

Time is counted in samples of the stream alone, so that the same audio always gives the same utterances. Besides the
end itself the endpointer tells of drafts (speech goes on; for captions) and of a likely end: the first quiet moment,
from which the recogniser can begin while the endpointer still waits whether the speaker goes on. If the silence holds,
the final utterance is that same audio, and its text is there already; that text may also shorten or lengthen the wait.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from models.vad import FRAME_SAMPLES, SAMPLE_RATE_HZ, Samples

if TYPE_CHECKING:
    from collections.abc import Sequence


class Stage(Enum):
    """What a cut is: a draft of speech that goes on, a likely end, or the end."""

    DRAFT = "draft"
    LIKELY = "likely"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class EndpointRules:
    """Probabilities of speech that begin and end an utterance, and lengths in seconds.

    `end_silence_s` ends an utterance of which nothing is known. With the text of its likely end, a sentence that is
    whole needs no more than `sentence_silence_s`, one that hangs in the air `hanging_silence_s`; for a whole one the
    last word's confidence and the text's score (mean log probability of a token) are at least as given (see
    `voice.speech.phrase`). While a recogniser is at that text, the end waits for it up to `unread_silence_s`: it is the
    final text too, which then comes no later. Too long an utterance is cut within its last `cut_within_s`, where the
    probabilities' mean over `cut_smooth_s` is lowest. Less speech than `min_speech_s` is none; after such a cut it is a
    word's end.
    """

    begin_above: float = 0.5
    begin_frames: int = 2
    end_below: float = 0.35
    end_silence_s: float = 0.3
    likely_silence_s: float = 0.128
    sentence_silence_s: float = 0.2
    hanging_silence_s: float = 0.8
    unread_silence_s: float = 0.55
    sentence_confidence: float = 0.5
    sentence_score: float = -0.7
    preroll_s: float = 0.25
    min_speech_s: float = 0.25
    min_speech_after_cut_s: float = 0.096
    max_utterance_s: float = 12.0
    cut_within_s: float = 2.0
    cut_smooth_s: float = 0.16
    draft_every_s: float = 1.0


@dataclass(frozen=True, slots=True)
class Cut:
    """An utterance so far, or whole.

    `utterance` counts those of the stream from 1, `version` the cuts of one utterance from 1. `same_as` of a final cut
    is the version of the likely end with exactly this audio, 0 where there is none. Positions are samples of the
    stream: of the audio's first sample, and past the last one with speech.
    """

    stage: Stage
    utterance: int
    version: int
    same_as: int
    audio: Samples
    start_sample: int
    speech_end_sample: int
    speech_samples: int


class Endpointer:
    """The utterances of one stream of one speaker."""

    def __init__(self, rules: EndpointRules) -> None:
        self._rules = rules
        self._begin_frames = max(1, rules.begin_frames)
        self._preroll_frames = _frames(rules.preroll_s)
        self._waiting: deque[tuple[Samples, float]] = deque(maxlen=self._preroll_frames + self._begin_frames)
        self._position = 0
        self._onset = 0
        self._utterance = 0
        self._frames: list[tuple[Samples, float]] = []
        self._speaking = False
        self._version = 0
        self._likely = 0
        self._silence_s = rules.end_silence_s
        self._quiet_frames = 0
        self._speech_frames = 0
        self._frames_at_draft = 0
        self._enough_s = rules.min_speech_s

    @property
    def speaking(self) -> bool:
        """Whether an utterance has begun and not ended."""
        return self._speaking

    def push(self, frame: Samples, probability: float) -> list[Cut]:
        """Take the next FRAME_SAMPLES samples with their probability of speech; return what they decide."""
        self._position += FRAME_SAMPLES
        if not self._speaking:
            self._wait(frame, probability)
            return []
        self._frames.append((frame, probability))
        if probability < self._rules.end_below:
            self._quiet_frames += 1
        else:
            self._quiet_frames = 0
            self._speech_frames += 1
            self._likely = 0
            self._silence_s = self._rules.end_silence_s
        quiet_s = _seconds(self._quiet_frames)
        if quiet_s >= self._silence_s:
            return self._end()
        if _seconds(len(self._frames)) >= self._rules.max_utterance_s:
            return self._cut_long()
        return self._so_far(quiet_s)

    def wait(self, utterance: int, version: int, silence_s: float) -> list[Cut]:
        """Its text, or that one is being made, tells how much silence ends this likely end; return what that decides.

        What is known too late changes nothing: the utterance has ended, or its speaker has gone on.
        """
        if not self._speaking or not self._likely or (self._utterance, self._likely) != (utterance, version):
            return []
        # Never less than what makes an end likely, so that the end has the likely end's audio.
        self._silence_s = min(max(silence_s, self._rules.likely_silence_s), self.longest_silence_s)
        return self._end() if _seconds(self._quiet_frames) >= self._silence_s else []

    @property
    def longest_silence_s(self) -> float:
        """More silence than this always ends an utterance."""
        rules = self._rules
        return max(rules.end_silence_s, rules.hanging_silence_s, rules.unread_silence_s)

    def flush(self) -> list[Cut]:
        """The stream ends here: what has begun is an utterance now."""
        cuts = self._end() if self._speaking else []
        self._waiting.clear()
        self._onset = 0
        return cuts

    def _wait(self, frame: Samples, probability: float) -> None:
        self._waiting.append((frame, probability))
        self._onset = self._onset + 1 if probability > self._rules.begin_above else 0
        if self._onset >= self._begin_frames:
            self._begin(list(self._waiting))

    def _begin(self, frames: list[tuple[Samples, float]]) -> None:
        self._waiting.clear()
        self._onset = 0
        self._speaking = True
        self._utterance += 1
        self._version = self._likely = self._frames_at_draft = 0
        self._silence_s = self._rules.end_silence_s
        self._enough_s = self._rules.min_speech_s
        self._frames = frames
        self._speech_frames = sum(probability >= self._rules.end_below for _, probability in frames)
        self._quiet_frames = 0
        while self._quiet_frames < len(frames) and frames[-1 - self._quiet_frames][1] < self._rules.end_below:
            self._quiet_frames += 1

    def _so_far(self, quiet_s: float) -> list[Cut]:
        rules = self._rules
        if _seconds(self._speech_frames) < self._enough_s:
            return []
        if not self._likely and quiet_s >= rules.likely_silence_s:
            cut = self._cut(Stage.LIKELY, self._kept())
            self._likely = cut.version
            self._frames_at_draft = len(self._frames)
            return [cut]
        if self._quiet_frames == 0 and _seconds(len(self._frames) - self._frames_at_draft) >= rules.draft_every_s:
            self._frames_at_draft = len(self._frames)
            return [self._cut(Stage.DRAFT, self._frames)]
        return []

    def _kept(self) -> list[tuple[Samples, float]]:
        """The utterance's frames with no more silence at the end than a likely end has."""
        surplus = self._quiet_frames - _frames(self._rules.likely_silence_s)
        return self._frames[: len(self._frames) - max(0, surplus)]

    def _end(self) -> list[Cut]:
        enough = _seconds(self._speech_frames) >= self._enough_s
        cuts = [self._cut(Stage.FINAL, self._kept())] if enough else []
        quiet = self._frames[len(self._frames) - self._quiet_frames :]
        self._speaking = False
        self._frames = []
        # The silence just heard is the beginning of what is said next, should that begin at once.
        self._waiting.extend(quiet[-self._preroll_frames :] if quiet else ())
        return cuts

    def _cut_long(self) -> list[Cut]:
        """End an utterance that goes on for too long, where it was least like speech of late; the rest goes on."""
        late = self._frames[-max(1, _frames(self._rules.cut_within_s)) :]
        lowest = least_speech([probability for _, probability in late], _frames(self._rules.cut_smooth_s))
        split = len(self._frames) - len(late) + lowest + 1
        head, rest = self._frames[:split], self._frames[split:]
        after = len(rest) * FRAME_SAMPLES
        speech_frames = sum(probability >= self._rules.end_below for _, probability in head)
        self._version += 1
        cut = Cut(
            Stage.FINAL,
            self._utterance,
            self._version,
            0,
            np.concatenate([frame for frame, _ in head]),
            self._position - after - len(head) * FRAME_SAMPLES,
            self._position - after,
            speech_frames * FRAME_SAMPLES,
        )
        self._begin(rest)
        self._enough_s = self._rules.min_speech_after_cut_s
        return [cut]

    def _cut(self, stage: Stage, frames: list[tuple[Samples, float]]) -> Cut:
        self._version += 1
        return Cut(
            stage,
            self._utterance,
            self._version,
            self._likely if stage is Stage.FINAL else 0,
            np.concatenate([frame for frame, _ in frames]),
            self._position - len(self._frames) * FRAME_SAMPLES,
            self._position - self._quiet_frames * FRAME_SAMPLES,
            self._speech_frames * FRAME_SAMPLES,
        )


def least_speech(probabilities: Sequence[float], smooth: int) -> int:
    """Where speech is least likely: the lowest mean of `smooth` frames, the middle one counting most; the latest.

    One frame's dip is the closure of a consonant as often as a pause; a low mean is a pause.
    """
    reach = max(0, (smooth - 1) // 2)
    weights = {offset: reach + 1 - abs(offset) for offset in range(-reach, reach + 1)}
    means: list[float] = []
    for middle in range(len(probabilities)):
        near = [(weight, middle + at) for at, weight in weights.items() if 0 <= middle + at < len(probabilities)]
        means.append(sum(weight * probabilities[at] for weight, at in near) / sum(weight for weight, _ in near))
    lowest = min(means) + 1e-9
    return max(index for index, mean in enumerate(means) if mean <= lowest)


def _frames(seconds: float) -> int:
    return round(seconds * SAMPLE_RATE_HZ / FRAME_SAMPLES)


def _seconds(frames: int) -> float:
    return frames * FRAME_SAMPLES / SAMPLE_RATE_HZ
