import type { GameEvent } from "../wire/messages";
import { candidates, nameOf, type FeedItem, type TableState, type TextArgs } from "./state";

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
  switch (event.event) {
    case "night":
      return [...withoutVote(before, n, event.t), ...(event.number > 1 ? host("host-night", { number: event.number }) : [])];
    case "day":
      return host("host-day", { number: event.number });
    case "phase":
      return phaseItems(after, event, host);
    case "morning":
      return event.killed === null ? host("host-morning-missed") : host("host-morning-killed", seated(event.killed));
    case "nominated":
      return host("host-accepted", { seat: event.seat });
    case "votes": {
      const columns = countVotes(Object.values(event.votes));
      return host("host-votes", { votes: columns.map(({ seat, count }) => `${seat} — ${count}`).join("; ") });
    }
    case "tie":
      return host("host-tie", { seats: seatList(event.seats) });
    case "lifted": {
      const yes = Object.values(event.votes).filter(Boolean).length;
      return host(event.leave ? "host-lifted" : "host-not-lifted", { yes, no: Object.keys(event.votes).length - yes });
    }
    case "left":
      return event.how === "shot" ? [] : host(`host-left-${event.how}`, seated(event.seat));
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
        category: event.category ?? null, line: event.line ?? null,
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
      return host("host-abandoned");
    default:
      return [];
  }
}

type Host = (text: string, args?: TextArgs, caption?: boolean) => FeedItem[];

function phaseItems(state: TableState, event: Extract<GameEvent, { event: "phase" }>, host: Host): FeedItem[] {
  const seconds = event.ends === null ? 0 : Math.round(event.ends - event.t);
  const who = event.seat === undefined ? {} : { seat: event.seat, name: nameOf(state, event.seat) };
  switch (event.name) {
    case "agreement":
      return host("host-agreement", { seconds });
    case "shot":
      return host("host-shot", { seconds });
    case "don_check":
      return host("host-don-check", { seconds });
    case "sheriff_check":
      return host("host-sheriff-check", { seconds });
    case "speech":
      return host("host-speech", { ...who, seconds }, false);
    case "short_turn":
      return host("host-short-turn", { ...who, seconds });
    case "tie_speech":
      return host("host-tie-speech", { ...who, seconds }, false);
    case "vote": {
      const seats = seatList(candidates(state));
      return host(event.round !== undefined && event.round > 1 ? "host-revote" : "host-vote", { seats, seconds });
    }
    case "lift":
      return host("host-lift", { seats: seatList(candidates(state)), seconds });
    case "best_move":
      return host("host-best-move-asked", { ...who, seconds });
    case "last_word":
      return host("host-last-word", { ...who, seconds });
    case "over":
      return [];
  }
}

/** Why the day that ends had no vote: the host says it, for nobody should wonder whether it was missed. */
function withoutVote(day: TableState, n: number, t: number): FeedItem[] {
  if (day.time !== "day" || day.voteToday !== "none") return [];
  const text = day.nominated.length === 0 ? "host-no-vote" : "host-no-vote-one";
  return [{ key: n - 0.5, t, kind: "host", text, args: {}, caption: true }];
}

/** Votes by nominee, the most first; equal numbers in seat order. Abstentions are left out. */
export function countVotes(targets: readonly (number | null)[]): { seat: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const target of targets) if (target !== null) counts.set(target, (counts.get(target) ?? 0) + 1);
  return [...counts]
    .map(([seat, count]) => ({ seat, count }))
    .sort((one, other) => other.count - one.count || one.seat - other.seat);
}
