import { t } from "../../i18n/index.svelte";
import type { Case } from "../../wire/console";

/** The category of a case, or the likeliest; of a report that nothing speaks for, that it is one. */
export function kind(line: Pick<Case, "category" | "scores">): string {
  const [likeliest] = Object.entries(line.scores).filter(([, score]) => score > 0).sort((one, other) => other[1] - one[1]);
  const category = line.category ?? likeliest?.[0];
  return category === undefined ? t("moderate-reported") : t(`category-${category}`);
}

/** Where a case comes from. */
export function origin(line: Pick<Case, "source">): string {
  return line.source === "report" ? t("moderate-report") : line.source === "model" ? t("moderate-model") : t("moderate-check");
}

export function clockTime(at: number, lang: string): string {
  return new Date(at * 1000).toLocaleTimeString(lang);
}

export function dateTime(at: number, lang: string): string {
  return new Date(at * 1000).toLocaleString(lang, { dateStyle: "short", timeStyle: "short" });
}
