import { describe, expect, it } from "vitest";
import { format } from "../i18n/bundles";
import { acts, whyNot } from "./acts";
import { fold } from "./fold";
import { candidates, EMPTY, living, type FeedItem, type TableState } from "./state";
import { Told } from "./told";
import { myMinute, nextSpeaker, waiting } from "./turns";

function dayOne(seat: number, card: "civilian" | "sheriff" | "mafia" | "don" = "civilian"): Told {
  const told = new Told(seat);
  told.event({ t: 0, event: "dealt", seat, card, ...(card === "don" || card === "mafia" ? { team: [2, 5, 6] } : {}) });
  told.event({ t: 0, event: "night", number: 1 });
  told.event({ t: 0, event: "phase", name: "agreement", ends: 60 });
  if (card === "don") told.event({ t: 20, event: "order", seats: [1, 4, 7], by: "don" });
  told.event({ t: 60, event: "day", number: 1 });
  told.event({ t: 60, event: "phase", name: "speech", seat: 1, ends: 120 });
  told.event({ t: 60, event: "mic", seats: [1] });
  return told;
}

function voted(seat: number, votes: Record<string, number>): Told {
  return dayOne(seat)
    .event({ t: 70, event: "nominated", seat: 5, by: 1 })
    .event({ t: 80, event: "nominated", seat: 3, by: 2 })
    .event({ t: 660, event: "phase", name: "vote", ends: 720, round: 1 })
    .event({ t: 660, event: "mic", seats: [] })
    .event({ t: 700, event: "votes", round: 1, votes });
}

function hostTexts(state: TableState): string[] {
  return state.feed.filter((item) => item.kind === "host").map((item) => item.text);
}

