"""What `voicetable simulate` prints: the summary of `engine.simulate`, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def text(title: str, summary: Mapping[str, Any], speed: Mapping[str, Any]) -> str:
    """The tables, one below the other, each line ended."""
    parts = [
        [[title]],
        _shares(summary),
        _lengths(summary),
        _cards(summary["cards"]),
        _play(summary, speed),
    ]
    return "\n".join("".join(line + "\n" for line in _columns(part)) for part in parts)


def _shares(summary: Mapping[str, Any]) -> list[list[str]]:
    rows = [["games", "share", "95 % interval", "count"]]
    named = [(f"{side} wins" if side != "draw" else "draw", won) for side, won in summary["wins"].items()]
    for name, value in [*named, ("a kill in the first shooting night", summary["first_night_kill"])]:
        interval = f"{100 * value['low']:.1f} to {100 * value['high']:.1f} %"
        rows.append([name, _percent(value), interval, f"{value['count']:,}"])
    return rows


def _lengths(summary: Mapping[str, Any]) -> list[list[str]]:
    rows = [["length", "mean", "p50", "p95", "longest"]]
    for name, key, unit in (("days", "days", 1), ("table time, min", "table_s", 60)):
        length = summary[key]
        rows.append([name, *(_number(length[part], unit) for part in ("mean", "p50", "p95", "longest"))])
    return rows


def _cards(cards: Mapping[str, Any]) -> list[list[str]]:
    ways = sorted({how for card in cards.values() for how in card["left"]})
    scored = any(card["points_mean"] is not None for card in cards.values())
    rows = [["card", "won", "killed first", "living at end", *ways, *(["points"] if scored else [])]]
    for name, card in cards.items():
        left = [_percent(card["left"][how]) if how in card["left"] else "-" for how in ways]
        row = [name, _percent(card["won"]), _percent(card["first_night"]), _percent(card["living_at_end"]), *left]
        rows.append([*row, f"{card['points_mean']:.2f}"] if scored else row)
    return rows


def _play(summary: Mapping[str, Any], speed: Mapping[str, Any]) -> list[list[str]]:
    rows = [
        ["mornings with a kill", _percent(summary["kills"])],
        ["town's votes for mafia", _percent(summary["votes_for_black"])],
        ["voted out and mafia", _percent(summary["voted_out_black"])],
    ]
    for side, hit in summary["checks_hit"].items():
        if hit["of"]:
            rows.append([f"{side}'s checks that hit", _percent(hit)])
    if summary["best_moves"]:
        told = ", ".join(f"{count:,} with {black}" for black, count in summary["best_moves"].items())
        rows.append(["best moves by black seats named", told])
    rows.append(["commands, events a game", f"{summary['commands_per_game']:.0f}, {summary['events_per_game']:.0f}"])
    if summary["refused"]:
        rows.append(["refused commands", f"{summary['refused']:,}"])
    processes = "1 process" if speed["jobs"] == 1 else f"{speed['jobs']} processes"
    rows.append(["games a second", f"{speed['games_per_s']:,.0f} by {processes}, {speed['wall_s']:.1f} s"])
    return rows


def _percent(value: Mapping[str, Any]) -> str:
    return "-" if value["rate"] is None else f"{100 * value['rate']:.1f} %"


def _number(value: float | None, unit: int) -> str:
    return "-" if value is None else f"{value / unit:.1f}".removesuffix(".0")


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows with their columns below each other: the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    two = len(widths) == 2  # names and what belongs to them: read from the left
    lines = []
    for row in rows:
        cells = [
            row[0].ljust(widths[0]),
            *(c if two else c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=False)),
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
