"""What bots say follows from what they believe, or pretend to believe, and from what is on the record."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from engine.bots import bot_for, words
from engine.bots.talker import Talker
from engine.bots.words import HOUSE_LINES, HOUSE_REASONS, LANGS, LINES, REASONS, Voice
from engine.selfplay import play
from engine.stream import Stream
from engine.view import view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.bots.bot import Lang

NAMING = ("suspect", "suspect_because", "last_suspect")


class Recorder:
    """Stands in for a bot's voice, and tells of each line what it is about, and what its bot then believed."""

    def __init__(self, bot: Talker) -> None:
        self.bot = bot
        self.spoken: list[tuple[str, int | None, tuple[str, int] | None, int | None]] = []

    def line(self, topic: str, seat: int | None = None, because: tuple[str, int] | None = None) -> str:
        suspects = self.bot.suspects()
        self.spoken.append((topic, seat, because, suspects[0] if suspects else None))
        return f"{topic} {seat}"


def recorded(ruleset: str, options: dict[str, object], seed: int) -> Iterator[tuple[Talker, list[Any], Recorder]]:
    """Every seat's bot of a played game with all that it said: heard by feeding the same game to it again."""
    played = play(seed, ruleset, options)
    game, events = played.start.game()
    bots = []
    for seat in range(1, len(game.cards) + 1):
        bot = bot_for(ruleset, seat, "en", seed, game.numbers)
        assert isinstance(bot, Talker)
        recorder = Recorder(bot)
        bot._voice = recorder  # type: ignore[assignment]
        bots.append((bot, recorder))
    fresh = list(events)
    for t, command in [*played.inputs, (game.now, None)]:
        for bot, _ in bots:
            for event in fresh:
                seen = view(event, bot.seat)
                if seen is not None:
                    bot.see(seen)
            bot.act(game.now)
        fresh = game.advance(t) if command is None else game.command(command, t)
        events += fresh
    for bot, recorder in bots:
        yield bot, events, recorder


TABLES = pytest.mark.parametrize(
    ("ruleset", "options"), [("sport", {}), ("quick", {}), ("teaching", {}), ("party", {"seats": 9})]
)


@TABLES
def test_a_named_suspect_is_whom_the_bot_would_see_leave(ruleset: str, options: dict[str, object]) -> None:
    named = 0
    for seed in range(6):
        for bot, _, recorder in recorded(ruleset, options, seed):
            for topic, seat, _, top in recorder.spoken:
                if topic in NAMING:
                    named += 1
                    assert seat == top != bot.seat
    assert named > 20


@TABLES
def test_a_black_bot_shows_what_a_red_player_in_its_seat_would_believe(
    ruleset: str, options: dict[str, object]
) -> None:
    for seed in range(6):
        for bot, _, _ in recorded(ruleset, options, seed):
            if bot.is_black and bot.scene.lives:
                known = bot.known()
                assert bot.seat in known.red
                mates = set(bot.scene.team) - {bot.seat}
                shown = {seat for seat, black in bot.shown.items() if black}
                revealed = {seat for seat, black in bot.evidence.revealed.items() if black}
                assert known.black & mates <= shown | revealed, "what only the team knows"
                assert bot.believed()[bot.seat] == 0.0


