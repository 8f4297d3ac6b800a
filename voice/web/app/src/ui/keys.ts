import { whyNot } from "../game/acts";
import { hasAct } from "../game/rules";
import { t } from "../i18n/index.svelte";
import { settings } from "../settings.svelte";
import type { Desk, Sheet } from "./desk.svelte";
import { seatOfDigit } from "./digits";

// By the key's place, not its letter: a Russian keyboard has the same keys.
const SHEETS: Record<string, Sheet> = {
  KeyG: "signs", KeyN: "nominate", KeyL: "claim", KeyD: "defend", KeyA: "ask",
};

const ACT: Record<Sheet, "sign" | "nominate" | "say"> = {
  signs: "sign", nominate: "nominate", claim: "say", defend: "say", ask: "say",
};

function typing(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return target?.closest("input, select, textarea, dialog") != null;
}

/** One key for each act at the table; digits pick seats while a picker is open. */
export function shortcut(event: KeyboardEvent, desk: Desk): void {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
  if (event.code === "Escape") {
    if (desk.decline()) return;
    desk.disarm();
    desk.sheet = null;
    return;
  }
  if (!settings.shortcuts || event.repeat) return;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
  if (digit !== undefined) {
    desk.onDigit?.(seatOfDigit(Number(digit), desk.session.table.seats.length, event.timeStamp));
    return;
  }
  if (event.code === "Enter") {
    // A focused button has an Enter of its own.
    if (!(event.target instanceof HTMLButtonElement) && !(event.target instanceof HTMLAnchorElement)) desk.onEnter?.();
    return;
  }
  const { acts, table } = desk.session;
  if (event.code === "KeyC") {
    desk.card?.show();
  } else if (event.code === "KeyY") {
    desk.accept();
  } else if (event.code === "KeyP") {
    if (acts.pass || acts.abstain) desk.pass();
    else if (table.me !== null) desk.say(t(whyNot(table, "pass")));
  } else if (event.code === "KeyF") {
    if (table.me !== null && table.result === null && hasAct(table.ruleset, "floor")) desk.floor();
  } else {
    const sheet = SHEETS[event.code];
    if (sheet === undefined || table.me === null || table.result !== null || !hasAct(table.ruleset, ACT[sheet])) return;
    const may = sheet === "signs" ? acts.signsLeft !== null : sheet === "nominate" ? acts.nominate.length > 0 : acts.say;
    if (may) desk.toggle(sheet);
    else desk.say(t(whyNot(table, ACT[sheet])));
  }
}

export function shortcutUp(event: KeyboardEvent, desk: Desk): void {
  if (event.code === "KeyC" && !typing(event)) desk.card?.hide();
}
