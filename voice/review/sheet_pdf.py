"""The protocol sheet as a PDF: A4 landscape, the fields of the clubs' paper form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.rulebook.labels import CARDS
from voice.review.paper import HEIGHT, MARGIN, WIDTH, Paper
from voice.review.sheet_words import SHEET
from voice.review.table_csv import number, when
from voice.review.words import CIRCLES, LEFT, STATES, WINNERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.review import Review
    from engine.review.players import Player
    from engine.rulebook.rule import Lang
    from voice.review.head import Head

LEFT_WIDTH = 176.0
RIGHT_X = MARGIN + LEFT_WIDTH + 5
RIGHT_WIDTH = WIDTH - MARGIN - RIGHT_X
TOP = 30.0
BOTTOM = HEIGHT - MARGIN - 4
FOULS = 4
ROUNDS = 20  # of one day in one piece; more than a column holds would fit nowhere
COLUMNS = {"no": 8.0, "nick": 53.0, "role": 24.0, "fouls": 8.0 * FOULS, "left": 29.0, "points": 15.0, "extra": 15.0}


def pdf_sheet(review: Review, names: Mapping[int, str], head: Head, lang: Lang) -> bytes:
    """The sheet of a game: the front, the reverse, and more pages where the votings do not fit.

    Raises:
        SheetError: what is in the log can't stand on a sheet.
    """
    review.check_sheet()
    with Paper(SHEET["title"].say(lang)) as paper:
        return _Sheet(review, names, head, lang, paper).write()


class _Sheet:
    def __init__(self, review: Review, names: Mapping[int, str], head: Head, lang: Lang, paper: Paper) -> None:
        self.review = review
        self.names = names
        self.head = head
        self.lang = lang
        self.paper = paper

    def say(self, word: str) -> str:
        return SHEET[word].say(self.lang)

    def _points(self, written: str) -> str:
        return written.replace(".", ",") if self.lang == "ru" else written

    def write(self) -> bytes:
        self._front()
        left_over = self._votings(self._ballots(), RIGHT_X, TOP, RIGHT_WIDTH)
        self._reverse()
        while left_over:
            self.paper.page()
            self._heading("votings_on")
            third = (WIDTH - 2 * MARGIN - 10) / 3
            for column in range(3):
                left_over = self._votings(left_over, MARGIN + column * (third + 5), TOP - 10, third)
        return self.paper.bytes()

    # the front

    def _front(self) -> None:
        self.paper.page()
        self._heading("title")
        self._head_boxes()
        below = self._table()
        self._result(below + 3)
        self._signatures()
        self.paper.label(RIGHT_X, TOP - 5, self.say("votings"), size=9, width=RIGHT_WIDTH)

    def _heading(self, word: str) -> None:
        played = self.review.played
        game = "" if played is None else played.ruleset if self.review.code() is None else str(self.review.code())
        state = "" if self.review.state == "finished" else f" · {STATES[self.review.state].say(self.lang)}"
        self.paper.box(MARGIN, MARGIN - 2, 120, 7, self.say(word), size=13, bold=True, border=False)
        self.paper.box(WIDTH - MARGIN - 120, MARGIN - 2, 120, 7, f"voicetable · {game}{state}", size=8, align="R",
                       border=False)  # fmt: skip

    def _head_boxes(self) -> None:
        x, y = MARGIN, MARGIN + 5.5
        fields = (
            ("tournament", self.head.tournament, 110.0), ("stage", self.head.stage, 55.0),
            ("date", self.head.date, 42.0),
            ("table_no", self.head.table_no, 37.0), ("game_no", self.head.game_no, 37.0),
        )  # fmt: skip
        for word, text, width in fields:
            self.paper.box(x, y, width, 9)
            self.paper.label(x, y, self.say(word), width=width)
            self.paper.box(x, y + 2.8, width, 6, text, size=10, border=False)
            x += width

    def _table(self) -> float:
        """The seats; returns where it ends."""
        players = self.review.players
        height = min(9.5, 98.0 / max(1, len(players)))
        y = TOP - 5
        x = MARGIN
        for word, width in COLUMNS.items():
            self.paper.box(x, y, width, 6, self.say(word), size=7.5, bold=True, align="C", shade=True)
            x += width
        y += 6
        for player in players.values():
            self._seat(player, y, height)
            y += height
        return y

    def _seat(self, player: Player, y: float, height: float) -> None:
        points = self.review.points[player.seat] if self.review.points is not None else None
        role = CARDS[player.card].say(self.lang) if player.card in CARDS else player.card
        x = MARGIN
        paper = self.paper
        paper.box(x, y, COLUMNS["no"], height, str(player.seat), bold=True, align="C")
        x += COLUMNS["no"]
        paper.two_rows(x, y, COLUMNS["nick"], height, self.names.get(player.seat, ""), size=10)
        x += COLUMNS["nick"]
        paper.box(x, y, COLUMNS["role"], height, role, bold=player.colour == "black", shade=player.colour == "black")
        x += COLUMNS["role"]
        for text in self._fouls(player):
            paper.box(x, y, COLUMNS["fouls"] / FOULS, height, text, size=7, align="C")
            x += COLUMNS["fouls"] / FOULS
        how = "" if player.death is None else f"{LEFT[player.death['how']].say(self.lang)}, {when(player, self.lang)}"
        paper.box(x, y, COLUMNS["left"], height, how, size=7.5)
        x += COLUMNS["left"]
        total = "" if points is None else self._points(number(points.total))
        paper.box(x, y, COLUMNS["points"], height, total, size=10, align="C")
        x += COLUMNS["points"]
        extra = "" if points is None or not points.extra else self._points(f"{points.extra:+g}")
        paper.box(x, y, COLUMNS["extra"], height, extra, align="C")

    def _fouls(self, player: Player) -> list[str]:
        """Where each standing foul was given; those that have no box of their own are counted in the last one."""
        marks = [self._circle(foul["stage"]) for foul in player.fouls if not foul["taken_back"]]
        if len(marks) > FOULS:
            marks = [*marks[: FOULS - 1], f"+{len(marks) - FOULS + 1}"]
        return marks + [""] * (FOULS - len(marks))

    def _circle(self, stage: Mapping[str, Any]) -> str:
        if "day" in stage:
            return f"{self.say('day_short')}{stage['day']}"
        return f"{self.say('night_short')}{stage['night']}" if "night" in stage else "×"

    def _result(self, y: float) -> None:
        paper, winner = self.paper, self.review.course.winner
        paper.box(MARGIN, y, 34, 8, self.say("winner"), size=8.5, border=False)
        won = WINNERS[winner].say(self.lang) if winner is not None else STATES[self.review.state].say(self.lang)
        paper.box(MARGIN + 34, y, 42, 8, won, size=10, bold=True, align="C")
        first = next((player for player in self.review.players.values() if player.best_move is not None), None)
        x = MARGIN + 82
        paper.box(x, y, 40, 8, self.say("best_move"), size=8.5, border=False)
        paper.box(x + 40, y, 9, 8, "" if first is None else str(first.seat), size=10, bold=True, align="C")
        paper.box(x + 49, y, 4, 8, ":", border=False, align="C")
        named = [] if first is None else [str(seat) for seat in first.best_move or ()]
        for place in range(max(3, len(named))):
            paper.box(x + 53 + place * 9, y, 9, 8, named[place] if place < len(named) else "", size=10, align="C")

    def _signatures(self) -> None:
        y = BOTTOM - 12
        paper = self.paper
        paper.box(MARGIN, y - 9, 20, 7, self.say("protest"), size=8.5, border=False)
        paper.line(MARGIN + 21, y - 3, LEFT_WIDTH - 21)
        paper.box(MARGIN, y, 20, 7, self.say("judge"), size=8.5, border=False)
        paper.box(MARGIN + 21, y, 75, 6, self.head.judge, size=10, border=False)
        paper.line(MARGIN + 21, y + 6, 75)
        paper.box(MARGIN + 100, y, 22, 7, self.say("signature"), size=8.5, border=False)
        paper.line(MARGIN + 123, y + 6, LEFT_WIDTH - 123)

    # the votings

    def _ballots(self) -> list[list[dict[str, Any]]]:
        """The rounds of each day that had any."""
        days: list[list[dict[str, Any]]] = []
        for ballot in self.review.ballots:
            if not days or days[-1][0]["day"] != ballot["day"] or len(days[-1]) == ROUNDS:
                days.append([])
            days[-1].append(ballot)
        return days

    def _votings(
        self, days: list[list[dict[str, Any]]], x: float, y: float, width: float
    ) -> list[list[dict[str, Any]]]:
        """Draws the days that fit into one column, and returns the others."""
        for place, rounds in enumerate(days):
            if y + self._voting_height(rounds) > BOTTOM:
                return days[place:]
            y = self._voting(rounds, x, y, width) + 2.5
        return []

    def _voting_height(self, rounds: Sequence[Mapping[str, Any]]) -> float:
        return 5.0 + 5.5 * (1 + len(rounds)) + 4.5

    def _voting(self, rounds: Sequence[Mapping[str, Any]], x: float, y: float, width: float) -> float:
        """One day: its candidates, and the votes of each round below them; returns where it ends."""
        paper = self.paper
        candidates = rounds[0].get("candidates", [])
        paper.box(x, y, width, 5, self.say("day").format(rounds[0]["day"]), size=8.5, bold=True, border=False)
        y += 5
        label = 27.0
        cell = min(8.0, (width - label) / max(1, len(candidates)))
        self._cells(x, y, label, cell, self.say("candidates"), [str(seat) for seat in candidates], bold=True)
        y += 5.5
        left: list[int] = []
        for ballot in rounds:
            if "lift" in ballot:
                answer = f"{ballot['lift']} {self.say('of')} {ballot['of']}"
                paper.box(x, y, label, 5.5, self.say("lift"), size=7.5)
                paper.box(x + label, y, min(width - label, 30), 5.5, answer, size=8, align="C")
            else:
                word = self.say("votes") if ballot["round"] == 1 else self.say("revote").format(ballot["round"])
                counts = [
                    str(ballot["count"].get(str(seat), 0)) if seat in ballot["candidates"] else "–"
                    for seat in candidates
                ]
                self._cells(x, y, label, cell, word, counts)
            left += ballot["left"]
            y += 5.5
        gone = f"{self.say('gone')}: {', '.join(map(str, left))}" if left else self.say("nobody_gone")
        paper.box(x, y, width, 4.5, gone, size=7.5, border=False)
        return y + 4.5

    def _cells(
        self, x: float, y: float, label: float, cell: float, word: str, texts: Sequence[str], *, bold: bool = False
    ) -> None:
        self.paper.box(x, y, label, 5.5, word, size=7.5, shade=bold)
        for place, text in enumerate(texts):
            self.paper.box(x + label + place * cell, y, cell, 5.5, text, size=8.5, bold=bold, align="C", shade=bold)

    # the reverse

    def _reverse(self) -> None:
        self.paper.page()
        self._heading("reverse")
        y = self._written(MARGIN + 8, self.say("reasons"), self._reasons(), until=HEIGHT - 62)
        y = max(y + 4, HEIGHT - 58)
        self._written(y, self.say("protest_comments"), [], until=BOTTOM)

    def _written(self, y: float, heading: str, texts: Sequence[str], until: float) -> float:
        """A heading, texts below it, and lines for a pen down to `until`; returns where it ends."""
        paper, width, step = self.paper, WIDTH - 2 * MARGIN, 5.5
        paper.box(MARGIN, y, width, 6, heading, size=9.5, bold=True, border=False)
        y += 7
        rows = [row for text in texts for row in paper.rows(text, width, 8.5)]
        for place, row in enumerate(rows):
            if y + 2 * step > until and place < len(rows) - 1:
                rest = self.say("more").format(len(rows) - place)
                paper.box(MARGIN, y, width, step, rest, size=8.5, border=False)
                y += step
                break
            paper.box(MARGIN, y, width, step, row, size=8.5, border=False)
            y += step
        y += 2
        while y + 7 <= until:
            y += 7
            paper.line(MARGIN, y, width)
        return y

    def _reasons(self) -> list[str]:
        """Why there are points beside the outcome's, and what a club host would have penalised."""
        reasons: list[str] = []
        for seat, own in (self.review.points or {}).items():
            named = self.review.players[seat].best_move or []
            if own.best_move:
                black = sum(self.review.players[each].colour == "black" for each in named)
                listed = ", ".join(map(str, named))
                reasons.append(
                    self.say("for_best_move").format(seat, self._points(f"{own.best_move:+g}"), listed, black)
                )
            if own.removal:
                reasons.append(self.say("for_removal").format(seat, self._points(f"{own.removal:+g}")))
        for row in self.review.club(self.lang):
            places: dict[tuple[str, str], list[str]] = {}
            for found in row["found"]:
                at = self._stage(found["stage"])
                places.setdefault((found["note"], at), []).extend([str(found["seat"])] if found["seat"] else [])
            for (note, at), seats in places.items():
                word = "club_seats" if seats else "club"
                reasons.append(self.say(word).format(note, at, ", ".join(dict.fromkeys(seats))))
        return reasons

    def _stage(self, stage: Mapping[str, Any]) -> str:
        for kind, words in CIRCLES.items():
            if kind in stage:
                return words.say(self.lang).format(stage[kind])
        return ""
