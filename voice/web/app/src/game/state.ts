import type {
  CardName, Category, CheckAnswer, Leaving, PhaseName, SayKind, Sign, Winner,
} from "../wire/messages";

export interface Seat {
  seat: number;
  name: string;
  bot: boolean;
  living: boolean;
  left: { how: Leaving; at: "day" | "night"; number: number } | null;
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
  seats: Seat[];
  /** The viewer's own seat; null for a moderator, and before the deal. */
  me: number | null;
  card: CardName | null;
  team: number[];
  order: { seats: number[]; by: "don" | "lot" } | null;
  /** The viewer's own pick in this phase. */
  pick: number | null;
  checks: Check[];
  phase: Phase | null;
  time: "before" | "night" | "day" | "over";
  night: number;
  day: number;
  mic: number[];
  /** Today's nominees, in the order they were nominated. */
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
  abandoned: boolean;
  lines: Record<string, { seat: number; text: string }>;
  feed: FeedItem[];
}

export const EMPTY: TableState = {
  seats: [],
  me: null,
  card: null,
  team: [],
  order: null,
  pick: null,
  checks: [],
  phase: null,
  time: "before",
  night: 0,
  day: 0,
  mic: [],
  nominated: [],
  tied: [],
  spoken: [],
  signs: {},
  voteToday: "none",
  openings: [],
  lifts: [],
  bestMove: null,
  result: null,
  abandoned: false,
  lines: {},
  feed: [],
};

export const SPEECHES: readonly PhaseName[] = ["speech", "tie_speech", "last_word"];
export const NIGHT_PHASES: readonly PhaseName[] = ["agreement", "shot", "don_check", "sheriff_check"];

export function seatOf(state: TableState, seat: number): Seat | undefined {
  return state.seats[seat - 1];
}

export function nameOf(state: TableState, seat: number): string {
  return seatOf(state, seat)?.name ?? "";
}

export function living(state: TableState): number[] {
  return state.seats.filter((seat) => seat.living).map((seat) => seat.seat);
}

/** Who may be voted for now: today's nominees, or the tied after a tie, in nomination order. */
export function candidates(state: TableState): number[] {
  const among = state.tied.length > 0 ? state.tied : state.nominated.map((nomination) => nomination.seat);
  return among.filter((seat) => seatOf(state, seat)?.living);
}
