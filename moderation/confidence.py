"""A word that the recogniser was unsure of carries a finding less far."""

from collections.abc import Sequence
from dataclasses import replace

from moderation.line import SCORES, Finding, Level, Line
from moderation.tokens import tokenise
from moderation.verdict import WordEvidence

UNSURE = 0.6


def align(line: Line, words: Sequence[WordEvidence]) -> list[float | None]:
    """The confidence of each word of the line; None for one that the recogniser's list does not hold.

    The two sequences are walked together, looking a few words ahead where they differ.
    """
    heard = [(token.text, word.confidence) for word in words for token in tokenise(word.text)]
    confidences: list[float | None] = []
    at = 0
    for token in line.tokens:
        for ahead in range(at, min(len(heard), at + 4)):
            text = heard[ahead][0]
            if text == token.text or (len(text) > 1 and text in token.text):
                confidence = heard[ahead][1]
                at = ahead + 1
                # A word joined of several pieces is as sure as its least sure piece.
                while at < len(heard) and text != token.text and token.text.startswith(text + heard[at][0]):
                    text += heard[at][0]
                    confidence = min(confidence, heard[at][1])
                    at += 1
                confidences.append(confidence)
                break
        else:
            confidences.append(None)
    return confidences


def lower_unsure(line: Line, findings: list[Finding], words: Sequence[WordEvidence]) -> list[Finding]:
    """Turn a finding whose telling words were recognised with confidence below UNSURE over to a person.

    A telling word that the recogniser's list does not hold counts as unsure.
    """
    confidences = align(line, words)
    lowered = []
    for finding in findings:
        values = [confidences[at] for at in finding.evidence]
        if finding.level > Level.REVIEW and any(value is None or not value >= UNSURE for value in values):
            finding = replace(finding, level=Level.REVIEW, score=SCORES[Level.REVIEW])
        lowered.append(finding)
    return lowered
