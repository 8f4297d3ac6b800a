"""What the recogniser was unsure of, how it cut words, and what only sounds like abuse."""

import pytest

from moderation import WordEvidence
from moderation.pipeline import rules_alone

judge = rules_alone().judge  # what the model makes of a line is tested by itself


def heard(line: str, **confidence: float) -> list[WordEvidence]:
    return [WordEvidence(word, confidence.get(word, 0.95)) for word in line.split()]


def test_a_sure_hit_stays_clear() -> None:
    assert judge("you idiot", "en", heard("you idiot")).severity == "clear"


@pytest.mark.parametrize("text", ["you are an idiot", "you are a fool"])
def test_an_unsure_hit_goes_to_a_person(text: str) -> None:
    verdict = judge(text, "en", heard(text, idiot=0.59, fool=0.1))
    assert (verdict.category, verdict.severity, verdict.review) == (None, None, True)


def test_other_unsure_words_do_not_matter() -> None:
    assert judge("you are an idiot", "en", heard("you are an idiot", you=0.1, are=0.1, an=0.1)).severity == "clear"


def test_confidence_at_the_threshold_is_sure() -> None:
    assert judge("you idiot", "en", heard("you idiot", idiot=0.6)).severity == "clear"


def test_a_hit_that_the_word_list_lacks_is_unsure() -> None:
    assert judge("you idiot", "en", heard("you know")).review
    assert judge("you idiot", "en", []).review
    assert judge("you idiot", "en", heard("you idiot", idiot=float("nan"))).review


def test_words_as_recognisers_write_them() -> None:
    words = [WordEvidence(" You're", 0.9), WordEvidence(" an", 0.9), WordEvidence(" idiot.", 0.3)]
    assert judge("You're an idiot.", "en", words).review
    words = [WordEvidence(" Ты", 0.9), WordEvidence(" идиот,", 0.9), WordEvidence(" шестой.", 0.2)]
    assert judge("Ты идиот, шестой.", "ru", words).severity == "clear"


def test_one_of_two_hits_is_sure() -> None:
    text = "you moron, you idiot"
    verdict = judge(text, "en", heard("you moron you idiot", moron=0.2))
    assert verdict.severity == "clear"
    assert [text[hit.start : hit.end] for hit in verdict.why] == ["idiot"]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("you are an ass hole", "ass hole"),
        ("you bas tard", "bas tard"),
        ("ты долбо еб", "долбо еб"),
        ("ты при ду рок", "при ду рок"),
        ("youidiot", "youidiot"),
        ("тыидиот", "тыидиот"),
    ],
)
def test_words_cut_wrongly_are_tried_once_more(text: str, span: str) -> None:
    verdict = judge(text, "en")
    assert verdict.category == "insult"
    assert span in [text[hit.start : hit.end] for hit in verdict.why]


@pytest.mark.parametrize("text", ["the pen is black", "mor on the left", "за лупой сидит", "so come as a red"])
def test_harmless_neighbours_are_not_joined(text: str) -> None:
    assert judge(text, "en").category is None


def test_a_joined_word_is_as_sure_as_its_least_sure_piece() -> None:
    assert judge("ты долбо еб", "ru", heard("ты долбо еб", еб=0.3)).review
    assert judge("ты долбо еб", "ru", heard("ты долбо еб")).severity == "clear"


@pytest.mark.parametrize("text", ["ты идеод", "ты кретен", "ты придурак", "you are an assholle"])
def test_near_sounds_only_ask_a_person(text: str) -> None:
    verdict = judge(text, "ru")
    assert (verdict.category, verdict.review) == (None, True)
    assert verdict.why[0].rule.endswith(".sound")


def test_near_sounds_of_nobody_are_nothing() -> None:
    assert not judge("кретен", "ru").review


@pytest.mark.parametrize("text", ["you are a f***ing idiot", "ты stuuuupid", "ты дураааак", "Ты И-ДИ-ОТ, идиот"])
def test_masks_and_drawn_out_words(text: str) -> None:
    assert judge(text, "en").category == "insult"
