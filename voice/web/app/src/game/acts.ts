import { candidates, living, SPEECHES, type TableState } from "./state";

/** What the viewer may do now, as far as the viewer's own knowledge tells: the server decides. */
export interface Acts {
  pass: boolean;
  say: boolean;
  ok: boolean;
  order: boolean;
  lift: boolean;
  /** Sign sentences that cost nothing in this speech; null where signs are not allowed. */
  signsLeft: number | null;
  nominate: number[];
  vote: number[];
  shoot: number[];
  check: number[];
  bestMove: number[];
}

export const NOTHING: Acts = {
  pass: false, say: false, ok: false, order: false, lift: false, signsLeft: null,
  nominate: [], vote: [], shoot: [], check: [], bestMove: [],
};

/**
 * `answered`: the viewer has given this phase's vote or lift answer. It is hidden, so no event tells it; the
 * client remembers it by the phase's number.
 */
export function acts(state: TableState, signs_per_speech: number, answered: boolean): Acts {
  const { me, phase, card } = state;
  if (me === null || phase === null) return NOTHING;
  const alive = living(state);
  const lives = alive.includes(me);
  const own = phase.seat === me;
  const black = card === "mafia" || card === "don";
  const made: Acts = { ...NOTHING };
  switch (phase.name) {
    case "agreement":
      return { ...made, ok: lives && black, order: lives && card === "don" };
    case "speech":
    case "short_turn": {
      const free = alive.filter((seat) => !state.nominated.some((nomination) => nomination.seat === seat));
      const used = state.nominated.some((nomination) => nomination.by === me);
      made.nominate = own && lives && !used ? free : [];
      made.pass = own;
      break;
    }
    case "tie_speech":
    case "last_word":
      made.pass = own;
      break;
    case "vote":
      made.vote = lives && !answered ? candidates(state) : [];
      break;
    case "lift":
      made.lift = lives && !answered;
      break;
    case "shot":
      made.shoot = lives && black ? alive : [];
      break;
    case "don_check": {
      const done = [me, ...state.team, ...state.checks.map((check) => check.seat)];
      made.check = lives && card === "don" ? alive.filter((seat) => !done.includes(seat)) : [];
      break;
    }
    case "sheriff_check": {
      const done = [me, ...state.checks.map((check) => check.seat)];
      made.check = lives && card === "sheriff" ? alive.filter((seat) => !done.includes(seat)) : [];
      break;
    }
    case "best_move":
      made.bestMove = own ? alive.filter((seat) => seat !== me) : [];
      made.pass = own;
      break;
    case "over":
      break;
  }
  if (SPEECHES.includes(phase.name)) {
    made.say = own;
    made.signsLeft = lives ? Math.max(0, signs_per_speech - (state.signs[me] ?? 0)) : null;
  }
  return made;
}

/** Why the buttons of a speech are closed now: the id of a text. */
export function whyNot(state: TableState, act: "nominate" | "pass" | "say" | "sign"): string {
  const { me, phase } = state;
  if (phase === null || phase.name === "over") return "why-no-game";
  if (me === null) return "why-watching";
  if (act === "sign" && !living(state).includes(me)) return "why-out";
  if (act === "sign") return "why-no-speech";
  if (act === "nominate" && phase.seat === me && state.nominated.some((nomination) => nomination.by === me)) {
    return "why-nominated-already";
  }
  return living(state).includes(me) ? "why-not-your-minute" : "why-out";
}
