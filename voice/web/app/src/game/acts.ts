import { hasAct, isMafia, phaseRule, rulesOf, type ActRule, type Bar, type Who } from "./rules";
import { candidates, living, type TableState } from "./state";

/** What the viewer may do now, as far as the viewer's own knowledge tells: the server decides. */
export interface Acts {
  pass: boolean;
  /** To pass in a vote: for nobody. */
  abstain: boolean;
  say: boolean;
  ok: boolean;
  order: boolean;
  lift: boolean;
  floor: boolean;
  /** Sign sentences that cost nothing in this speech; null where signs are not allowed. */
  signsLeft: number | null;
  nominate: number[];
  vote: number[];
  shoot: number[];
  check: number[];
  protect: number[];
  bestMove: number[];
}

export const NOTHING: Acts = {
  pass: false, abstain: false, say: false, ok: false, order: false, lift: false, floor: false, signsLeft: null,
  nominate: [], vote: [], shoot: [], check: [], protect: [], bestMove: [],
};

/**
 * `answered`: the viewer has given this phase's vote or lift answer. It is hidden, so no event tells it; the
 * client remembers it by the phase's number.
 */
export function acts(state: TableState, signs_per_speech: number, answered: boolean): Acts {
  const { me, phase } = state;
  if (me === null || phase === null) return NOTHING;
  const made: Acts = { ...NOTHING };
  for (const rule of phaseRule(state.ruleset, phase.name)?.acts ?? []) {
    if (!may(state, me, rule.by) || used(state, me, rule, answered)) continue;
    const among = rule.act === "vote" ? candidates(state) : living(state);
    const named = among.filter((seat) => !(rule.not ?? []).some((bar) => barred(state, me, seat, bar)));
    switch (rule.act) {
      case "sign":
        made.signsLeft = Math.max(0, signs_per_speech - (state.signs[me] ?? 0));
        break;
      case "best_move":
        made.bestMove = named;
        break;
      case "nominate":
      case "vote":
      case "shoot":
      case "check":
      case "protect":
        made[rule.act] = named;
        break;
      default:
        made[rule.act] = true;
    }
  }
  return made;
}

function may(state: TableState, me: number, who: Who): boolean {
  if (who === "seat") return state.phase?.seat === me;
  if (!living(state).includes(me)) return false;
  return who === "living" || (who === "mafia" ? isMafia(state.card) : state.card === who);
}

function used(state: TableState, me: number, rule: ActRule, answered: boolean): boolean {
  switch (rule.once) {
    case "phase":
      return answered;
    case "day":
      return state.nominated.some((nomination) => nomination.by === me);
    case "discussion":
      return state.floor !== null || state.floorsHeld.includes(me);
    default:
      return false;
  }
}

function barred(state: TableState, me: number, seat: number, bar: Bar): boolean {
  switch (bar) {
    case "self":
      return seat === me;
    case "team":
      return seat === me || state.team.includes(seat);
    case "nominated":
      return state.nominated.some((nomination) => nomination.seat === seat);
    case "checked":
      return state.checks.some((check) => check.seat === seat);
    case "protected":
      return seat === lastProtected(state);
  }
}

/** The seat that the viewer, a doctor, protected the night before: not again tonight. */
export function lastProtected(state: TableState): number | null {
  return state.protected !== null && state.protected.night === state.night - 1 ? state.protected.seat : null;
}

/** Whether a night move of the viewer's is still to come tonight. */
export function movesLater(state: TableState): boolean {
  const { me, phase } = state;
  if (me === null || phase === null) return false;
  const nights = Object.entries(rulesOf(state.ruleset).phases).filter(([, rule]) => rule.night);
  const at = nights.findIndex(([name]) => name === phase.name);
  // The first night of some rulesets is a phase of its own: what stands behind it belongs to later nights.
  if (phase.name === "agreement" || phase.name === "recognition") return false;
  return nights.slice(at + 1).some(([, rule]) => rule.acts.some((act) => may(state, me, act.by)));
}

/** Why the buttons of a speech are closed now: the id of a text. */
export function whyNot(state: TableState, act: "nominate" | "pass" | "say" | "sign" | "floor"): string {
  const { me, phase } = state;
  if (phase === null || phase.name === "over") return "why-no-game";
  if (me === null) return "why-watching";
  const lives = living(state).includes(me);
  if (!lives && phase.seat !== me) return "why-out";
  if (act === "sign") return "why-no-speech";
  if (act === "floor") {
    if (phase.name !== "discussion") return "why-no-discussion";
    return state.floor !== null ? "why-floor-held" : "why-floor-used";
  }
  if (act === "nominate" && "nomination" in rulesOf(state.ruleset).phases) return "why-no-nomination";
  if (act === "nominate" && phase.seat === me && state.nominated.some((nomination) => nomination.by === me)) {
    return "why-nominated-already";
  }
  if (act === "say" && hasAct(state.ruleset, "say") && "discussion" in rulesOf(state.ruleset).phases) return "why-no-talk";
  return "why-not-your-minute";
}
