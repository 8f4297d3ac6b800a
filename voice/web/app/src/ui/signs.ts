import { t } from "../i18n/index.svelte";
import type { Sign, SignName } from "../wire/messages";

export const SIGN_NAMES: readonly SignName[] = [
  "red", "black", "civilian", "sheriff", "mafia", "don", "check", "shot", "vote", "trust", "yes", "no",
];

/** A sentence of hand signs in words, as it is shown before and after it is signed. */
export function signText(sentence: readonly Sign[]): string {
  return sentence.map((sign) => (typeof sign === "number" ? String(sign) : t(`sign-${sign}`))).join(" · ");
}