def happened(because: tuple[str, int], seat: int, events: list[Any]) -> bool:
    """Whether the record has the fact that a reason names."""
    name, by = because
    match name:
        case "shown_black":
            return any(
                event.name == "signed"
                and event.fields["seat"] == by
                and event.fields["sentence"][:2] == ["check", seat]
                for event in events
            ) or any(
                event.name == "said" and event.fields["seat"] == by and event.fields.get("target") == seat
                for event in events
            )
        case "rival":
            claimants = {
                event.fields["seat"]
                for event in events
                if (event.name == "said" and event.fields["kind"] == "claim")
                or (event.name == "signed" and event.fields["sentence"][0] == "check")
            }
            return {seat, by} <= claimants
        case "voted_red" | "voted_checked":
            return any(event.name == "votes" and event.fields["votes"].get(str(seat)) == by for event in events)
        case "spared":
            return any(event.name == "votes" and event.fields["votes"].get(str(seat), by) != by for event in events)
        case "nominated_red":
            return any(
                event.name == "nominated" and event.fields["by"] == seat and event.fields["seat"] == by
                for event in events
            )
        case "best_move":
            return any(
                event.name == "best_move" and event.fields["seat"] == by and seat in event.fields["seats"]
                for event in events
            )
        case "silent":
            return True  # of an earlier time: later the seat may have named somebody
    raise AssertionError(f"a reason that this test does not know: {name}")


@TABLES
def test_reasons_name_what_happened(ruleset: str, options: dict[str, object]) -> None:
    seen: set[str] = set()
    for seed in range(12):
        for _, events, recorder in recorded(ruleset, options, seed):
            for _, seat, because, _ in recorder.spoken:
                if because is not None and seat is not None:
                    assert happened(because, seat, events), (seed, seat, because)
                    seen.add(because[0])
    if ruleset == "sport":
        assert seen >= {"shown_black", "rival", "voted_red", "best_move", "spared"}


def test_captions_say_what_was_done() -> None:
    for seed in range(8):
        game = play(seed)
        for event in game.events:
            if event.name == "nominated":
                by, target = event.fields["by"], event.fields["seat"]
                assert any(seat == by and str(target) in text for t, seat, text in game.captions if t >= event.t)


def test_every_topic_and_reason_has_both_languages_and_the_same_fields() -> None:
    for lines, reasons in ((LINES, REASONS), (HOUSE_LINES, HOUSE_REASONS)):
        assert set(lines["en"]) == set(lines["ru"])
        assert set(reasons["en"]) == set(reasons["ru"])
        for topic in lines["en"]:
            for lang in LANGS:
                assert len(set(lines[lang][topic])) >= 2
                for line in lines[lang][topic]:
                    assert ("{reason}" in line) == (topic == "suspect_because"), line
                    assert not re.search(r"\{(?!seat\}|reason\})", line)
            seats = [[("{seat}" in line) for line in lines[lang][topic]] for lang in LANGS]
            assert seats[0] == seats[1], topic
    assert words.REASONS is REASONS


MASCULINE_OR_FEMININE = re.compile(
    r"\b(?:я|мне)\b[^.]*\b\w+(?:ал|ял|ил|ел|ала|яла|ила|ела|лся|лась)\b|\b(?:рад|рада|уверен|уверена|готов|готова|должен|должна)\b",
    re.IGNORECASE,
)


def test_russian_lines_give_their_speaker_no_gender() -> None:
    for lines in (LINES["ru"], HOUSE_LINES["ru"]):
        for topic in lines.values():
            for line in topic:
                assert not MASCULINE_OR_FEMININE.search(line), line
    assert MASCULINE_OR_FEMININE.search("Я проверил место 3.")
    assert MASCULINE_OR_FEMININE.search("Тут я уверена.")


def test_where_cards_have_no_colours_nobody_speaks_of_them() -> None:
    colours = re.compile(r"\b(?:red|black)\b|красн|чёрн", re.IGNORECASE)
    for ruleset, options in (("quick", {}), ("teaching", {}), ("party", {"seats": 9})):
        for lang in LANGS:
            for seed in range(6):
                for _, _, text in play(seed, ruleset, options, lang).captions:
                    assert not colours.search(text), text


@pytest.mark.parametrize("lang", LANGS)
def test_no_line_comes_again_before_the_topics_others_have(lang: Lang) -> None:
    voice = Voice(lang, Stream(1), colours=True)
    for _ in range(3):
        said = [voice.line("suspect", 4) for _ in LINES[lang]["suspect"]]
        assert len(set(said)) == len(said)
