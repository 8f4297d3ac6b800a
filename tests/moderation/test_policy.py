"""The policy, sentence by sentence: what is flagged, what is not, and how far it carries."""

import pytest

from moderation import judge


def outcome(text: str, lang: str) -> tuple[str | None, str | None]:
    verdict = judge(text, lang)
    assert (verdict.category is None) == (verdict.severity is None)
    return verdict.category, verdict.severity


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "you are a worthless idiot"),
        ("en", "seat four is a moron"),
        ("en", "he is an asshole"),
        ("en", "Alice is a moron"),
        ("ru", "ты законченный идиот"),
        ("ru", "четвёртый номер дебил"),
        ("ru", "она мразь"),
        ("ru", "Саша кретин"),
    ],
)
def test_abuse_of_a_person_at_the_table_is_clear(lang: str, text: str) -> None:
    assert outcome(text, lang) == ("insult", "clear")


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "your brain is on holiday, number two"),
        ("en", "let the grown-ups talk, sweetie"),
        ("en", "only a fool like you votes there"),
        ("en", "you are as sharp as a spoon"),
        ("ru", "мозги дома забыл второй номер"),
        ("ru", "успокойся деточка"),
        ("ru", "только такой баран как ты туда голосует"),
        ("ru", "ты что тупой что ли"),
    ],
)
def test_milder_and_implied_abuse_is_likely(lang: str, text: str) -> None:
    assert outcome(text, lang) == ("insult", "likely")


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "fuck you, number three"),
        ("en", "kill yourself"),
        ("en", "I hope you get cancer"),
        ("ru", "пошёл ты на хуй"),
        ("ru", "сдохни"),
        ("ru", "убей себя"),
    ],
)
def test_swearing_at_a_player_and_wishing_harm_is_clear(lang: str, text: str) -> None:
    assert outcome(text, lang) == ("insult", "clear")


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "kill him, shoot her, hang five"),
        ("en", "the sheriff is a liar and a traitor"),
        ("en", "your speech was garbage and your vote was stupid"),
        ("en", "fuck, what a night"),
        ("en", "I am an idiot"),
        ("ru", "убейте его стреляйте в неё вешайте пятого"),
        ("ru", "шериф лжец и предатель"),
        ("ru", "твоя речь мусор а голос тупой"),
        ("ru", "блядь какая ночь"),
        ("ru", "я идиот"),
    ],
)
def test_game_talk_things_swearing_and_self_abuse_are_nothing(lang: str, text: str) -> None:
    assert outcome(text, lang) == (None, None)


@pytest.mark.parametrize(
    ("lang", "text", "severity"),
    [
        ("en", "all blacks are monkeys", "clear"),
        ("en", "women are too dumb for this game", "clear"),
        ("en", "I don't play with kikes", "clear"),
        ("en", "you play like a girl", "likely"),
        ("ru", "все негры тупые", "clear"),
        ("ru", "бабы не умеют играть", "clear"),
        ("ru", "с хачами не играю", "clear"),
        ("ru", "ты играешь как баба", "likely"),
    ],
)
def test_attacks_on_people_for_what_they_are(lang: str, text: str, severity: str) -> None:
    assert outcome(text, lang) == ("hate", severity)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "the blacks won this round"),
        ("en", "two blacks against three reds"),
        ("en", "I am gay and I am red"),
        ("en", "my neighbour is a muslim and a good player"),
        ("ru", "чёрные выиграли этот круг"),
        ("ru", "двое чёрных против троих красных"),
        ("ru", "мой сосед еврей хороший игрок"),
        ("ru", "девушка на пятом красная"),
    ],
)
def test_groups_without_an_attack_and_team_colours_are_nothing(lang: str, text: str) -> None:
    assert outcome(text, lang) == (None, None)


