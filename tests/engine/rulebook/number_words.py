"""Numbers in running text: digits and number words, English and Russian."""

from __future__ import annotations

import re

_EN = {
    **dict.fromkeys(("one", "once", "single", "first"), 1),
    **dict.fromkeys(("two", "twice", "both", "pair", "couple", "second"), 2),
    **dict.fromkeys(("three", "thrice", "third"), 3),
    **dict.fromkeys(("four", "fourth"), 4),
    **dict.fromkeys(("five", "fifth"), 5),
    **dict.fromkeys(("six", "sixth"), 6),
    **dict.fromkeys(("seven", "seventh"), 7),
    **dict.fromkeys(("eight", "eighth"), 8),
    **dict.fromkeys(("nine", "ninth"), 9),
    **dict.fromkeys(("ten", "tenth"), 10),
    "zero": 0,
    "half": 0.5,
    "halves": 0.5,
    "eleven": 11,
    "twelve": 12,
    "dozen": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
    "hundred": 100,
}
_RU: dict[float, str] = {
    0.5: "половина половины половину половине полминуты",
    1: "один одна одно одни одну одной одного одному одним одном одних одними однажды",
    2: "два две двух двум двумя двое двоих двоим двоими оба обе обоих дважды",
    3: "три трёх трём тремя трое троих троим троими трижды",
    4: "четыре четырёх четырём четырьмя четверо четверых",
    5: "пять пяти пятью пятеро пятерых",
    6: "шесть шести шестью шестеро шестерых",
    7: "семь семи семью семеро семерых",
    8: "восемь восьми восемью восьмеро восьмерых",
    9: "девять девяти девятью девятеро девятерых",
    10: "десять десяти десятью десятеро десятерых",
    20: "двадцать двадцати двадцатью",
    30: "тридцать тридцати тридцатью",
    40: "сорок сорока",
    60: "шестьдесят шестидесяти",
    100: "сто",
}
_RU_ORDINALS = {1: "перв", 2: "втор", 3: "трет", 4: "четвёрт", 5: "пят"}
_RU_ORDINAL_ENDINGS = "(?:ый|ой|ий|ая|ья|ое|ье|ого|ьего|ому|ьему|ую|ью|ым|ьим|ом|ьем|ей|ьей|ые|ьи|ых|ьих)"

WORDS: dict[str, float] = {**_EN, **{word: value for value, words in _RU.items() for word in words.split()}}
_ORDINAL_STEMS = "|".join(_RU_ORDINALS.values())
_TOKEN = re.compile(
    r"(?P<digits>(?<![\w.,])[+\N{MINUS SIGN}-]?\d+(?:[.,]\d+)?)(?:st|nd|rd|th|-й|-го|-м)?\b"
    rf"|\b(?P<word>{'|'.join(sorted(WORDS, key=len, reverse=True))})\b"
    rf"|\b(?P<stem>{_ORDINAL_STEMS}){_RU_ORDINAL_ENDINGS}\b",
    re.IGNORECASE,
)


def numbers_in(text: str) -> list[tuple[str, float]]:
    """Every number of `text` in its order: as it stands there, and its value."""
    return [(match[0], _value(match)) for match in _TOKEN.finditer(text)]


def _value(match: re.Match[str]) -> float:
    if match["digits"]:
        return float(match["digits"].replace(",", ".").replace("\N{MINUS SIGN}", "-"))
    if match["word"]:
        return WORDS[match["word"].lower()]
    stem = match["stem"].lower()
    return next(value for value, known in _RU_ORDINALS.items() if known == stem)
