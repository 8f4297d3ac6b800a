"""The game's words replaced for a model that has never played it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moderation.neutral import neutral


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Number five is BLACK, let's shoot him!", "Number five is suspicious, let's pick him!"),
        ("the blacks won this round", "the suspects won this round"),
        ("you are a liar, sheriff", "you are a player, player"),
        ("my prostitute was killed in the night", "my player was picked in the night"),
        ("Шестой чёрный, убьём его", "Шестой подозрительный, выберем его"),
        ("чёрную двойку повесили", "подозрительную двойку выбрали"),
        ("дон врёт", "игрок ошибается"),
        ("вешаем red или black", "выберем honest или suspicious"),
    ],
)
def test_the_game_is_replaced(said: str, read: str) -> None:
    assert neutral(said) == read


@pytest.mark.parametrize(
    "said",
    [
        "kill yourself",
        "black people are not welcome here",
        "kill all of them",
        "убей себя",
        "чёрные мужики",
        "the blacks are retards",
        "i pass my turn",
        "убийственно, черника, skillet, reddish, dontcha, lieutenant",
        "",
    ],
)
def test_what_is_not_the_game_stays(said: str) -> None:
    assert neutral(said) == said


@given(st.text(max_size=200))
def test_any_text_keeps_what_is_no_word_of_the_game(said: str) -> None:
    assert neutral(neutral(said)) == neutral(said)
