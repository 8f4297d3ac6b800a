// What the page must know of each ruleset: its phases, what may be done in them and by whom, and which texts say so.
// Numbers, the deck and whether a game may be stopped come from the server; whether an act is legal is decided there.

import type { CardName, PhaseName } from "../wire/messages";

/** Who may act: the phase's own seat, every living seat, the living mafia, or the living holder of a card. */
export type Who = "seat" | "living" | "mafia" | CardName;

/** Which seats may not be named. */
export type Bar = "self" | "team" | "nominated" | "checked" | "protected";

export type ActName =
  | "pass" | "say" | "sign" | "ok" | "order" | "lift" | "floor" | "abstain"
  | "nominate" | "vote" | "shoot" | "check" | "protect" | "best_move";

export interface ActRule {
  act: ActName;
  by: Who;
  /** Seats that may not be named, by acts that name one. */
  not?: readonly Bar[];
  /** How often a seat may do it; without it, as often as it likes. */
  once?: "phase" | "day" | "discussion";
}

export interface PhaseRule {
  /** The key of its texts: `now-KEY`, `help-KEY` and the host's `host-KEY`. */
  words: string;
  acts: readonly ActRule[];
  night?: true;
  /** The host's announcement stands in the events alone, not among the captions: there are many of them. */
  quiet?: true;
  /** Which seats come after the phase's own one: those who have not spoken today, the tied, the nominees, all. */
  queue?: "speakers" | "tied" | "nominees" | "seats";
}

export interface Rules {
  phases: Partial<Record<PhaseName, PhaseRule>>;
  /** Between whom the first round of a vote runs, and what one votes on. */
  vote: { among: "nominees" | "others"; on: "seat" | "removal" };
  /** What the host says in the morning: of a kill, and of none. */
  morning: { killed: string; nobody: string };
  /** What the host says where a vote was held and nobody left; null where the vote's own words say it. */
  nobodyLeaves: string | null;
  /** The word for the team of a card. */
  team: { town: string; mafia: string };
  /** The page of rules: its sections, their lines, and those that an option of that name brings. */
  page: Record<string, readonly (string | { line: string; option: string })[]>;
}

const PASS: ActRule = { act: "pass", by: "seat" };
const SPEAK: readonly ActRule[] = [PASS, { act: "say", by: "seat" }];
const SIGN: ActRule = { act: "sign", by: "living" };
const TALK: ActRule = { act: "say", by: "living" };
const ABSTAIN: ActRule = { act: "abstain", by: "living", once: "phase" };
const SPORT_NOMINATE: ActRule = { act: "nominate", by: "seat", not: ["nominated"], once: "day" };
const TEAM_SHOT: ActRule = { act: "shoot", by: "mafia", not: ["team"] };
const PROTECT: PhaseRule = {
  words: "protect", night: true, acts: [{ act: "protect", by: "doctor", not: ["protected"] }],
};
const OVER: PhaseRule = { words: "over", acts: [] };
const HOUSE = {
  morning: { killed: "host-morning-out", nobody: "host-morning-nobody" },
  nobodyLeaves: "host-nobody-leaves",
  team: { town: "team-town", mafia: "team-mafia" },
} satisfies Partial<Rules>;

const SPORT: Rules = {
  phases: {
    agreement: { words: "agreement", night: true, acts: [{ act: "ok", by: "mafia" }, { act: "order", by: "don" }] },
    speech: { words: "speech", quiet: true, queue: "speakers", acts: [...SPEAK, SIGN, SPORT_NOMINATE] },
    short_turn: { words: "short_turn", queue: "speakers", acts: [PASS, SPORT_NOMINATE] },
    vote: { words: "vote", acts: [{ act: "vote", by: "living", once: "phase" }] },
    tie_speech: { words: "tie_speech", quiet: true, queue: "tied", acts: [...SPEAK, SIGN] },
    lift: { words: "lift", acts: [{ act: "lift", by: "living", once: "phase" }] },
    shot: { words: "shot", night: true, acts: [{ act: "shoot", by: "mafia" }] },
    don_check: { words: "don_check", night: true, acts: [{ act: "check", by: "don", not: ["self", "team", "checked"] }] },
    sheriff_check: { words: "sheriff_check", night: true, acts: [{ act: "check", by: "sheriff", not: ["self", "checked"] }] },
    best_move: { words: "best_move", acts: [PASS, { act: "best_move", by: "seat", not: ["self"] }] },
    last_word: { words: "last_word", acts: [...SPEAK, SIGN] },
    over: OVER,
  },
  vote: { among: "nominees", on: "seat" },
  morning: { killed: "host-morning-killed", nobody: "host-morning-missed" },
  nobodyLeaves: null,
  team: { town: "team-red", mafia: "team-black" },
  page: {
    game: ["rules-cards", "rules-win-town", "rules-win-mafia", "rules-closed"],
    night: ["rules-agreement", "rules-shot", "rules-checks"],
    day: ["rules-speech", "rules-nominate", "rules-signs"],
    vote: ["rules-cast", "rules-one", "rules-tie", "rules-lift"],
    leaving: ["rules-last-word", "rules-best-move"],
    fouls: ["rules-fouls-why", "rules-fouls-steps", "rules-away"],
  },
};

