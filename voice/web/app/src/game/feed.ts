import type { GameEvent } from "../wire/messages";
import { phaseRule, rulesOf } from "./rules";
import { candidates, living, nameOf, type FeedItem, type TableState, type TextArgs } from "./state";

/** A list of seats as it is written in a sentence: the number is the name of a seat. */
export function seatList(seats: readonly number[]): string {
  return seats.join(", ");
}

/**
 * What the host and the players showed by one event, for the captions and the list of events. The host's words
 * are ids of texts: each viewer reads them in the viewer's own language.
 */
export function feedItems(after: TableState, before: TableState, event: GameEvent, n: number): FeedItem[] {
  const base = { key: n, t: event.t };
  const host = (text: string, args: TextArgs = {}, caption = true): FeedItem[] => [
    { ...base, kind: "host", text, args, caption },
  ];
  const seated = (seat: number): TextArgs => ({ seat, name: nameOf(after, seat) });
  const rules = rulesOf(after.ruleset);
  switch (event.event) {
    case "night":
      return [...withoutVote(before, n, event.t), ...(event.number > 1 ? host("host-night", { number: event.number }) : [])];
    case "day":
      return host("host-day", { number: event.number });
    case "phase":
      return phaseItems(after, event, host);
    case "morning":
      return event.killed === null ? host(rules.morning.nobody) : host(rules.morning.killed, seated(event.killed));
    case "nominated":
      return host("host-accepted", { seat: event.seat });
    case "votes": {
      const targets = Object.values(event.votes);
      const columns = countVotes(targets);
      const passed = targets.filter((target) => target === null).length;
      const votes = columns.map(({ seat, count }) => `${seat} — ${count}`).join("; ");
      if (rules.vote.on === "removal") {
        const { seat, count } = columns[0] ?? { seat: candidates(before)[0] ?? 0, count: 0 };
        return host("host-votes-removal", { ...seated(seat), yes: count, living: living(before).length });
      }
      if (columns.length === 0) return host("host-votes-nobody");
      return passed > 0 ? host("host-votes-passed", { votes, passed }) : host("host-votes", { votes });
    }
    case "tie":
      return host("host-tie", { seats: seatList(event.seats) });
    case "lifted": {
      const yes = Object.values(event.votes).filter(Boolean).length;
      return host(event.leave ? "host-lifted" : "host-not-lifted", { yes, no: Object.keys(event.votes).length - yes });
    }
    case "left":
      return [
        ...(event.how === "shot" ? [] : host(`host-left-${event.how}`, seated(event.seat))),
        ...(event.card === undefined ? [] : shown(host("host-card", { ...seated(event.seat), card: event.card }), n)),
      ];
    case "floor":
      return host("host-floor", { ...seated(event.seat), seconds: Math.round(event.until - event.t) });
    case "best_move":
      return event.seats.length === 0
        ? host("host-best-move-none", seated(event.seat))
        : host("host-best-move", { ...seated(event.seat), seats: seatList(event.seats) });
    case "signed":
      return [{ ...base, kind: "signed", seat: event.seat, sentence: event.sentence }];
    case "said":
      return [{ ...base, kind: "said", seat: event.seat, say: event.kind, target: event.target ?? null, card: event.card ?? null }];
    case "warned":
      return [{ ...base, kind: "warned", seat: event.seat, category: event.category, line: event.line }];
    case "fouled":
      return [{
        ...base, kind: "fouled", seat: event.seat, fouls: event.fouls, why: event.why,
        category: event.category ?? null, line: event.line ?? (event.why === "line" ? lastLine(after, event.seat) : null),
      }];
    case "cleared":
      return [{ ...base, kind: "cleared", seat: event.seat, fouls: event.fouls, line: event.line }];
    case "vote_cancelled":
      return host("host-vote-cancelled");
    case "away":
      return host("host-away", seated(event.seat), false);
    case "back":
      return host("host-back", seated(event.seat), false);
    case "bot":
      return host("host-bot", seated(event.seat));
    case "over":
      return host(`host-over-${event.winner}`);
    case "abandoned":
      return event.by === null ? host("host-stopped") : host("host-stopped-by", seated(event.by));
    default:
      return [];
  }
}

/** A flagged line fouls as soon as it is there: it is the last one of its seat. */
function lastLine(state: TableState, seat: number): string | null {
  const own = Object.entries(state.lines).filter(([, line]) => line.seat === seat);
  return own.map(([id]) => id).sort((one, other) => Number(other) - Number(one))[0] ?? null;
}

type Host = (text: string, args?: TextArgs, caption?: boolean) => FeedItem[];

/** A second item of one event: lists are drawn by key. */
function shown(items: FeedItem[], n: number): FeedItem[] {
  return items.map((item) => ({ ...item, key: n + 0.5 }));
}

function phaseItems(state: TableState, event: Extract<GameEvent, { event: "phase" }>, host: Host): FeedItem[] {
  const rule = phaseRule(state.ruleset, event.name);
  if (event.name === "over" || rule === null) return [];
  const args: TextArgs = {
    seconds: event.ends === null ? 0 : Math.round(event.ends - event.t),
    seats: seatList(candidates(state)),
    ...(event.seat === undefined ? {} : { seat: event.seat, name: nameOf(state, event.seat) }),
  };
  const again = event.name === "vote" && event.round !== undefined && event.round > 1;
  return host(again ? "host-revote" : `host-${rule.words}`, args, rule.quiet !== true);
}

/** What the day that ends had no vote for, or that its vote took nobody: nobody should wonder whether it was missed. */
function withoutVote(day: TableState, n: number, t: number): FeedItem[] {
  if (day.time !== "day" || day.voteToday === "cancelled") return [];
  const text = day.voteToday === "none"
    ? (day.nominated.length === 0 ? "host-no-vote" : "host-no-vote-one")
    : (leftBy(day) ? null : rulesOf(day.ruleset).nobodyLeaves);
  return text === null ? [] : [{ key: n - 0.5, t, kind: "host", text, args: {}, caption: true }];
}

/** Whether anybody left by this day's vote. */
function leftBy(day: TableState): boolean {
  return day.seats.some(({ left }) => left !== null && left.at === "day" && left.number === day.day);
}

/** Votes by nominee, the most first; equal numbers in seat order. Abstentions are left out. */
export function countVotes(targets: readonly (number | null)[]): { seat: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const target of targets) if (target !== null) counts.set(target, (counts.get(target) ?? 0) + 1);
  return [...counts]
    .map(([seat, count]) => ({ seat, count }))
    .sort((one, other) => other.count - one.count || one.seat - other.seat);
}
