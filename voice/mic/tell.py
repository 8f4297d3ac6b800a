"""A message of the table to the line that is printed for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .words import WORDS

if TYPE_CHECKING:
    from .state import TableState


class Teller:
    """Lines in one language. `line` is called after the state has taken the message."""

    def __init__(self, lang: str, state: TableState) -> None:
        self.words = WORDS[lang]
        self._state = state
        self._was_open = False
        self._captions = "live"
        self._lost = 0

    def line(self, message: dict[str, Any]) -> str | None:
        """What to say of it; None for nothing."""
        kind, state = message["type"], self._state
        if kind == "line":
            return self.words["line"].format(who=state.who(message["seat"]), text=message["text"])
        if kind == "lobby" and state.waiting:
            return self.words["lobby"].format(people=", ".join(state.waiting))
        if kind == "seated":
            return self.words["seated"].format(seat=message["seat"])
        if kind == "proposal" and message["command"] is not None:
            command = message["command"]
            what = command["do"] if command["do"] != "say" else command["kind"]
            named = command.get("target") or command.get("card") or ""
            return self.words["proposal"].format(what=f"{what} {named}".strip())
        if kind == "captions":
            return self._keep_up(message["state"], message["lost"])
        if kind == "refused":
            return self.words["refused"].format(why=message["why"])
        if kind == "error":
            return self.words["error"].format(message=message["message"])
        return self._event(message["event"]) if kind == "event" else None

    def _keep_up(self, captions: str, lost: int) -> str | None:
        before, self._captions = self._captions, captions
        told = [self.words.get(f"captions_{captions}")] if captions != before else []
        if lost > self._lost:
            told.append(self.words["captions_lost"].format(lost=lost))
        self._lost = lost
        return "; ".join(each for each in told if each) or None

    def consent(self, days: float | None, evidence_days: float | None = None) -> str:
        """What becomes of what is said, before sitting down. For how many days words, and flagged lines with their
        sound, are kept; None: not known."""
        if days is None:
            kept = self.words["kept_unknown"]
        else:
            kept = self.words["kept_days"].format(days=days) if days else self.words["kept_closed"]
        known = evidence_days is not None
        evidence = self.words["evidence_days"].format(days=evidence_days) if known else self.words["evidence_unknown"]
        return self.words["consent"].format(kept=kept, evidence=evidence)

    def _event(self, event: dict[str, Any]) -> str | None:
        words, state, kind = self.words, self._state, event["event"]
        if kind == "phase":
            seat = words["of_seat"].format(who=state.who(event["seat"])) if event.get("seat") else ""
            ends = event["ends"]
            seconds = "" if ends is None else words["seconds"].format(seconds=ends - event["t"])
            return words["phase"].format(name=event["name"].replace("_", " "), seat=seat, seconds=seconds)
        if kind == "mic":
            return self._mic()
        if kind == "dealt":
            return words["card"].format(card=event["card"])
        if kind == "morning":
            return words["morning"].format(killed=self._seats(event["killed"]) or words["nobody"])
        if kind in words and kind not in ("voice", "back"):
            facts = {**event, "who": state.who(event["seat"]) if "seat" in event else ""}
            return words[kind].format_map(_Facts(facts))
        return None

    def _seats(self, seats: Any) -> str:
        return ", ".join(self._state.who(seat) for seat in (seats if isinstance(seats, list) else [seats]) if seat)

    def _mic(self) -> str | None:
        was, self._was_open = self._was_open, self._state.open
        if self._was_open:
            return self.words["mic_mine"] if not was else None
        if was:
            return self.words["mic_mine_closed"]
        others = self._seats(sorted(self._state.mic))
        return self.words["mic"].format(seats=others) if others else None


class _Facts(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "-"
