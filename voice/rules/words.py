"""What a rules page says around the rules themselves."""

from __future__ import annotations

from engine.rulebook import Words

TITLE = Words("Mafia: the rules", "Мафия: правила")
CONTENTS = Words("Contents", "Содержание")
NUMBERS = Words("The numbers of this table", "Числа этого стола")
NUMBER = Words("Number", "Число")
VALUE = Words("Value", "Значение")
OPTION = Words("Option", "Параметр")
DECKS = Words("Cards by the number of seats", "Карты по числу мест")
SEATS = Words("Seats", "Мест")
CODE = Words("Code of these rules:", "Код этих правил:")
LINK = Words("Link to this rule", "Ссылка на это правило")
