import { candidates, living, type TableState } from "./state";

/** The next seat that speaks in this round of speeches; null when the present one is the last. */
export function nextSpeaker(state: TableState): number | null {
  const phase = state.phase;
  if (phase?.seat == null) return null;
  if (phase.name === "tie_speech") {
    const tied = candidates(state);
    return tied[tied.indexOf(phase.seat) + 1] ?? null;
  }
  return phase.name === "speech" || phase.name === "short_turn" ? (waiting(state)[0] ?? null) : null;
}

/** Those who still speak today, in order: on from the present speaker, around the table. */
export function waiting(state: TableState): number[] {
  const from = state.phase?.seat ?? 0;
  const seats = living(state).filter((seat) => !state.spoken.includes(seat));
  return [...seats.filter((seat) => seat > from), ...seats.filter((seat) => seat < from)];
}

/** What the viewer can expect of the microphone. */
export type MyMinute =
  | { when: "now" | "next" | "spoken" | "night" | "vote" | "out" | "later" }
  | { when: "in"; minutes: number };

/** When the viewer's minute comes; `now` is table time, `speech_s` a speech's length. */
export function myMinute(state: TableState, now: number, speech_s: number): MyMinute {
  const { me, phase } = state;
  if (me === null || phase === null) return { when: "later" };
  if (state.mic.includes(me)) return { when: "now" };
  if (phase.name === "best_move" && phase.seat === me) return { when: "next" };
  if (!living(state).includes(me) && phase.seat !== me) return { when: "out" };
  if (state.time === "night") return { when: "night" };
  if (phase.name === "vote" || phase.name === "lift") return { when: "vote" };
  if (phase.name === "tie_speech") return { when: nextSpeaker(state) === me ? "next" : "later" };
  if (phase.name !== "speech" && phase.name !== "short_turn") return { when: "later" };
  const queue = waiting(state);
  const place = queue.indexOf(me);
  if (place === -1) return { when: "spoken" };
  if (place === 0) return { when: "next" };
  const left_s = Math.max(0, (phase.ends ?? now) - now) + place * speech_s;
  return { when: "in", minutes: Math.max(1, Math.round(left_s / 60)) };
}
