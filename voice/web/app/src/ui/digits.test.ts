import { describe, expect, it } from "vitest";
import { seatOfDigit } from "./digits";

describe("digits name seats", () => {
  it("at a table of ten, each by one digit, 0 being seat 10", () => {
    expect([1, 2, 9, 0].map((digit, index) => seatOfDigit(digit, 10, 10_000 + index * 5_000))).toEqual([1, 2, 9, 10]);
  });

  it("beyond ten by two digits that follow each other", () => {
    expect(seatOfDigit(1, 13, 100_000)).toBe(1);
    expect(seatOfDigit(3, 13, 100_300)).toBe(13);
    expect(seatOfDigit(3, 13, 100_600)).toBe(3);
    expect(seatOfDigit(1, 13, 200_000)).toBe(1);
    expect(seatOfDigit(1, 13, 200_300)).toBe(11);
  });

  it("not where the second comes late, or names a seat that is not there", () => {
    expect(seatOfDigit(1, 13, 300_000)).toBe(1);
    expect(seatOfDigit(2, 13, 302_000)).toBe(2);
    expect(seatOfDigit(1, 11, 400_000)).toBe(1);
    expect(seatOfDigit(2, 11, 400_300)).toBe(2);
    expect(seatOfDigit(1, 6, 500_000)).toBe(1);
    expect(seatOfDigit(1, 6, 500_300)).toBe(1);
  });
});
