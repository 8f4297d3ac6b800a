import { describe, expect, it } from "vitest";
import { secondsLeft, spokenMark, TableClock } from "./clock";

describe("the table's clock", () => {
  it("is unknown before the server has said its now", () => {
    expect(new TableClock().at(5)).toBeNull();
  });

  it("runs on from what the server said last", () => {
    const clock = new TableClock();
    clock.hear(100, 10);
    expect(clock.at(20)).toBeCloseTo(110);
    clock.hear(105, 20); // the server was away for a while, and table time stood still
    expect(clock.at(21)).toBeCloseTo(106);
  });

  it("shows whole seconds, nought only at the end", () => {
    expect(secondsLeft(60, 0)).toBe(60);
    expect(secondsLeft(60, 0.5)).toBe(60);
    expect(secondsLeft(60, 59.5)).toBe(1);
    expect(secondsLeft(60, 60)).toBe(0);
    expect(secondsLeft(60, 61)).toBe(0);
    expect(secondsLeft(null, 3)).toBeNull();
  });

  it("tells a screen reader 30, 10 and 0, once each", () => {
    const told: number[] = [];
    let before: number | null = null;
    for (let left = 60; left >= 0; left -= 1) {
      const mark = spokenMark(before, left);
      if (mark !== null) told.push(mark);
      before = left;
    }
    expect(told).toEqual([30, 10, 0]);
  });

  it("does not tell a mark that was long past when it came to know", () => {
    expect(spokenMark(60, 22)).toBeNull();
    expect(spokenMark(null, 30)).toBeNull();
  });
});
