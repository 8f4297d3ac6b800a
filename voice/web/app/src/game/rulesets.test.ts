import { describe, expect, it } from "vitest";
import { format } from "../i18n/bundles";
import type { CardName } from "../wire/messages";
import { acts, movesLater, whyNot } from "./acts";
import { hasAct, RULESETS, rulesOf, teamText } from "./rules";
import { candidates, isNight, nominees, phaseWords, type TableState } from "./state";
import { Told } from "./told";
import { myMinute, nextSpeaker } from "./turns";

function hostTexts(state: TableState): string[] {
  return state.feed.filter((item) => item.kind === "host").map((item) => item.text);
}

function dealt(ruleset: string, seats: number, seat: number, card: CardName, team: number[] = []): Told {
  return new Told(seat, ruleset, seats)
    .event({ t: 0, event: "dealt", seat, card, ...(team.length > 0 ? { team } : {}) })
    .event({ t: 0, event: "night", number: 1 });
}

function quick(card: CardName = "town"): Told {
  return dealt("quick", 6, 1, card, card === "mafia" ? [1, 4] : []).event({ t: 0, event: "phase", name: "recognition", ends: 10 });
}

function discussion(ruleset: string, seats: number): Told {
  return dealt(ruleset, seats, 2, "town")
    .event({ t: 90, event: "day", number: 1 })
    .event({ t: 90, event: "phase", name: "discussion", ends: 330 })
    .event({ t: 90, event: "mic", seats: Array.from({ length: seats }, (_, index) => index + 1) });
}