@pytest.mark.parametrize(
    ("lang", "text", "severity"),
    [
        ("en", "show us your tits", "clear"),
        ("en", "I want to fuck you", "clear"),
        ("en", "number five is so sexy", "likely"),
        ("ru", "покажи сиськи", "clear"),
        ("ru", "хочу тебя трахнуть", "clear"),
        ("ru", "пятая такая сексуальная", "likely"),
    ],
)
def test_sexual_demands_and_remarks(lang: str, text: str, severity: str) -> None:
    assert outcome(text, lang) == ("sexual", severity)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "the prostitute visited number three"),
        ("en", "the lover blocked the doctor"),
        ("en", "I want number four"),
        ("en", "he came late"),
        ("ru", "путана ходила к третьему"),
        ("ru", "любовница заблокировала доктора"),
        ("ru", "хочу четвёртого"),
        ("ru", "он член мафии"),
    ],
)
def test_roles_and_second_senses_are_nothing(lang: str, text: str) -> None:
    assert outcome(text, lang) == (None, None)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "nobody calls you an idiot"),
        ("en", "you are not a fool"),
        ("en", "he called me an idiot, judge"),
        ("en", "she told me to kill myself"),
        ("en", "I was called a bastard"),
        ("ru", "никто не называет тебя идиотом"),
        ("ru", "ты не дурак"),
        ("ru", "он назвал меня идиотом судья"),
        ("ru", "судья шестой меня козлом обозвал"),
        ("ru", "мне сказали иди нахуй"),
    ],
)
def test_negation_quoting_and_complaining_are_nothing(lang: str, text: str) -> None:
    verdict = judge(text, lang)
    assert (verdict.category, verdict.review) == (None, False)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "he called me a faggot"),
        ("en", "number six said nigger"),
        ("ru", "он назвал меня пидором"),
        ("ru", "шестой сказал жид"),
    ],
)
def test_a_quoted_slur_goes_to_a_person_silently(lang: str, text: str) -> None:
    verdict = judge(text, lang)
    assert (verdict.category, verdict.severity, verdict.review) == (None, None, True)
    assert 0 < verdict.scores["hate"] < 0.5
    assert verdict.why


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "I come from Scunthorpe, pass the assessment to the assistant"),
        ("en", "a peacock, a cockpit and a cocktail"),
        ("en", "Dick and Fanny play tonight"),
        ("ru", "застрахуй меня я употребил рубля на два не колебаться"),
        ("ru", "херувим с мандатом после чаепития"),
        ("ru", "команда гондольеров потребляет"),
    ],
)
def test_parts_of_words_and_names_are_nothing(lang: str, text: str) -> None:
    assert outcome(text, lang) == (None, None)


def test_a_strong_insult_with_nobody_named_is_likely() -> None:
    assert outcome("we are playing with idiots", "en") == ("insult", "likely")
    assert outcome("с идиотами невозможно играть", "ru") == ("insult", "likely")


def test_a_mild_word_beside_swearing_is_clear() -> None:
    assert outcome("you are a fucking clown", "en") == ("insult", "clear")
    assert outcome("ты блядь тупой", "ru") == ("insult", "clear")


def test_one_insult_in_a_long_speech_is_found_and_is_no_quotation() -> None:
    before = "thank you all for this game I liked every speech of the first day and the vote was fair "
    after = " and now I pass the word to six who knows more about the night than I do"
    text = before + "and I want to say that number five is a bitch" + after
    verdict = judge(text, "en")
    assert verdict.category == "insult"
    assert [text[hit.start : hit.end] for hit in verdict.why] == ["bitch"]


def test_both_lexicons_apply_to_either_language() -> None:
    assert outcome("ты просто loser, moron", "ru")[0] == "insult"
    assert outcome("number two ты идиот", "en") == ("insult", "clear")


def test_the_graver_category_names_a_line_that_holds_two() -> None:
    assert outcome("you idiot, you faggot", "en") == ("hate", "clear")
    verdict = judge("you idiot, you faggot", "en")
    assert verdict.scores["insult"] > 0.9
    assert verdict.scores["hate"] > 0.9
