import type { CardName, Lang, SayKind, Seated, TableStatus } from "./messages";
import { findAccount } from "./tokens";

/** The server's answer to a request that it refused; `code` is stable and is what the page translates. */
export class ApiError extends Error {
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
    this.name = "ApiError";
  }
}

export interface NewTable {
  name: string;
  lang: Lang;
  display_name: string;
  ruleset: string;
  options: Record<string, number | boolean>;
  consent: true;
}

/** What a new table can play. */
export interface Offer {
  name: string;
  code: string;
  seats: { least: number; most: number; default: number };
  /** Options that are true or false, all of them false at first. */
  flags: string[];
  stoppable: boolean;
}

export interface TableRow {
  table: string;
  name: string;
  lang: Lang;
  ruleset: string;
  code: string;
  stoppable: boolean;
  state: TableStatus;
  people: number;
  day: number | null;
  phase: string | null;
}

export interface Invitation {
  table: string;
  name: string;
  lang: Lang;
  ruleset: string;
  code: string;
  state: TableStatus;
  people: string[];
  seats: number;
}

/** For how long this server keeps what: the transcript and a flagged line's words and sound in days, sound in memory in s. */
export interface Privacy {
  transcript_days: number;
  evidence_days: number;
  sound_s: number;
}

/** What was said in a game, for who sat at its table. */
export interface Transcript {
  table: string;
  name: string;
  lang: Lang;
  ruleset: string;
  code: string;
  state: TableStatus;
  seat: number;
  people: Record<string, Seated>;
  /** Seconds since 1970; null while the game runs, or where it is not known. */
  ended_at: number | null;
  /** When the words are deleted. */
  kept_until: number | null;
  lines: TranscriptEntry[];
}

export type TranscriptEntry = { seat: number; start: number; turn: { name: "night" | "day"; number: number } | null } & (
  | { kind: "line"; line: string; text: string; end: number; by: "voice" | "bot" }
  | { kind: "said"; say: SayKind; target: number | null; card: CardName | null }
);

/** Addresses are relative to the page, so that a proxy may serve the app under a path. */
export function address(path: string): string {
  return new URL(path, document.baseURI).href;
}

export function socketAddress(): string {
  const url = new URL("ws", document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  return url.href;
}

export function inviteAddress(invite: string): string {
  const url = new URL(document.baseURI);
  url.hash = `/join/${encodeURIComponent(invite)}`;
  return url.href;
}

export function transcriptAddress(table: string): string {
  return `#/transcript/${encodeURIComponent(table)}`;
}

export async function call<T>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  let response: Response;
  try {
    response = await fetch(address(path), {
      method,
      headers,
      cache: "no-store",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(0, "unreachable", "the server could not be reached");
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  const error = (answer as { error?: { code?: unknown; message?: unknown } } | null)?.error;
  throw new ApiError(
    response.status,
    typeof error?.code === "string" ? error.code : `http_${response.status}`,
    typeof error?.message === "string" ? error.message : response.statusText,
  );
}

export const api = {
  rulesets: () => call<{ rulesets: Offer[] }>("GET", "api/rulesets"),
  create: (table: NewTable) =>
    call<{ table: string; token: string; invite: string }>("POST", "api/tables", table, findAccount()),
  invitation: (invite: string) => call<Invitation>("GET", `api/invites/${encodeURIComponent(invite)}`),
  join: (invite: string, display_name: string) =>
    call<{ table: string; token: string }>("POST", `api/invites/${encodeURIComponent(invite)}/join`, {
      display_name,
      consent: true,
    }, findAccount()),
  privacy: () => call<Privacy>("GET", "api/privacy"),
  transcript: (table: string, token: string) =>
    call<Transcript>("GET", `api/tables/${encodeURIComponent(table)}/transcript`, undefined, token),
  tables: (token: string) => call<{ tables: TableRow[] }>("GET", "api/moderation/tables", undefined, token),
  stop: (token: string, table: string) =>
    call<{ table: string; state: TableStatus }>("POST", `api/moderation/tables/${encodeURIComponent(table)}/stop`, {}, token),
};
