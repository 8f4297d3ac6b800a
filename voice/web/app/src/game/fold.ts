import type { GameEvent, Numbered } from "../wire/messages";
import { feedItems } from "./feed";
import { EMPTY, type FeedItem, type Opening, type Seat, type TableState } from "./state";

/**
 * Folds one numbered message into what the viewer knows. Pure: the table on the screen is the fold of all of
 * them, so a page that was reloaded shows the same table as one that never was.
 */
export function fold(state: TableState, message: Numbered): TableState {
  if (message.type === "seated") {
    const seats = Object.entries(message.people)
      .map(([seat, person]): Seat => ({
        seat: Number(seat), name: person.name, bot: person.bot,
        living: true, left: null, fouls: 0, warnings: 0, awayUntil: null,
      }))
      .sort((one, other) => one.seat - other.seat);
    return { ...EMPTY, ruleset: message.ruleset, seats, me: message.seat };
  }
  if (message.type === "line") {
    const { line, seat, text, by, n, start } = message;
    if (text === "") return state; // its words are deleted
    return {
      ...state,
      lines: { ...state.lines, [line]: { seat, text } },
      feed: inOrder(state.feed, { key: n, t: start, kind: "line", seat, text, line, by }),
    };
  }
  const after = foldEvent(state, message.event, message.phase);
  const items = feedItems(after, state, message.event, message.n);
  return items.length === 0 ? after : { ...after, feed: [...after.feed, ...items] };
}

/** A caption among the last ones: where several talk at once, who began first stands first. */
function inOrder(feed: readonly FeedItem[], item: FeedItem): FeedItem[] {
  let at = feed.length;
  for (let before = feed[at - 1]; before?.kind === "line" && before.t > item.t; before = feed[at - 1]) at--;
  return [...feed.slice(0, at), item, ...feed.slice(at)];
}

function foldEvent(state: TableState, event: GameEvent, phaseNumber: number): TableState {
  switch (event.event) {
    case "dealt":
      return event.seat === state.me ? { ...state, card: event.card, team: event.team ?? [] } : state;
    case "night":
      return { ...state, time: "night", night: event.number, ...FRESH };
    case "day":
      return { ...state, time: "day", day: event.number, ...FRESH, voteToday: "none", spoken: [] };
    case "phase": {
      const { name, t, ends } = event;
      const seat = event.seat ?? null;
      return {
        ...state,
        phase: { number: phaseNumber, name, seat, round: event.round ?? null, began: t, ends },
        time: name === "over" ? "over" : state.time,
        pick: null,
        mates: {},
        signs: {},
        floor: null,
        floorsHeld: [],
        voteToday: name === "vote" ? "held" : state.voteToday,
        spoken:
          seat !== null && (name === "speech" || name === "short_turn") ? [...state.spoken, seat] : state.spoken,
      };
    }
    case "mic": {
      // A floor's time has run out when others are heard again: no event of its own tells it.
      const held = state.floor !== null && event.seats.length === 1 && event.seats[0] === state.floor.seat;
      return { ...state, mic: event.seats, floor: held ? state.floor : null };
    }
    case "floor":
      return {
        ...state,
        floor: { seat: event.seat, until: event.until },
        floorsHeld: [...state.floorsHeld, event.seat],
      };
    case "order":
      return { ...state, order: { seats: event.seats, by: event.by } };
    case "pick":
      return picked(state, event.seat, event.target);
    case "answer":
      return event.seat === state.me
        ? { ...state, checks: [...state.checks, { night: state.night, seat: event.target, answer: event.answer }] }
        : state;
    case "nominated":
      return { ...state, nominated: [...state.nominated, { seat: event.seat, by: event.by }] };
    case "votes":
      return { ...state, openings: [...state.openings, opening(event, state.day)] };
    case "tie":
      return { ...state, tied: event.seats };
    case "lifted": {
      const votes = Object.entries(event.votes)
        .map(([voter, yes]) => ({ voter: Number(voter), yes }))
        .sort((one, other) => one.voter - other.voter);
      return { ...state, lifts: [...state.lifts, { day: state.day, leave: event.leave, votes }] };
    }
    case "left": {
      const at = state.time === "night" ? "night" : "day";
      const number = at === "night" ? state.night : state.day;
      return change(state, event.seat, () => ({ living: false, left: { how: event.how, at, number, card: event.card ?? null } }));
    }
    case "best_move":
      return { ...state, bestMove: { seat: event.seat, seats: event.seats } };
    case "signed":
      return { ...state, signs: { ...state.signs, [event.seat]: (state.signs[event.seat] ?? 0) + 1 } };
    case "warned":
      return change(state, event.seat, (seat) => ({ warnings: seat.warnings + 1 }));
    case "fouled":
      return change(state, event.seat, () => ({ fouls: event.fouls }));
    case "cleared":
      // The count of fouls says which of the two was taken back.
      return change(state, event.seat, (seat) =>
        event.fouls < seat.fouls ? { fouls: event.fouls } : { warnings: Math.max(0, seat.warnings - 1) });
    case "vote_cancelled":
      return { ...state, voteToday: "cancelled" };
    case "away":
      return change(state, event.seat, () => ({ awayUntil: event.until }));
    case "back":
      return change(state, event.seat, () => ({ awayUntil: null }));
    case "bot":
      return change(state, event.seat, () => ({ awayUntil: null, bot: true }));
    case "over":
      return {
        ...state,
        result: { winner: event.winner, cards: bySeat(event.cards), points: bySeat(event.points ?? {}) },
      };
    case "abandoned":
      return { ...state, stopped: { by: event.by }, result: { winner: null, cards: {}, points: {} } };
    default:
      return state;
  }
}

/** What a new night and a new day begin without. */
const FRESH = { nominated: [], tied: [], pick: null, mates: {}, signs: {} } satisfies Partial<TableState>;

/** A pick of the viewer's, or of one of the viewer's team. A moderator is told of all, and has none. */
function picked(state: TableState, seat: number, target: number): TableState {
  if (state.me === null) return state;
  if (seat !== state.me) return { ...state, mates: { ...state.mates, [seat]: target } };
  const made = { ...state, pick: target };
  return state.phase?.name === "protect" ? { ...made, protected: { night: state.night, seat: target } } : made;
}

function change(state: TableState, seat: number, what: (seat: Seat) => Partial<Seat>): TableState {
  return { ...state, seats: state.seats.map((each) => (each.seat === seat ? { ...each, ...what(each) } : each)) };
}

function opening(event: Extract<GameEvent, { event: "votes" }>, day: number): Opening {
  const votes = Object.entries(event.votes)
    .map(([voter, target]) => ({ voter: Number(voter), target }))
    .sort((one, other) => one.voter - other.voter);
  return { t: event.t, day, round: event.round, votes };
}

function bySeat<T>(map: Record<string, T>): Record<number, T> {
  return Object.fromEntries(Object.entries(map).map(([seat, value]) => [Number(seat), value]));
}
