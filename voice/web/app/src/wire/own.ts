// What a player may ask about their own lines, reports and data at a table.
import { call } from "./http";
import type { Category } from "./messages";
import type { Appeal, CaseState, Hit } from "./console";

export interface OwnCase {
  line: string;
  text: string;
  category: Category | null;
  severity: "likely" | "clear" | null;
  state: CaseState;
  reason: string;
  at: number;
  ruled_at: number | null;
  why: Hit[];
  by_person: boolean;
  appealable: boolean;
  appeal: Appeal | null;
}

export interface OwnReport {
  line: string;
  seat: number;
  state: CaseState;
  at: number;
  ruled_at: number | null;
}

const of = (table: string): string => `api/tables/${encodeURIComponent(table)}`;

export const ownApi = {
  cases: (table: string, token: string) => call<{ lines: OwnCase[]; reports: OwnReport[] }>("GET", `${of(table)}/cases`, undefined, token),
  appeal: (table: string, line: string, token: string, text: string) =>
    call<OwnCase>("POST", `${of(table)}/lines/${encodeURIComponent(line)}/appeal`, { text }, token),
  data: (table: string, token: string) => call<Record<string, unknown>>("GET", `${of(table)}/me`, undefined, token),
  erase: (table: string, token: string) => call<{ deleted: boolean }>("DELETE", `${of(table)}/me`, undefined, token),
};

/** The page with what was flagged of somebody, their reports, and their data. */
export function mineAddress(table: string): string {
  return `#/mine/${encodeURIComponent(table)}`;
}
