import { isNight } from "../game/state";
import type { Desk, Sheet } from "./desk.svelte";

export type PromptName = Sheet | "night" | "vote" | "lift" | "best-move" | "votes";

/** How long opened votes stand in the middle before they are left to their tab. */
const VOTES_SHOWN_S = 20;

/** What stands in the middle of the table now; at night it is the same for every seat. */
export function promptOf(desk: Desk): PromptName | null {
  const { table, acts, now } = desk.session;
  const phase = table.phase;
  if (phase === null || phase.name === "over") return null;
  if (isNight(table)) return "night";
  if (phase.name === "vote") return "vote";
  if (phase.name === "lift") return "lift";
  if (phase.name === "best_move" && (acts.bestMove.length > 0)) return "best-move";
  if (desk.sheet !== null) return desk.sheet;
  if (phase.name === "nomination" && acts.nominate.length > 0) return "nominate";
  const opening = table.openings.at(-1);
  const fresh = opening !== undefined && now !== null && now - opening.t < VOTES_SHOWN_S;
  return fresh && table.time === "day" && table.openings.length > desk.votesClosed ? "votes" : null;
}
