"""Whole numbers in words, English and Russian: a recogniser writes "30" for what a text has as "thirty"."""

from __future__ import annotations

BEYOND = 1_000_000

_EN_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_EN_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_RU_SMALL = [
    "ноль",
    "один",
    "два",
    "три",
    "четыре",
    "пять",
    "шесть",
    "семь",
    "восемь",
    "девять",
    "десять",
    "одиннадцать",
    "двенадцать",
    "тринадцать",
    "четырнадцать",
    "пятнадцать",
    "шестнадцать",
    "семнадцать",
    "восемнадцать",
    "девятнадцать",
]
_RU_TENS = ["двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто"]
_RU_HUNDREDS = ["сто", "двести", "триста", "четыреста", "пятьсот", "шестьсот", "семьсот", "восемьсот", "девятьсот"]


def in_words(number: int, lang: str) -> list[str]:
    """The words of a number from 0 to 999,999 in `en` or `ru` (nominative); its digits for any other."""
    if lang not in ("en", "ru") or not 0 <= number < BEYOND:
        return [str(number)]
    if number == 0:
        return [_EN_SMALL[0] if lang == "en" else _RU_SMALL[0]]
    thousands, rest = divmod(number, 1000)
    below = _en_below_thousand if lang == "en" else _ru_below_thousand
    words = below(rest)
    if not thousands:
        return words
    if lang == "en":
        return [*below(thousands), "thousand", *words]
    return [*_ru_thousands(thousands), *words]


def _en_below_thousand(number: int) -> list[str]:
    hundreds, rest = divmod(number, 100)
    words = [_EN_SMALL[hundreds], "hundred"] if hundreds else []
    if rest < 20:
        return words + ([_EN_SMALL[rest]] if rest else [])
    return [*words, _EN_TENS[rest // 10 - 2], *([_EN_SMALL[rest % 10]] if rest % 10 else [])]


def _ru_below_thousand(number: int) -> list[str]:
    hundreds, rest = divmod(number, 100)
    words = [_RU_HUNDREDS[hundreds - 1]] if hundreds else []
    if rest < 20:
        return words + ([_RU_SMALL[rest]] if rest else [])
    return [*words, _RU_TENS[rest // 10 - 2], *([_RU_SMALL[rest % 10]] if rest % 10 else [])]


def _ru_thousands(number: int) -> list[str]:
    words = _ru_below_thousand(number)
    last = words[-1]
    words[-1] = {"один": "одна", "два": "две"}.get(last, last)
    name = "тысяча" if last == "один" else "тысячи" if last in ("два", "три", "четыре") else "тысяч"
    return [*words, name] if number > 1 else [name]
