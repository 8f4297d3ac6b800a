// What moderators send and get: cases, claims, rulings, sound, figures, rules in the shadow.
import { address, ApiError, call } from "./http";
import type { Category, Lang } from "./messages";

export type CaseState = "open" | "upheld" | "dismissed" | "expired";
export type AppealState = "open" | "upheld" | "overturned" | "expired";
export type Which = "open" | "ruled" | "appeals" | "all";

export interface Hit {
  /** Code points of the line; absent where its words are deleted. */
  start: number;
  end: number;
  rule: string;
  category: string;
  /** What another reading of the sound has in place of the span. */
  instead?: string;
}

export interface Appeal {
  state: AppealState;
  text: string;
  at: number;
}

export interface Case {
  id: number;
  table: string;
  table_name: string;
  seat: number;
  name: string | null;
  lang: Lang;
  line: string;
  text: string;
  category: Category | null;
  severity: "likely" | "clear" | null;
  review: boolean;
  scores: Record<string, number>;
  why: Hit[];
  before: { seat: number; text: string }[];
  after: { seat: number; text: string }[];
  at: number;
  queued_at: number;
  state: CaseState;
  reason: string;
  source: string;
  ruled_by: string | null;
  ruled_at: number | null;
  words_gone: boolean;
  /** How long its sound is, s; null where there is none. */
  clip_s: number | null;
  appeal: Appeal | null;
  /** The seats that reported it. */
  reports: number[];
  claim: { by: string; mine: boolean; until: number } | null;
}

export interface CaseDetail extends Case {
  earlier: { t: number; text: string }[];
  history: { at: number; who: string; what: string; detail: { uphold?: boolean; reason?: string; why?: string } }[];
}

export interface Filter {
  state: Which;
  category?: string | undefined;
  lang?: string | undefined;
  source?: string | undefined;
  rule?: string | undefined;
  moderator?: string | undefined;
  before?: number | undefined;
}

export interface Counts {
  flagged: number;
  upheld: number;
  overturned: number;
  open: number;
  expired: number;
}

export interface Figures {
  since: number;
  all: Counts;
  by_category: (Counts & { name: string })[];
  by_rule: (Counts & { name: string })[];
  appeals: { made: number; upheld: number; overturned: number; open: number };
  reports: { made: number; upheld: number; dismissed: number; open: number };
  moderators: { name: string; rulings: number; overturned: number }[];
  time_to_ruling_s: { n: number; p50: number | null; p95: number | null };
  shadow: { rule: string; lines: number; anyway: number }[];
}

export interface RuleState {
  rule: string;
  state: "shadow" | "live";
  at: number;
  by: string;
  lines: number | null;
}

export interface Me {
  name: string;
  role: "moderator" | "admin";
}

const BASE = "api/moderation";

function query(filter: object): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

export const consoleApi = {
  me: (token: string) => call<Me>("GET", `${BASE}/me`, undefined, token),
  seats: (token: string, tokens: string[]) => call<{ tables: string[] }>("POST", `${BASE}/seats`, { tokens }, token),
  cases: (token: string, filter: Filter) =>
    call<{ lines: Case[]; waiting: number; own_tables: number }>("GET", `${BASE}/lines?${query(filter)}`, undefined, token),
  next: (token: string) => call<{ line: CaseDetail | null }>("POST", `${BASE}/lines/claim`, {}, token),
  one: (token: string, id: number) => call<CaseDetail>("GET", `${BASE}/lines/${id}`, undefined, token),
  claim: (token: string, id: number) => call<CaseDetail>("POST", `${BASE}/lines/${id}/claim`, {}, token),
  release: (token: string, id: number) => call<CaseDetail>("POST", `${BASE}/lines/${id}/release`, {}, token),
  ruling: (token: string, id: number, uphold: boolean, reason: string) =>
    call<CaseDetail>("POST", `${BASE}/lines/${id}/ruling`, { uphold, reason }, token),
  figures: (token: string, days: number) => call<Figures>("GET", `${BASE}/figures?${query({ days })}`, undefined, token),
  rules: (token: string) => call<{ rules: RuleState[] }>("GET", `${BASE}/rules`, undefined, token),
  place: (token: string, rule: string, state: "shadow" | "live") =>
    call<{ rule: string; state: string }>("POST", `${BASE}/rules`, { rule, state }, token),
  shadowLines: (token: string, rule: string) =>
    call<{ lines: { text: string; lang: Lang; severity: string | null; flagged: boolean; at: number }[] }>(
      "GET", `${BASE}/shadow?${query({ rule })}`, undefined, token),
  async clip(token: string, id: number): Promise<ArrayBuffer> {
    const response = await fetch(address(`${BASE}/lines/${id}/clip`), { headers: { authorization: `Bearer ${token}` }, cache: "no-store" })
      .catch(() => null);
    if (response === null) throw new ApiError(0, "unreachable", "");
    if (!response.ok) throw new ApiError(response.status, response.status === 410 ? "clip_lost" : "no_clip", "");
    return response.arrayBuffer();
  },
};
