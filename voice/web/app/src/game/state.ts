import type {
  CardName, Category, CheckAnswer, Leaving, PhaseName, SayKind, Sign, Winner,
} from "../wire/messages";
import { phaseRule, rulesOf } from "./rules";

export interface Seat {
  seat: number;
  name: string;
  bot: boolean;
  living: boolean;
  /** How it left, and its card where the rules show it. */
  left: { how: Leaving; at: "day" | "night"; number: number; card: CardName | null } | null;
  fouls: number;
  warnings: number;
  /** Table time until which an away seat is kept; null for a seat that is here. */
  awayUntil: number | null;
}

export interface Phase {
  /** Counts the phases of this game from 1; commands name it. */
  number: number;
  name: PhaseName;
  seat: number | null;
  round: number | null;
  began: number;
  ends: number | null;
}

/** Arguments of a text: seat numbers and names, lists of seats already joined. */
export type TextArgs = Record<string, string | number>;

export type FeedItem = { key: number; t: number } & (
  | { kind: "line"; seat: number; text: string; line: string; by: "voice" | "bot" }
  | { kind: "said"; seat: number; say: SayKind; target: number | null; card: CardName | null }
  | { kind: "signed"; seat: number; sentence: Sign[] }
  | { kind: "host"; text: string; args: TextArgs; caption: boolean }
  | { kind: "warned"; seat: number; category: Category; line: string }
  | { kind: "fouled"; seat: number; fouls: number; why: "signs" | "line" | "ruling"; category: Category | null; line: string | null }
  | { kind: "cleared"; seat: number; fouls: number; line: string }
);

export interface Opening {
  t: number;
  day: number;
  round: number;
  /** Voter and the seat that got the vote (null: abstained), by voter. */
  votes: { voter: number; target: number | null }[];
}

export interface Check {
  night: number;
  seat: number;
  answer: CheckAnswer;
}

export interface Result {
  winner: Winner | null;
  cards: Record<number, CardName>;
  points: Record<number, number>;
}

export interface TableState {
  /** The name of the ruleset. */
  ruleset: string;
  seats: Seat[];
  /** The viewer's own seat; null for a moderator, and before the deal. */
  me: number | null;
  card: CardName | null;
  team: number[];
  order: { seats: number[]; by: "don" | "lot" } | null;
  /** The viewer's own pick in this phase. */
  pick: number | null;
  /** The picks of the viewer's team in this phase that the viewer was told of, without the own one. */
  mates: Record<number, number>;
  /** Whom the viewer, a doctor, last protected, and on which night. */
  protected: { night: number; seat: number } | null;
  checks: Check[];
  phase: Phase | null;
  time: "before" | "night" | "day" | "over";
  night: number;
  day: number;
  mic: number[];
  /** Who alone is heard in an open discussion, and until which table time. */
  floor: { seat: number; until: number } | null;
  /** The seats that have held the floor in this discussion. */
  floorsHeld: number[];
  /** Today's nominations, in their order; a seat may be named again where the rules allow it. */
  nominated: { seat: number; by: number }[];
  /** The seats of the last tie of this day: the next vote and the lift are among them. */
  tied: number[];
  /** The seats whose speech (or short turn) has begun today, in order. */
  spoken: number[];
  /** Sign sentences of each seat in this speech. */
  signs: Record<number, number>;
  voteToday: "none" | "held" | "cancelled";
  openings: Opening[];
  lifts: { day: number; leave: boolean; votes: { voter: number; yes: boolean }[] }[];
  bestMove: { seat: number; seats: number[] } | null;
  result: Result | null;
  /** Set when the game was stopped: by which seat, null for a moderator. */
  stopped: { by: number | null } | null;
  lines: Record<string, { seat: number; text: string }>;
  feed: FeedItem[];
}

export const EMPTY: TableState = {
  ruleset: "sport",
  seats: [],
  me: null,
  card: null,
  team: [],
  order: null,
  pick: null,
  mates: {},
  protected: null,
  checks: [],
  phase: null,
  time: "before",
  night: 0,
  day: 0,
  mic: [],
  floor: null,
  floorsHeld: [],
  nominated: [],
  tied: [],
  spoken: [],
  signs: {},
  voteToday: "none",
  openings: [],
  lifts: [],
  bestMove: null,
  result: null,
  stopped: null,
  lines: {},
  feed: [],
};

export function seatOf(state: TableState, seat: number): Seat | undefined {
  return state.seats[seat - 1];
}

export function nameOf(state: TableState, seat: number): string {
  return seatOf(state, seat)?.name ?? "";
}

export function living(state: TableState): number[] {
  return state.seats.filter((seat) => seat.living).map((seat) => seat.seat);
}

/** Today's nominees, each once, in the order in which they were first named. */
export function nominees(state: TableState): number[] {
  return [...new Set(state.nominated.map((nomination) => nomination.seat))];
}

/** Who may be voted for now, in nomination order: the tied after a tie, else the nominees, or all where the rules say so. */
export function candidates(state: TableState): number[] {
  if (state.tied.length > 0) return state.tied.filter((seat) => seatOf(state, seat)?.living);
  if (rulesOf(state.ruleset).vote.among === "others") return living(state);
  return nominees(state).filter((seat) => seatOf(state, seat)?.living);
}

/** The words of the running phase: the key of its texts. */
export function phaseWords(state: TableState): string {
  const { phase, ruleset } = state;
  return phase === null ? "" : (phaseRule(ruleset, phase.name)?.words ?? phase.name);
}

export function isNight(state: TableState): boolean {
  return state.phase !== null && phaseRule(state.ruleset, state.phase.name)?.night === true;
}