describe("quick", () => {
  it("has a first night without a move, even for the mafia", () => {
    for (const card of ["town", "mafia"] as const) {
      const told = quick(card);
      expect(acts(told.state, 0, false)).toMatchObject({ ok: false, order: false, shoot: [] });
      expect(isNight(told.state)).toBe(true);
      expect(movesLater(told.state)).toBe(false);
    }
    expect(hostTexts(quick().state)).toEqual(["host-recognition"]);
  });

  it("lets all talk by button, and votes for any other living seat or for nobody", () => {
    const told = discussion("quick", 6);
    expect(acts(told.state, 0, false)).toMatchObject({ say: true, pass: false, floor: false, signsLeft: null });
    told.event({ t: 330, event: "left", seat: 5, how: "shot", card: "town" });
    told.event({ t: 330, event: "phase", name: "vote", ends: 390, round: 1 }).event({ t: 330, event: "mic", seats: [] });
    expect(acts(told.state, 0, false)).toMatchObject({ vote: [1, 3, 4, 6], abstain: true });
    expect(acts(told.state, 0, true)).toMatchObject({ vote: [], abstain: false });
  });

  it("votes again between the tied, without the own seat", () => {
    const told = discussion("quick", 6)
      .event({ t: 330, event: "phase", name: "vote", ends: 390, round: 1 })
      .event({ t: 340, event: "votes", round: 1, votes: { "1": 2, "2": 4, "3": null } })
      .event({ t: 340, event: "tie", seats: [2, 4] })
      .event({ t: 340, event: "phase", name: "tie_speech", seat: 2, ends: 360 });
    expect(acts(told.state, 0, false)).toMatchObject({ pass: true, say: true, signsLeft: null, nominate: [] });
    expect(nextSpeaker(told.state)).toBe(4);
    told.event({ t: 380, event: "phase", name: "vote", ends: 440, round: 2 });
    expect(candidates(told.state)).toEqual([2, 4]);
    expect(acts(told.state, 0, false).vote).toEqual([4]);
    expect(hostTexts(told.state)).toContain("host-votes-passed");
    expect(hostTexts(told.state)).toContain("host-revote");
  });

  it("shows the mafia each other's picks, and whether they agree", () => {
    const told = quick("mafia").event({ t: 300, event: "night", number: 2 }).event({ t: 300, event: "phase", name: "shot", ends: 330 });
    expect(acts(told.state, 0, false).shoot).toEqual([2, 3, 5, 6]);
    told.event({ t: 301, event: "pick", seat: 4, target: 6 });
    expect(told.state).toMatchObject({ mates: { 4: 6 }, pick: null });
    told.event({ t: 302, event: "pick", seat: 1, target: 6 });
    expect(told.state).toMatchObject({ mates: { 4: 6 }, pick: 6 });
    told.event({ t: 330, event: "morning", killed: 6 }).event({ t: 330, event: "left", seat: 6, how: "shot", card: "town" });
    told.event({ t: 330, event: "day", number: 2 }).event({ t: 330, event: "phase", name: "discussion", ends: 510 });
    expect(told.state.mates).toEqual({});
    expect(told.state.seats[5]?.left).toMatchObject({ how: "shot", card: "town" });
    expect(hostTexts(told.state).slice(-4)).toEqual(["host-morning-out", "host-card", "host-day", "host-discussion"]);
  });

  it("says that a held vote took nobody, and nothing where somebody left", () => {
    const held = (): Told => discussion("quick", 6).event({ t: 330, event: "phase", name: "vote", ends: 390, round: 1 });
    const nobody = held().event({ t: 390, event: "votes", round: 1, votes: { "1": null } }).event({ t: 390, event: "night", number: 2 });
    expect(hostTexts(nobody.state)).toEqual(expect.arrayContaining(["host-votes-nobody", "host-nobody-leaves"]));
    const left = held().event({ t: 390, event: "votes", round: 1, votes: { "1": 4 } })
      .event({ t: 390, event: "left", seat: 4, how: "vote", card: "mafia" }).event({ t: 390, event: "night", number: 2 });
    expect(hostTexts(left.state)).not.toContain("host-nobody-leaves");
    const keys = left.state.feed.map((item) => item.key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("teaching", () => {
  it("lets the mafia pick anybody but itself, the detective and the doctor anybody", () => {
    const shot = dealt("teaching", 6, 3, "mafia", [3]).event({ t: 0, event: "phase", name: "shot", ends: 30 });
    expect(acts(shot.state, 0, false).shoot).toEqual([1, 2, 4, 5, 6]);
    const check = dealt("teaching", 6, 3, "detective").event({ t: 30, event: "phase", name: "check", ends: 60 });
    expect(acts(check.state, 0, false).check).toEqual([1, 2, 3, 4, 5, 6]);
    check.event({ t: 60, event: "answer", seat: 3, target: 5, answer: "not_mafia" });
    expect(check.state.checks).toEqual([{ night: 1, seat: 5, answer: "not_mafia" }]);
  });

  it("tells the detective and the doctor that their move is still to come", () => {
    const at = (card: CardName, name: "shot" | "check" | "protect"): boolean =>
      movesLater(dealt("teaching", 6, 3, card).event({ t: 0, event: "phase", name, ends: 30 }).state);
    expect([at("detective", "shot"), at("detective", "check"), at("detective", "protect")]).toEqual([true, false, false]);
    expect([at("doctor", "shot"), at("doctor", "check"), at("doctor", "protect")]).toEqual([true, true, false]);
    expect(at("town", "shot")).toBe(false);
  });

  it("does not let the doctor protect one seat two nights in a row", () => {
    const told = dealt("teaching", 6, 3, "doctor").event({ t: 60, event: "phase", name: "protect", ends: 90 });
    expect(acts(told.state, 0, false).protect).toEqual([1, 2, 3, 4, 5, 6]);
    told.event({ t: 61, event: "pick", seat: 3, target: 3 }).event({ t: 62, event: "pick", seat: 3, target: 5 });
    told.event({ t: 500, event: "night", number: 2 }).event({ t: 560, event: "phase", name: "protect", ends: 590 });
    expect(acts(told.state, 0, false).protect).toEqual([1, 2, 3, 4, 6]);
    told.event({ t: 900, event: "night", number: 3 }).event({ t: 960, event: "phase", name: "protect", ends: 990 });
    expect(acts(told.state, 0, false).protect).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("asks everybody living for the day's one nomination, and votes on that seat", () => {
    const told = dealt("teaching", 6, 3, "town").event({ t: 90, event: "day", number: 1 })
      .event({ t: 90, event: "phase", name: "speech", seat: 1, ends: 150 });
    expect(phaseWords(told.state)).toBe("speech_only");
    expect(whyNot(told.state, "nominate")).toBe("why-no-nomination");
    told.event({ t: 450, event: "phase", name: "nomination", ends: 480 }).event({ t: 450, event: "mic", seats: [1, 2, 3, 4, 5, 6] });
    expect(acts(told.state, 0, false).nominate).toEqual([1, 2, 3, 4, 5, 6]);
    told.event({ t: 455, event: "nominated", seat: 3, by: 5 })
      .event({ t: 455, event: "phase", name: "defence", seat: 3, ends: 485 });
    expect(acts(told.state, 0, false)).toMatchObject({ pass: true, say: true, nominate: [] });
    told.event({ t: 485, event: "phase", name: "vote", ends: 515, round: 1 });
    expect(acts(told.state, 0, false)).toMatchObject({ vote: [3], abstain: true });
    told.event({ t: 515, event: "votes", round: 1, votes: { "1": 3, "2": null, "3": null, "4": 3, "5": 3, "6": null } });
    const said = told.state.feed.at(-1);
    expect(said).toMatchObject({ kind: "host", text: "host-votes-removal" });
    expect(format("en", "host-votes-removal", said?.kind === "host" ? said.args : {})).toBe("For the removal of seat 3: 3 of 6 living.");
    told.event({ t: 515, event: "night", number: 2 });
    expect(hostTexts(told.state)).toContain("host-nobody-leaves");
  });
});

describe("party", () => {
  it("lets one who was interrupted hold the floor, once in a discussion", () => {
    const told = discussion("party", 7);
    expect(acts(told.state, 0, false)).toMatchObject({ say: true, floor: true });
    expect(myMinute(told.state, 100, 0)).toEqual({ when: "open" });
    told.event({ t: 100, event: "floor", seat: 5, until: 130 }).event({ t: 100, event: "mic", seats: [5] });
    expect(told.state.floor).toEqual({ seat: 5, until: 130 });
    expect(acts(told.state, 0, false).floor).toBe(false);
    expect(whyNot(told.state, "floor")).toBe("why-floor-held");
    expect(myMinute(told.state, 100, 0)).toEqual({ when: "floor", seat: 5 });
    told.event({ t: 130, event: "mic", seats: [1, 2, 3, 4, 5, 6, 7] });
    expect(told.state.floor).toBeNull();
    expect(acts(told.state, 0, false).floor).toBe(true);
    told.event({ t: 140, event: "floor", seat: 2, until: 170 }).event({ t: 140, event: "mic", seats: [2] });
    expect(myMinute(told.state, 141, 0)).toEqual({ when: "now" });
    told.event({ t: 170, event: "mic", seats: [1, 2, 3, 4, 5, 6, 7] });
    expect(acts(told.state, 0, false).floor).toBe(false);
    expect(whyNot(told.state, "floor")).toBe("why-floor-used");
    told.event({ t: 330, event: "phase", name: "nomination", seat: 1, ends: 345 }).event({ t: 330, event: "mic", seats: [] });
    expect(whyNot(told.state, "floor")).toBe("why-no-discussion");
    told.event({ t: 500, event: "day", number: 2 }).event({ t: 500, event: "phase", name: "discussion", ends: 740 });
    expect(acts(told.state, 0, false).floor).toBe(true);
  });

  it("asks seat by seat for a nomination; a seat named twice is one nominee", () => {
    const told = discussion("party", 7).event({ t: 330, event: "phase", name: "nomination", seat: 1, ends: 345 });
    expect(acts(told.state, 0, false)).toMatchObject({ nominate: [], pass: false });
    expect(nextSpeaker(told.state)).toBe(2);
    told.event({ t: 331, event: "nominated", seat: 6, by: 1 }).event({ t: 331, event: "phase", name: "nomination", seat: 2, ends: 346 });
    expect(acts(told.state, 0, false)).toMatchObject({ nominate: [1, 3, 4, 5, 6, 7], pass: true });
    told.event({ t: 332, event: "nominated", seat: 6, by: 2 }).event({ t: 332, event: "phase", name: "nomination", seat: 3, ends: 347 });
    told.event({ t: 333, event: "nominated", seat: 2, by: 3 });
    expect(nominees(told.state)).toEqual([6, 2]);
    told.event({ t: 400, event: "phase", name: "defence", seat: 2, ends: 430 });
    expect(nextSpeaker(told.state)).toBe(6);
    told.event({ t: 460, event: "phase", name: "vote", ends: 520, round: 1 });
    expect(acts(told.state, 0, false)).toMatchObject({ vote: [6, 2], abstain: true });
  });

  it("says why a day had no vote", () => {
    const told = discussion("party", 7).event({ t: 330, event: "phase", name: "nomination", seat: 1, ends: 345 })
      .event({ t: 430, event: "night", number: 2 });
    expect(hostTexts(told.state)).toContain("host-no-vote");
  });

  it("keeps the detective from checking the own seat", () => {
    const told = dealt("party", 7, 3, "detective").event({ t: 30, event: "phase", name: "check", ends: 60 });
    expect(acts(told.state, 0, false).check).toEqual([1, 2, 4, 5, 6, 7]);
  });
});

describe("every ruleset", () => {
  it.each(Object.entries(RULESETS))("%s has its texts in both languages", (name, rules) => {
    for (const [phase, rule] of Object.entries(rules.phases)) {
      const ids = [`phase-${phase}`, `now-${rule.words}`, `help-${rule.words}`];
      const turns = rule.queue !== undefined || rule.acts.some((act) => act.by === "seat");
      if (turns) ids.push(`now-${rule.words}-you`, `help-${rule.words}-you`);
      if (phase !== "over") ids.push(`host-${rule.words}`);
      for (const lang of ["en", "ru"] as const) for (const id of ids) expect(format(lang, id), `${lang} ${name}`).not.toBe(id);
    }
    const others = [rules.morning.killed, rules.morning.nobody, ...(rules.nobodyLeaves === null ? [] : [rules.nobodyLeaves]),
      ...Object.values(rules.team), `game-${name}`, `game-${name}-is`,
      ...Object.values(rules.page).flat().map((line) => (typeof line === "string" ? line : line.line))];
    for (const lang of ["en", "ru"] as const) for (const id of others) expect(format(lang, id), `${lang} ${name}`).not.toBe(id);
  });

  it("has only the buttons that it has acts for", () => {
    expect(Object.keys(RULESETS).filter((name) => hasAct(name, "sign"))).toEqual(["sport"]);
    expect(Object.keys(RULESETS).filter((name) => hasAct(name, "floor"))).toEqual(["party"]);
    expect(Object.keys(RULESETS).filter((name) => hasAct(name, "nominate"))).toEqual(["sport", "teaching", "party"]);
  });

  it("names teams in words, but not twice", () => {
    expect(teamText("sport", "mafia")).toBe("team-black");
    expect(teamText("sport", "sheriff")).toBe("team-red");
    expect(teamText("party", "doctor")).toBe("team-town");
    expect([teamText("party", "town"), teamText("party", "mafia")]).toEqual([null, null]);
    expect(rulesOf("nobody has heard of it")).toBe(RULESETS["sport"]);
  });

  it("knows who stopped it", () => {
    const told = quick().event({ t: 5, event: "abandoned", by: 3 }).event({ t: 5, event: "phase", name: "over", ends: null });
    expect(told.state).toMatchObject({ stopped: { by: 3 }, result: { winner: null }, time: "over" });
    expect(hostTexts(told.state)).toContain("host-stopped-by");
    expect(hostTexts(quick().event({ t: 5, event: "abandoned", by: null }).state)).toContain("host-stopped");
  });
});
