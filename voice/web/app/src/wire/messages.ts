// The frames of the WebSocket, as docs/protocol.md names them.

export type Lang = "en" | "ru";
export type TableStatus = "waiting" | "running" | "over" | "broken";
export type CardName = "civilian" | "sheriff" | "mafia" | "don" | "town" | "detective" | "doctor";
export type Category = "insult" | "hate" | "sexual";
export type Winner = "town" | "mafia" | "draw";
export type Sign = number | SignName;
export type SignName =
  | "civilian" | "sheriff" | "mafia" | "don"
  | "red" | "black" | "check" | "shot" | "vote" | "trust" | "yes" | "no";
export type SayKind = "claim" | "defend" | "ask";
export type Leaving = "shot" | "vote" | "lift" | "removal";
export type CheckAnswer = "red" | "black" | "sheriff" | "not_sheriff" | "mafia" | "not_mafia";

export type PhaseName =
  | "agreement" | "speech" | "short_turn" | "vote" | "tie_speech" | "lift"
  | "shot" | "don_check" | "sheriff_check" | "best_move" | "last_word"
  | "recognition" | "discussion" | "check" | "protect" | "nomination" | "defence" | "over";

/** One engine event as a viewer gets it; `t` is table time in seconds. */
export type GameEvent = { t: number } & (
  | { event: "dealt"; seat: number; card: CardName; team?: number[] }
  | { event: "night" | "day"; number: number }
  | { event: "phase"; name: PhaseName; ends: number | null; seat?: number; round?: number }
  | { event: "mic"; seats: number[] }
  | { event: "order"; seats: number[]; by: "don" | "lot" }
  | { event: "pick"; seat: number; target: number }
  | { event: "answer"; seat: number; target: number; answer: CheckAnswer }
  | { event: "morning"; killed: number | null }
  | { event: "nominated"; seat: number; by: number }
  | { event: "floor"; seat: number; until: number }
  | { event: "votes"; round: number; votes: Record<string, number | null> }
  | { event: "tie"; seats: number[] }
  | { event: "lifted"; votes: Record<string, boolean>; leave: boolean }
  | { event: "left"; seat: number; how: Leaving; card?: CardName }
  | { event: "best_move"; seat: number; seats: number[] }
  | { event: "signed"; seat: number; sentence: Sign[] }
  | { event: "said"; seat: number; kind: SayKind; target?: number; card?: CardName }
  | { event: "warned"; seat: number; category: Category; line: string }
  | { event: "fouled"; seat: number; fouls: number; why: "signs" | "line" | "ruling"; category?: Category; line?: string }
  | { event: "cleared"; seat: number; line: string; fouls: number }
  | { event: "vote_cancelled"; day: number }
  | { event: "away"; seat: number; until: number }
  | { event: "back" | "bot"; seat: number }
  | { event: "over"; winner: Winner; cards: Record<string, CardName>; points?: Record<string, number> }
  | { event: "abandoned"; by: number | null }
  | { event: "refused"; seat: number; do: string; why: string }
);

export interface Person {
  id: string;
  name: string;
  ready: boolean;
  connected: boolean;
}

export interface Seated {
  name: string;
  bot: boolean;
}

export interface Welcome {
  type: "welcome";
  table: string;
  name: string;
  lang: Lang;
  ruleset: string;
  /** The short code of the ruleset with its options. */
  code: string;
  state: TableStatus;
  role: "player" | "moderator";
  you: string | null;
  owner: string | null;
  seat: number | null;
  /** Null when nobody can join any more. */
  invite: string | null;
  seats: number;
  numbers: Record<string, number | boolean>;
  /** How many there are of each card. */
  deck: Partial<Record<CardName, number>>;
  /** The players may stop the game. */
  stoppable: boolean;
  now: number | null;
  ice_servers: RTCIceServer[];
  /** How many speakers are heard at once: so many audio sections an offer has. */
  slots: number;
}

export interface SeatedMessage {
  type: "seated";
  n: number;
  seat: number | null;
  ruleset: string;
  people: Record<string, Seated>;
}

export interface EventMessage {
  type: "event";
  n: number;
  phase: number;
  now: number;
  event: GameEvent;
}

export interface LineMessage {
  type: "line";
  n: number;
  phase: number;
  line: string;
  seat: number;
  text: string;
  start: number;
  end: number;
  by: "voice" | "bot";
}

/** A caption that may still change; "" takes it back. */
export interface InterimMessage {
  type: "interim";
  seat: number;
  text: string;
  /** How many characters from its beginning hardly will: two hypotheses in a row have them. */
  agreed: number;
  /** When its utterance began. */
  start: number;
}

/** What a player can have spoken. */
export type SpokenCommand =
  | { do: "pass" }
  | { do: "nominate"; target: number }
  | { do: "say"; kind: "claim"; card: CardName };

/** A command that the player may have spoken: to be done by a tap or not at all. */
export interface Proposal {
  id: number;
  phase: number;
  /** Table time. */
  until: number;
  command: SpokenCommand;
}

/** Whether captions keep up: the model is being loaded, they do, only whole sentences, those late too, there are none. */
export type CaptionsState = "loading" | "live" | "finals" | "late" | "off";

export type ProposalMessage = ({ type: "proposal" } & Proposal) | { type: "proposal"; id: number; command: null };

/** The messages whose fold is the whole state of the table. */
export type Numbered = SeatedMessage | EventMessage | LineMessage;

export type ServerMessage =
  | Welcome
  | Numbered
  | { type: "lobby"; people: Person[]; owner: string | null }
  | InterimMessage
  | { type: "captions"; state: CaptionsState; lost: number }
  | ProposalMessage
  | { type: "refused"; id: number; do: string; why: string; code: "late" | "rule" }
  | { type: "done"; id: number }
  | { type: "answer"; id: number; sdp: string }
  | { type: "link"; seats: number[] }
  | { type: "slots"; change: number; seats: (number | null)[] }
  | { type: "cases" }
  | { type: "clock"; now: number | null }
  | { type: "ping"; at: number }
  | { type: "error"; code: string; message: string; id?: number };

/** A command as the client sends it: the server adds the seat. */
export type Command =
  | { do: "order"; seats: number[] }
  | { do: "ok" | "pass" | "floor" | "stop" }
  | { do: "shoot" | "check" | "protect" | "nominate" | "vote"; target: number }
  | { do: "lift"; yes: boolean }
  | { do: "best_move"; seats: number[] }
  | { do: "sign"; sentence: Sign[] }
  | { do: "say"; kind: "claim"; card: CardName }
  | { do: "say"; kind: "defend" | "ask"; target: number }
  | { do: "report"; target: number; line: string };

export type ClientMessage =
  | { type: "hello"; token: string; after: number; table?: string }
  | { type: "ready"; ready: boolean }
  | { type: "start" }
  | { type: "command"; id: number; phase: number; command: Command }
  | { type: "offer"; id: number; sdp: string }
  | { type: "pong"; at: number }
  | { type: "leave" };

export function isNumbered(message: ServerMessage): message is Numbered {
  return message.type === "seated" || message.type === "event" || message.type === "line";
}

/** Reads a frame; null for what is no message of this protocol (a newer server may send more types). */
export function parse(data: unknown): ServerMessage | null {
  if (typeof data !== "string") return null;
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value === "object" && value !== null && "type" in value && typeof value.type === "string") {
      return value as ServerMessage;
    }
  } catch {
    return null;
  }
  return null;
}
