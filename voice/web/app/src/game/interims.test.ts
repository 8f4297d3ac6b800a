import { expect, test } from "vitest";
import type { InterimMessage, LineMessage } from "../wire/messages";
import { settled, shown } from "./interims";

const interim = (text: string, agreed = 0, start = 5): InterimMessage => ({ type: "interim", seat: 3, text, agreed, start });
const line = (start: number, end: number): LineMessage =>
  ({ type: "line", n: 1, phase: 1, line: "1", seat: 3, text: "so", start, end, by: "voice" });

test("what two hypotheses agree on stands apart from what may change", () => {
  expect(shown({}, interim("I think he", 7))[3]).toEqual({ agreed: "I think", rest: " he", start: 5 });
  expect(shown({}, interim("🙂🙂 no", 2))[3]).toEqual({ agreed: "🙂🙂", rest: " no", start: 5 });
});

test("an empty caption takes the seat's caption away, and no other", () => {
  const two = shown(shown({}, interim("so")), { ...interim("and"), seat: 4 });
  expect(Object.keys(shown(two, interim("")))).toEqual(["4"]);
});

test("a line takes the place of its caption", () => {
  expect(settled(shown({}, interim("so far")), line(5, 6))).toEqual({});
});

test("a line that comes late leaves the caption of later words, and those of other seats", () => {
  const now = shown({}, interim("and now"));
  expect(settled(now, line(1, 4))).toBe(now);
  expect(settled(now, { ...line(5, 6), seat: 4 })).toBe(now);
});
