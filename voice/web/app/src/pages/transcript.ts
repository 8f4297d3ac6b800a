import type { TextArgs } from "../game/state";
import type { Transcript, TranscriptEntry } from "../wire/http";

/** Says a text in the viewer's language. */
type Say = (id: string, args?: TextArgs) => string;

/** The entries of one night or day, in order; null for before the first. */
export interface Chapter {
  turn: TranscriptEntry["turn"];
  entries: TranscriptEntry[];
}

export function chapters(entries: readonly TranscriptEntry[]): Chapter[] {
  const made: Chapter[] = [];
  for (const entry of entries) {
    const last = made.at(-1);
    if (last !== undefined && last.turn?.name === entry.turn?.name && last.turn?.number === entry.turn?.number) last.entries.push(entry);
    else made.push({ turn: entry.turn, entries: [entry] });
  }
  return made;
}

/** What an entry says, in the viewer's language where it was said by button. */
export function entryText(entry: TranscriptEntry, t: Say): string {
  if (entry.kind === "line") return entry.text;
  if (entry.say === "claim") return t("said-claim", { card: t(`card-${entry.card ?? "civilian"}`) });
  return t(`said-${entry.say}`, { seat: entry.target ?? 0 });
}

export function chapterTitle({ turn }: Chapter, t: Say): string {
  return turn === null ? t("transcript-before") : t(`head-${turn.name}`, { number: turn.number });
}

/** The whole as a text to keep. */
export function plainText(transcript: Transcript, t: Say): string {
  const lines = [transcript.name, ""];
  for (const chapter of chapters(transcript.lines)) {
    lines.push(chapterTitle(chapter, t));
    for (const entry of chapter.entries) {
      lines.push(`${entry.seat} (${transcript.people[String(entry.seat)]?.name ?? ""}): ${entryText(entry, t)}`);
    }
    lines.push("");
  }
  return lines.join("\n");
}
