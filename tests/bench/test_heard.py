"""Figures from audio to verdict; the playing itself with a real recogniser."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import heard
from moderation import Verdict
from voice.speech.settings import SpeechSettings

CLEAR = Verdict("insult", "clear")
PERSON = Verdict(review=True)
DEMO = Path(__file__).parents[2] / "voice" / "cli" / "demo_speech"


def clip(text: str, label: str, *verdicts: Verdict, lang: str = "en") -> heard.Clip:
    return heard.Clip({"file": "x", "text": text, "lang": lang, "label": label}, [], [], list(verdicts))


def test_recall_stands_beside_that_of_the_texts() -> None:
    clips = [
        clip("you idiot", "insult", Verdict(), CLEAR),
        clip("you moron", "insult", PERSON),
        clip("you are a fool", "insult"),
        clip("number four is black", "none", PERSON),
        clip("wake up", "none", CLEAR),
    ]

    assert heard.figures(clips) == {
        "wanted": 3,
        "recall": 0.6667,
        "text_recall": 1.0,
        "recall_lost": 0.3333,
        "warned": 0.3333,
        "text_warned": 1.0,
        "warned_lost": 0.6667,
        "for_a_person": 1,
        "harmless": 2,
        "false_warned": 0.5,
        "text_false_warned": 0.0,
        "harmless_for_a_person": 1,
        "text_harmless_for_a_person": 0,
    }


def test_the_document_has_languages_categories_and_what_went_wrong() -> None:
    made = heard.document(
        [clip("you idiot", "insult"), clip("ты идиот", "insult", CLEAR, lang="ru"), clip("red", "none", lang="ru")]
    )

    assert [(row["lang"], row["category"], row["recall"]) for row in made["rows"]] == [
        ("en", "insult", 0.0),
        ("ru", "insult", 1.0),
    ]
    assert made["result"]["by_lang"]["ru"]["recall_lost"] == 0.0
    assert [row["text"] for row in made["wrong"]] == ["you idiot"]


def test_what_only_a_person_saw_is_told_with_what_nobody_saw_and_with_harmless_lines_that_anybody_saw() -> None:
    made = heard.document(
        [clip("you moron", "insult", PERSON), clip("wake up", "none", PERSON), clip("red", "none", Verdict())]
    )

    assert [(row["text"], row["for_a_person"]) for row in made["wrong"]] == [("you moron", True), ("wake up", True)]


def test_without_clips_of_a_kind_there_is_no_share() -> None:
    assert heard.figures([])["recall"] is None
    assert heard.figures([])["recall_lost"] is None


def test_a_file_that_cant_be_written_is_told_before_anything_is_heard(capsys: pytest.CaptureFixture[str]) -> None:
    assert heard.main(["--json", "no-such-folder/x.json"]) == 2
    assert capsys.readouterr().err.startswith("heard: --json: cannot write")


@pytest.mark.parametrize("manifest", [None, "{}", '{"text": "a", "lang": "en", "label": "none"}'])
def test_a_folder_that_has_no_labelled_clips_is_told(
    tmp_path: Path, manifest: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if manifest is not None:
        (tmp_path / "manifest.jsonl").write_text(manifest, encoding="utf-8")

    assert heard.main(["--clips", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert str(tmp_path) in err


@pytest.mark.speech
async def test_a_recording_is_heard_and_judged(tmp_path: Path) -> None:
    row: dict[str, Any] = {"file": str(DEMO / "en.flac"), "text": "you are an idiot", "lang": "en", "label": "insult"}
    (tmp_path / "manifest.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (one,) = await asyncio.to_thread(heard.read_clips, tmp_path)

    await heard.hear([one], 1, SpeechSettings(), tmp_path)

    assert one.lines
    assert len(one.lines) == len(one.verdicts)
    assert one.warned
