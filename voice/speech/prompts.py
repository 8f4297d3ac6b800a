"""What a decoder may be told to have been said before: a few sentences of a game, for its words to be expected.

Off unless asked for. Of tiny.en, on 40 table lines in synthetic voices, it took 4 of 15 wrong words away; on 27
recordings of people who speak of other things it put 6 to 11. The base model's Russian gains insults and loses plain
speech. No insult is in them: what is in a prompt is also heard where it was not said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

GAME: Mapping[str, str] = {
    "en": "We play Mafia. I nominate number five. The sheriff checked number three, he is red. The don is black. "
    "Thank you, I pass.",
    "ru": "Мы играем в мафию. Я выставляю пятого. Шериф проверил третьего, он красный. Дон чёрный. Спасибо, пас.",
}
"""By language."""
