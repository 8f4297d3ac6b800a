import { describe, expect, it } from "vitest";
import { format } from "../i18n/bundles";
import type { Transcript, TranscriptEntry } from "../wire/http";
import { chapters, plainText } from "./transcript";

const DAY = { name: "day", number: 1 } as const;
const NIGHT = { name: "night", number: 2 } as const;

function line(seat: number, text: string, start: number, turn: TranscriptEntry["turn"]): TranscriptEntry {
  return { kind: "line", seat, text, start, end: start + 1, line: String(start), by: "voice", turn };
}

const ENTRIES: TranscriptEntry[] = [
  line(1, "Hello.", 1, null),
  line(2, "I am red.", 61, DAY),
  { kind: "said", seat: 3, say: "claim", target: null, card: "sheriff", start: 62, turn: DAY },
  line(2, "Good night.", 130, NIGHT),
];

const WHOLE: Transcript = {
  table: "t", name: "Club", lang: "en", ruleset: "sport", code: "sport1", state: "over", seat: 2,
  people: { 1: { name: "Ann", bot: false }, 2: { name: "Ben", bot: false }, 3: { name: "Bot 3", bot: true } },
  ended_at: 1, kept_until: 2, lines: ENTRIES,
};

describe("the transcript", () => {
  it("is cut into its nights and days, in order", () => {
    expect(chapters(ENTRIES).map(({ turn, entries }) => [turn, entries.length])).toEqual([[null, 1], [DAY, 2], [NIGHT, 1]]);
    expect(chapters([])).toEqual([]);
  });

  it("is a text to keep, with seats and names", () => {
    expect(plainText(WHOLE, (id, args) => format("en", id, args)).split("\n").filter((row) => row !== "")).toEqual([
      "Club", "Before the game", "1 (Ann): Hello.", expect.stringContaining("1"), "2 (Ben): I am red.",
      "3 (Bot 3): I am: Sheriff.", expect.stringContaining("2"), "2 (Ben): Good night.",
    ]);
  });
});
