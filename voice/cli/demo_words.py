"""What the demo prints, in English and Russian."""

from __future__ import annotations

import time
from typing import Any, Final

WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "night": "night {number}",
        "day": "day {number}",
        "phase": "{name}{seat} ({seconds:.0f} s)",
        "of_seat": ", seat {seat}",
        "mic_open": "microphone open: {seats}",
        "mic_closed": "microphone closed: {seats}",
        "mine": " (the recorded player: the server lets them be heard)",
        "line": "seat {seat} said: {text}",
        "nominated": "accepted: {seat}",
        "verdict": "moderation: “{text}”: {category}, {severity} [{rules}]",
        "review": "for a person",
        "warned": "WARNING: seat {seat}, {category}",
        "fouled": "FOUL: seat {seat}, {category}; that is foul {fouls}",
        "insult": "insult",
        "hate": "hate",
        "sexual": "sexual remark",
        "likely": "likely",
        "clear": "clear",
    },
    "ru": {
        "night": "ночь {number}",
        "day": "день {number}",
        "phase": "{name}{seat} ({seconds:.0f} с)",
        "of_seat": ", место {seat}",
        "mic_open": "микрофон открыт: {seats}",
        "mic_closed": "микрофон закрыт: {seats}",
        "mine": " (игрок с записью: сервер даёт его слышать)",
        "line": "место {seat} говорит: {text}",
        "nominated": "принято: {seat}",
        "verdict": "модерация: «{text}»: {category}, {severity} [{rules}]",
        "review": "нужен человек",
        "warned": "ПРЕДУПРЕЖДЕНИЕ: место {seat}, {category}",
        "fouled": "ФОЛ: место {seat}, {category}; это фол номер {fouls}",
        "insult": "оскорбление",
        "hate": "вражда",
        "sexual": "сексуальное замечание",
        "likely": "вероятно",
        "clear": "явно",
        "agreement": "договорка",
        "speech": "минута",
        "short_turn": "короткий ход",
        "vote": "голосование",
        "tie_speech": "речь при ничьей",
        "lift": "подъём",
        "shot": "выстрел",
        "don_check": "проверка дона",
        "sheriff_check": "проверка шерифа",
        "best_move": "лучший ход",
        "last_word": "последнее слово",
        "over": "конец игры",
    },
}


class Teller:
    """Prints what a player's connection is told, one line each, with the seconds since the demo began."""

    def __init__(self, lang: str) -> None:
        self._words = WORDS[lang]
        self._began = time.monotonic()
        self._open: set[int] = set()

    def say(self, text: str) -> None:
        """One line."""
        print(f"{time.monotonic() - self._began:6.1f} s  {text}", flush=True)

    def tell(self, message: dict[str, Any], own_seat: int | None) -> None:
        """A message from the table, where it is one to tell."""
        if message["type"] == "line":
            self.say(self._words["line"].format_map(message))
        elif message["type"] == "event":
            said = self._event(message["event"], own_seat)
            if said is not None:
                self.say(said)

    def judged(self, line: dict[str, Any]) -> None:
        """A flagged line as the moderators have it."""
        words = self._words
        self.say(
            words["verdict"].format(
                text=line["text"],
                category=words.get(line["category"], line["category"]),
                severity=words[line["severity"] or "review"],
                rules=", ".join(hit["rule"] for hit in line["why"]),
            )
        )

    def _event(self, event: dict[str, Any], own_seat: int | None) -> str | None:
        words, kind = self._words, event["event"]
        if kind == "phase":
            seat = words["of_seat"].format(seat=event["seat"]) if "seat" in event else ""
            seconds = 0.0 if event["ends"] is None else event["ends"] - event["t"]
            name = words.get(event["name"], event["name"].replace("_", " "))
            return words["phase"].format(name=name, seat=seat, seconds=seconds)
        if kind == "mic":
            return self._mic(set(event["seats"]), own_seat)
        if kind in ("warned", "fouled"):
            category = words.get(event.get("category", ""), event.get("why", ""))
            return words[kind].format(**{**event, "category": category})
        if kind in ("night", "day", "nominated"):
            return words[kind].format_map(event)
        return None

    def _mic(self, seats: set[int], own_seat: int | None) -> str:
        said = []
        for word, moved in (("mic_closed", self._open - seats), ("mic_open", seats - self._open)):
            if moved:
                mine = self._words["mine"] if word == "mic_open" and own_seat in moved else ""
                said.append(self._words[word].format(seats=", ".join(map(str, sorted(moved)))) + mine)
        self._open = seats
        return "; ".join(said)