const QUICK: Rules = {
  ...HOUSE,
  phases: {
    recognition: { words: "recognition", night: true, acts: [] },
    discussion: { words: "discussion", acts: [TALK] },
    vote: { words: "vote_quick", acts: [{ act: "vote", by: "living", not: ["self"], once: "phase" }, ABSTAIN] },
    tie_speech: { words: "tie_speech", quiet: true, queue: "tied", acts: SPEAK },
    shot: { words: "shot_team", night: true, acts: [TEAM_SHOT] },
    over: OVER,
  },
  vote: { among: "others", on: "seat" },
  page: {
    game: ["rules-quick-cards", "rules-house-town", "rules-quick-mafia", "rules-house-open"],
    night: ["rules-quick-first", "rules-quick-shot"],
    day: ["rules-quick-discussion"],
    vote: ["rules-quick-vote", { line: "rules-quick-runoff", option: "runoff" }],
    fouls: ["rules-house-lines", "rules-house-stop", "rules-away"],
  },
};

const TEACHING: Rules = {
  ...HOUSE,
  phases: {
    shot: { words: "shot_one", night: true, acts: [{ act: "shoot", by: "mafia", not: ["self"] }] },
    check: { words: "check", night: true, acts: [{ act: "check", by: "detective" }] },
    protect: PROTECT,
    speech: { words: "speech_only", quiet: true, queue: "speakers", acts: SPEAK },
    nomination: { words: "nomination_free", acts: [{ act: "nominate", by: "living" }] },
    defence: { words: "defence", queue: "nominees", acts: SPEAK },
    vote: { words: "vote_removal", acts: [{ act: "vote", by: "living", once: "phase" }, ABSTAIN] },
    over: OVER,
  },
  vote: { among: "nominees", on: "removal" },
  page: {
    game: ["rules-teaching-cards", "rules-house-town", "rules-teaching-mafia", "rules-house-open"],
    night: ["rules-teaching-shot", "rules-house-check", "rules-house-protect", "rules-house-morning"],
    day: ["rules-teaching-speech", "rules-teaching-nominate"],
    vote: ["rules-teaching-vote"],
    fouls: ["rules-house-lines", "rules-house-stop", "rules-away"],
  },
};

const PARTY: Rules = {
  ...HOUSE,
  phases: {
    shot: { words: "shot_team", night: true, acts: [TEAM_SHOT] },
    check: { words: "check", night: true, acts: [{ act: "check", by: "detective", not: ["self"] }] },
    protect: PROTECT,
    discussion: { words: "discussion_floor", acts: [TALK, { act: "floor", by: "living", once: "discussion" }] },
    nomination: { words: "nomination_turn", quiet: true, queue: "seats", acts: [PASS, { act: "nominate", by: "seat", not: ["self"] }] },
    defence: { words: "defence", quiet: true, queue: "nominees", acts: SPEAK },
    vote: { words: "vote_party", acts: [{ act: "vote", by: "living", once: "phase" }, ABSTAIN] },
    over: OVER,
  },
  vote: { among: "nominees", on: "seat" },
  page: {
    game: ["rules-party-cards", "rules-house-town", "rules-party-mafia", "rules-house-open"],
    night: ["rules-party-shot", "rules-house-check", "rules-house-protect", "rules-house-morning"],
    day: ["rules-party-discussion", "rules-party-floor", "rules-party-nominate"],
    vote: ["rules-party-vote"],
    fouls: ["rules-house-lines", "rules-house-stop", "rules-away"],
  },
};

export const RULESETS: Readonly<Record<string, Rules>> = { sport: SPORT, quick: QUICK, teaching: TEACHING, party: PARTY };

/** The rules of a game; those of sport for a ruleset that this page has never heard of: the server refuses what is not allowed. */
export function rulesOf(ruleset: string): Rules {
  return RULESETS[ruleset] ?? SPORT;
}

/** The rule of a phase; null for one that the ruleset does not have. */
export function phaseRule(ruleset: string, phase: PhaseName): PhaseRule | null {
  return rulesOf(ruleset).phases[phase] ?? null;
}

/** Whether an act exists in any phase of the ruleset: whether it needs a button. */
export function hasAct(ruleset: string, act: ActName): boolean {
  return Object.values(rulesOf(ruleset).phases).some((phase) => phase.acts.some((rule) => rule.act === act));
}

/** The cards of the mafia's team, in every ruleset. */
export function isMafia(card: CardName | null): boolean {
  return card === "mafia" || card === "don";
}

/** The text that names a card's team; null where the card's own name says it. */
export function teamText(ruleset: string, card: CardName): string | null {
  const team = rulesOf(ruleset).team[isMafia(card) ? "mafia" : "town"];
  return team === `team-${card}` ? null : team;
}
