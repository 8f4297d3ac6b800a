import { RULESETS } from "../game/rules";
import { t } from "../i18n/index.svelte";
import type { CardName } from "../wire/messages";

/** The name of a game in the viewer's language; of one that this page has no name for, the server's own. */
export function gameName(ruleset: string): string {
  return ruleset in RULESETS ? t(`game-${ruleset}`) : ruleset;
}

/** The deck as a table is told of it before the deal: "2 × Mafia, Detective, Doctor, 5 × Townsperson". */
export function deckText(deck: Partial<Record<CardName, number>>): string {
  return Object.entries(deck)
    .map(([card, count]) => (count === 1 ? t(`card-${card}`) : t("deck-many", { count, card: t(`card-${card}`) })))
    .join(", ");
}
