import { phaseRule } from "./rules";
import { candidates, living, nominees, type TableState } from "./state";

/** The next seat of this round of turns; null when the present one is the last, or there is no such order. */
export function nextSpeaker(state: TableState): number | null {
  const phase = state.phase;
  if (phase?.seat == null) return null;
  const queue = phaseRule(state.ruleset, phase.name)?.queue;
  if (queue === "tied") {
    const tied = candidates(state);
    return tied[tied.indexOf(phase.seat) + 1] ?? null;
  }
  if (queue === "speakers") return waiting(state)[0] ?? null;
  const from = phase.seat;
  if (queue === "seats") return living(state).find((seat) => seat > from) ?? null;
  if (queue === "nominees") return nominees(state).sort((one, other) => one - other).find((seat) => seat > from) ?? null;
  return null;
}

/** Those who still speak today, in order: on from the present speaker, around the table. */
export function waiting(state: TableState): number[] {
  const from = state.phase?.seat ?? 0;
  const seats = living(state).filter((seat) => !state.spoken.includes(seat));
  return [...seats.filter((seat) => seat > from), ...seats.filter((seat) => seat < from)];
}

/** What the viewer can expect of the microphone. */
export type MyMinute =
  | { when: "now" | "open" | "next" | "spoken" | "night" | "vote" | "out" | "later" | "naming" }
  | { when: "in"; minutes: number }
  | { when: "floor"; seat: number };

/** When the viewer's minute comes; `now` is table time, `speech_s` a speech's length. */
export function myMinute(state: TableState, now: number, speech_s: number): MyMinute {
  const { me, phase } = state;
  if (me === null || phase === null) return { when: "later" };
  if (state.mic.includes(me)) return { when: state.mic.length > 1 ? "open" : "now" };
  if (phase.name === "best_move" && phase.seat === me) return { when: "next" };
  if (!living(state).includes(me) && phase.seat !== me) return { when: "out" };
  if (state.time === "night") return { when: "night" };
  if (phase.name === "vote" || phase.name === "lift") return { when: "vote" };
  if (phase.name === "nomination") return { when: "naming" };
  if (state.floor !== null) return { when: "floor", seat: state.floor.seat };
  const queue = phaseRule(state.ruleset, phase.name)?.queue;
  if (queue !== "speakers") return { when: nextSpeaker(state) === me ? "next" : "later" };
  const ahead = waiting(state);
  const place = ahead.indexOf(me);
  if (place === -1) return { when: "spoken" };
  if (place === 0) return { when: "next" };
  const left_s = Math.max(0, (phase.ends ?? now) - now) + place * speech_s;
  return { when: "in", minutes: Math.max(1, Math.round(left_s / 60)) };
}