describe("the fold", () => {
  it("seats everybody, and knows the own card and no other", () => {
    const { state } = dayOne(2, "don");
    expect(state.seats.map((seat) => seat.seat)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(state.card).toBe("don");
    expect(state.team).toEqual([2, 5, 6]);
    expect(state.order).toEqual({ seats: [1, 4, 7], by: "don" });
    expect(new Told(3).event({ t: 0, event: "dealt", seat: 9, card: "don" }).state.card).toBeNull();
  });

  it("is the same from any point on: what a reload folds again", () => {
    const told = voted(2, { "1": 5, "2": 3, "3": 5 });
    const half = told.messages.slice(0, 6).reduce(fold, EMPTY);
    expect(told.messages.slice(6).reduce(fold, half)).toEqual(told.state);
    expect(told.messages.reduce(fold, EMPTY)).toEqual(told.state);
  });

  it("changes nothing in the state it was given", () => {
    const told = voted(2, { "1": 5 });
    const before = structuredClone(told.state);
    fold(told.state, { type: "event", n: 99, phase: 9, now: 0, event: { t: 1, event: "fouled", seat: 4, fouls: 2, why: "signs" } });
    expect(told.state).toEqual(before);
  });

  it("knows which line a foul was for: the last one of that seat", () => {
    const told = dayOne(1).line(1, "one", "9", 60).line(1, "two", "10", 61).line(2, "three", "11", 61);
    told.event({ t: 62, event: "fouled", seat: 1, fouls: 1, why: "line", category: "insult" })
      .event({ t: 63, event: "fouled", seat: 1, fouls: 2, why: "ruling" });
    const fouls = told.state.feed.filter((item) => item.kind === "fouled");
    expect(fouls.map((item) => item.kind === "fouled" && item.line)).toEqual(["10", null]);
  });

  it("keeps nominees in the order they were nominated, for one day", () => {
    const told = voted(2, { "1": 5 });
    expect(candidates(told.state)).toEqual([5, 3]);
    told.event({ t: 730, event: "night", number: 2 });
    expect(told.state.nominated).toEqual([]);
  });

  it("votes among the tied after a tie, without those who left", () => {
    const told = voted(2, { "1": 5, "2": 3 }).event({ t: 700, event: "tie", seats: [5, 3] });
    expect(candidates(told.state)).toEqual([5, 3]);
    told.event({ t: 700, event: "phase", name: "tie_speech", seat: 5, ends: 730 });
    expect(nextSpeaker(told.state)).toBe(3);
    told.event({ t: 730, event: "left", seat: 5, how: "removal" });
    expect(candidates(told.state)).toEqual([3]);
  });

  it("says when and how a seat left", () => {
    const told = voted(2, { "1": 5 }).event({ t: 700, event: "left", seat: 5, how: "vote" });
    expect(told.state.seats[4]?.left).toEqual({ how: "vote", at: "day", number: 1, card: null });
    told.event({ t: 760, event: "night", number: 2 });
    told.event({ t: 760, event: "phase", name: "shot", ends: 780 });
    told.event({ t: 820, event: "morning", killed: 9 });
    told.event({ t: 820, event: "left", seat: 9, how: "shot" });
    expect(told.state.seats[8]?.left).toEqual({ how: "shot", at: "night", number: 2, card: null });
    expect(living(told.state)).toEqual([1, 2, 3, 4, 6, 7, 8, 10]);
  });

  it("counts warnings and fouls, and takes back the one that was cleared", () => {
    const told = dayOne(1)
      .event({ t: 61, event: "warned", seat: 1, category: "insult", line: "a" })
      .event({ t: 62, event: "fouled", seat: 1, fouls: 1, why: "line", category: "insult", line: "b" });
    expect(told.state.seats[0]).toMatchObject({ warnings: 1, fouls: 1 });
    told.event({ t: 63, event: "cleared", seat: 1, line: "b", fouls: 0 });
    expect(told.state.seats[0]).toMatchObject({ warnings: 1, fouls: 0 });
    told.event({ t: 64, event: "cleared", seat: 1, line: "a", fouls: 0 });
    expect(told.state.seats[0]).toMatchObject({ warnings: 0, fouls: 0 });
  });

  it("keeps an away seat's time until it is back, or a bot's", () => {
    const told = dayOne(1).event({ t: 70, event: "away", seat: 2, until: 190 });
    expect(told.state.seats[1]?.awayUntil).toBe(190);
    told.event({ t: 190, event: "bot", seat: 2 });
    expect(told.state.seats[1]).toMatchObject({ awayUntil: null, bot: true });
  });

  it("forgets a pick when the phase ends, and keeps the answer", () => {
    const told = dayOne(2, "don")
      .event({ t: 700, event: "night", number: 2 })
      .event({ t: 720, event: "phase", name: "don_check", ends: 740 })
      .event({ t: 730, event: "pick", seat: 2, target: 8 });
    expect(told.state.pick).toBe(8);
    told.event({ t: 740, event: "answer", seat: 2, target: 8, answer: "not_sheriff" });
    told.event({ t: 740, event: "phase", name: "sheriff_check", ends: 760 });
    expect(told.state.pick).toBeNull();
    expect(told.state.checks).toEqual([{ night: 2, seat: 8, answer: "not_sheriff" }]);
  });

  it("opens votes by voter, and the result by seat", () => {
    const told = voted(2, { "10": 5, "2": 3 });
    expect(told.state.openings[0]).toMatchObject({ day: 1, round: 1, votes: [{ voter: 2, target: 3 }, { voter: 10, target: 5 }] });
    told.event({ t: 800, event: "phase", name: "over", ends: null });
    told.event({ t: 800, event: "mic", seats: [1, 2] });
    told.event({ t: 800, event: "over", winner: "town", cards: { "1": "civilian" }, points: { "1": 1.3 } });
    expect(told.state.time).toBe("over");
    expect(told.state.result).toEqual({ winner: "town", cards: { 1: "civilian" }, points: { 1: 1.3 } });
  });
});

describe("what the host says", () => {
  it("answers a nomination with the seat alone", () => {
    const item = voted(2, {}).state.feed.find((each) => each.kind === "host" && each.text === "host-accepted");
    expect(item).toMatchObject({ args: { seat: 5 }, caption: true });
  });

  it("says why a day has no vote, and only then", () => {
    const none = dayOne(2).event({ t: 660, event: "night", number: 2 });
    expect(hostTexts(none.state)).toContain("host-no-vote");
    const one = dayOne(2).event({ t: 70, event: "nominated", seat: 5, by: 1 }).event({ t: 660, event: "night", number: 2 });
    expect(hostTexts(one.state)).toContain("host-no-vote-one");
    const held = voted(2, { "1": 5 }).event({ t: 730, event: "night", number: 2 });
    expect(hostTexts(held.state).filter((text) => text.startsWith("host-no-vote"))).toEqual([]);
    const cancelled = dayOne(2).event({ t: 660, event: "vote_cancelled", day: 1 }).event({ t: 660, event: "night", number: 2 });
    expect(hostTexts(cancelled.state).filter((text) => text.startsWith("host-no-vote"))).toEqual([]);
  });

  it("tells a miss, a kill and the count of votes in words of both languages", () => {
    const told = voted(2, { "1": 5, "2": 3, "4": 5 })
      .event({ t: 760, event: "night", number: 2 })
      .event({ t: 820, event: "morning", killed: null });
    const texts = told.state.feed.filter((item) => item.kind === "host");
    const miss = texts.find((item) => item.text === "host-morning-missed");
    expect(format("en", miss?.text ?? "")).toBe("Good morning. Nobody was killed tonight: the mafia missed.");
    expect(format("ru", miss?.text ?? "")).toContain("промахнулась");
    const votes = texts.find((item) => item.text === "host-votes");
    expect(format("en", "host-votes", votes?.args)).toBe("The votes are open. 5 — 2; 3 — 1");
  });

  it("never has the words of a warned line", () => {
    const told = dayOne(1).line(1, "SECRET WORDS", "a", 61).event({ t: 62, event: "warned", seat: 1, category: "insult", line: "a" });
    const warned = told.state.feed.filter((item: FeedItem) => item.kind === "warned");
    expect(warned).toHaveLength(1);
    expect(JSON.stringify(warned)).not.toContain("SECRET");
  });

  it("has unique keys for a list that is drawn by key", () => {
    const { feed } = voted(2, { "1": 5 }).event({ t: 730, event: "night", number: 2 }).state;
    expect(new Set(feed.map((item) => item.key)).size).toBe(feed.length);
  });
});

describe("what a seat may do", () => {
  it("in its own minute: nominate once, speak by button, sign, pass", () => {
    const told = dayOne(1);
    expect(acts(told.state, 3, false)).toMatchObject({ pass: true, say: true, signsLeft: 3, nominate: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });
    told.event({ t: 70, event: "nominated", seat: 5, by: 1 });
    expect(acts(told.state, 3, false).nominate).toEqual([]);
    expect(whyNot(told.state, "nominate")).toBe("why-nominated-already");
  });

  it("in another's minute: signs alone, three a speech", () => {
    const told = dayOne(2);
    expect(acts(told.state, 3, false)).toMatchObject({ pass: false, say: false, nominate: [], signsLeft: 3 });
    told.event({ t: 61, event: "signed", seat: 2, sentence: [5, "black"] });
    expect(acts(told.state, 3, false).signsLeft).toBe(2);
    told.event({ t: 120, event: "phase", name: "speech", seat: 2, ends: 180 });
    expect(acts(told.state, 3, false).signsLeft).toBe(3);
  });

  it("not a nominated seat again, and nothing for who has left but a last word", () => {
    const told = dayOne(2).event({ t: 70, event: "nominated", seat: 5, by: 1 });
    told.event({ t: 120, event: "phase", name: "speech", seat: 2, ends: 180 });
    expect(acts(told.state, 3, false).nominate).not.toContain(5);
    told.event({ t: 700, event: "left", seat: 2, how: "vote" });
    told.event({ t: 700, event: "phase", name: "last_word", seat: 2, ends: 760 });
    expect(acts(told.state, 3, false)).toMatchObject({ pass: true, say: true, signsLeft: null, nominate: [] });
    told.event({ t: 760, event: "night", number: 2 });
    told.event({ t: 760, event: "phase", name: "shot", ends: 780 });
    expect(acts(told.state, 3, false)).toMatchObject({ pass: false, shoot: [], signsLeft: null });
  });

  it("votes once", () => {
    const told = dayOne(2).event({ t: 70, event: "nominated", seat: 5, by: 1 }).event({ t: 80, event: "nominated", seat: 2, by: 2 });
    told.event({ t: 660, event: "phase", name: "vote", ends: 720, round: 1 });
    expect(acts(told.state, 3, false).vote).toEqual([5, 2]);
    expect(acts(told.state, 3, true).vote).toEqual([]);
  });

  it("at night by its card", () => {
    const night = (card: "don" | "sheriff" | "mafia" | "civilian", name: "shot" | "don_check" | "sheriff_check") =>
      acts(dayOne(2, card).event({ t: 700, event: "night", number: 2 }).event({ t: 700, event: "phase", name, ends: 720 }).state, 3, false);
    expect(night("mafia", "shot").shoot).toHaveLength(10);
    expect(night("don", "shot").shoot).toHaveLength(10);
    expect(night("civilian", "shot").shoot).toEqual([]);
    expect(night("don", "don_check").check).toEqual([1, 3, 4, 7, 8, 9, 10]);
    expect(night("sheriff", "don_check").check).toEqual([]);
    expect(night("sheriff", "sheriff_check").check).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("nothing for who watches", () => {
    expect(acts(new Told(null).event({ t: 60, event: "phase", name: "speech", seat: 1, ends: 120 }).state, 3, false).signsLeft).toBeNull();
  });
});

describe("whose minute comes", () => {
  it("goes around the table once a day", () => {
    const told = dayOne(4);
    expect(waiting(told.state)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(nextSpeaker(told.state)).toBe(2);
    expect(myMinute(told.state, 90, 60)).toEqual({ when: "in", minutes: 3 });
    told.event({ t: 240, event: "phase", name: "speech", seat: 3, ends: 300 });
    expect(myMinute(told.state, 250, 60)).toEqual({ when: "next" });
    told.event({ t: 240, event: "phase", name: "speech", seat: 4, ends: 300 }).event({ t: 240, event: "mic", seats: [4] });
    expect(myMinute(told.state, 250, 60)).toEqual({ when: "now" });
    told.event({ t: 300, event: "phase", name: "speech", seat: 5, ends: 360 }).event({ t: 300, event: "mic", seats: [5] });
    expect(myMinute(told.state, 310, 60)).toEqual({ when: "spoken" });
  });

  it("wraps around a later day's opener, past those who left", () => {
    const told = new Told(1)
      .event({ t: 0, event: "day", number: 2 })
      .event({ t: 0, event: "left", seat: 9, how: "shot" })
      .event({ t: 0, event: "phase", name: "speech", seat: 8, ends: 60 });
    expect(waiting(told.state)).toEqual([10, 1, 2, 3, 4, 5, 6, 7]);
    told.event({ t: 60, event: "phase", name: "speech", seat: 10, ends: 120 });
    expect(nextSpeaker(told.state)).toBe(1);
  });

  it("knows the night, the vote and the leaver", () => {
    expect(myMinute(voted(2, {}).state, 670, 60)).toEqual({ when: "vote" });
    const told = dayOne(2).event({ t: 700, event: "night", number: 2 }).event({ t: 700, event: "phase", name: "shot", ends: 720 });
    told.event({ t: 700, event: "mic", seats: [] });
    expect(myMinute(told.state, 700, 60)).toEqual({ when: "night" });
    told.event({ t: 720, event: "left", seat: 2, how: "shot" });
    expect(myMinute(told.state, 720, 60)).toEqual({ when: "out" });
  });
});

describe("captions of several who talk at once", () => {
  const texts = (told: Told): string[] => told.state.feed.flatMap((item) => (item.kind === "line" ? [item.text] : []));

  it("stand in the order in which they were begun, whoever was recognised first", () => {
    const told = dayOne(1).line(2, "second", "1", 63).line(1, "first", "2", 61).line(3, "third", "3", 64).line(4, "second too", "4", 63);
    expect(texts(told)).toEqual(["first", "second", "second too", "third"]);
  });

  it("do not move past what the table was told between them", () => {
    const told = dayOne(1).line(1, "late", "1", 63).event({ t: 64, event: "nominated", seat: 5, by: 1 }).line(1, "early", "2", 61);
    expect(texts(told)).toEqual(["late", "early"]);
  });

  it("are left out where their words are deleted, and nothing else is", () => {
    const told = dayOne(1).line(1, "", "1", 61).line(1, "kept", "2", 62);
    expect(texts(told)).toEqual(["kept"]);
    expect(Object.keys(told.state.lines)).toEqual(["2"]);
  });
});
