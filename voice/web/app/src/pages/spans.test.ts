import { expect, it } from "vitest";
import { marked, readings } from "./spans";

it("cuts a line at its hits, by code points", () => {
  expect(marked("🙂 you idiot!", [{ start: 6, end: 11, rule: "insult" }])).toEqual([
    { text: "🙂 you ", rule: null },
    { text: "idiot", rule: "insult" },
    { text: "!", rule: null },
  ]);
});

it("keeps every letter once, where hits overlap or lie outside", () => {
  const text = "abcdef";
  const pieces = marked(text, [
    { start: 2, end: 4, rule: "two" },
    { start: 1, end: 3, rule: "one" },
    { start: 5, end: 99, rule: "end" },
    { start: 3, end: 3, rule: "none" },
  ]);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  expect(pieces.map((piece) => piece.rule)).toEqual([null, "one", "two", null, "end"]);
});

it("leaves a line without hits whole", () => {
  expect(marked("abc", [])).toEqual([{ text: "abc", rule: null }]);
});

it("tells what another reading has, each once, with what the line has there", () => {
  const hit = { start: 2, end: 11, rule: "en.hate.x", category: "hate" };
  const hits = [{ ...hit, instead: "a word" }, { ...hit, rule: "en.hate.y", instead: "a word" }, { start: 0, end: 1, rule: "z", category: "hate" }];
  expect(readings("🙂 try any 🙂", hits)).toEqual([{ instead: "a word", text: "try any 🙂" }]);
  expect(readings("nothing else", [])).toEqual([]);
});
