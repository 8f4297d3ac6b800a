import { describe, expect, it } from "vitest";
import type { Proposal, SpokenCommand } from "../wire/messages";
import { nameOf, proposed, standing } from "./proposals";

function made(id: number, command: SpokenCommand, phase = 7, until = 100): Proposal {
  return { id, phase, until, command };
}

const FIVE = made(1, { do: "nominate", target: 5 });
const PASS = made(2, { do: "pass" });

describe("proposals of spoken commands", () => {
  it("stand side by side, one of each kind, the newest", () => {
    const six = made(3, { do: "nominate", target: 6 });
    let list = proposed([], { type: "proposal", ...FIVE });
    list = proposed(list, { type: "proposal", ...PASS });
    expect(list).toEqual([FIVE, PASS]);
    expect(proposed(list, { type: "proposal", ...six })).toEqual([PASS, six]);
  });

  it("are taken back by number, and one that is gone already stays gone", () => {
    expect(proposed([FIVE, PASS], { type: "proposal", id: 1, command: null })).toEqual([PASS]);
    expect(proposed([PASS], { type: "proposal", id: 1, command: null })).toEqual([PASS]);
  });

  it("are void in another phase, after their time, and without a clock", () => {
    expect(standing([FIVE, PASS], 7, 99.9)).toEqual([FIVE, PASS]);
    expect(standing([FIVE, PASS], 8, 99.9)).toEqual([]);
    expect(standing([FIVE, made(2, { do: "pass" }, 7, 90)], 7, 90)).toEqual([FIVE]);
    expect(standing([FIVE], 7, null)).toEqual([]);
    expect(standing([FIVE], null, 10)).toEqual([]);
  });

  it("have a name that a new connection tells again and another one does not have", () => {
    expect(nameOf({ ...FIVE })).toBe(nameOf(FIVE));
    expect(new Set([FIVE, PASS, { ...FIVE, until: 101 }].map(nameOf)).size).toBe(3);
  });
});
