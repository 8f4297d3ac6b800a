"""What the numbers of the rulesets' tables, and the cards, are called on a rules page."""

from __future__ import annotations

from engine.rulebook.rule import Words

NUMBERS: dict[str, Words] = {
    "seats": Words("Seats", "Мест за столом"),
    "away_s": Words("Time to come back after a lost connection", "На возвращение после потери связи"),
    "signs_per_speech": Words("Sign sentences in one speech", "Фраз жестами за одну речь"),
    "signs_per_sentence": Words("Signs in one sentence", "Жестов в одной фразе"),
    "floor_s": Words("A held floor", "Слово без перебивания"),
    "agreement_s": Words("Agreement", "Договорка"),
    "recognition_s": Words("Recognition", "Знакомство мафии"),
    "shot_s": Words("Shot", "Выстрел"),
    "don_check_s": Words("Don’s check", "Проверка дона"),
    "sheriff_check_s": Words("Sheriff’s check", "Проверка шерифа"),
    "check_s": Words("Detective’s check", "Проверка детектива"),
    "protect_s": Words("Doctor’s protection", "Защита доктора"),
    "speech_s": Words("Speech", "Речь"),
    "short_speech_s": Words("Short speech", "Короткая речь"),
    "short_turn_s": Words("Skipped speech", "Пропущенная речь"),
    "discussion_s": Words("Discussion", "Обсуждение"),
    "nomination_s": Words("Nomination", "Выставление"),
    "defence_s": Words("Defence", "Защитная речь"),
    "vote_s": Words("Vote", "Голосование"),
    "tie_speech_s": Words("Speech in a tie", "Речь при ничьей"),
    "lift_s": Words("Lift", "Подъём"),
    "best_move_s": Words("Best move", "Лучший ход"),
    "last_word_s": Words("Last word", "Последнее слово"),
}
"""Labels of numbers that more than one ruleset has, or may have: times of phases, and what the shared parts need."""

CARDS: dict[str, Words] = {
    "civilian": Words("Civilian", "Мирный"),
    "sheriff": Words("Sheriff", "Шериф"),
    "mafia": Words("Mafia", "Мафия"),
    "don": Words("Don", "Дон"),
    "town": Words("Town", "Город"),
    "detective": Words("Detective", "Детектив"),
    "doctor": Words("Doctor", "Доктор"),
}
