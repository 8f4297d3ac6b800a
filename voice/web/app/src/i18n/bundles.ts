import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import type { Lang } from "../wire/messages";
import en from "./en.ftl?raw";
import ru from "./ru.ftl?raw";

export const SOURCES: Record<Lang, string> = { en, ru };
export const LANGS: readonly Lang[] = ["en", "ru"];

function bundle(lang: Lang): FluentBundle {
  // Both languages run left to right: isolation marks would only be invisible letters in every text.
  const made = new FluentBundle(lang, { useIsolating: false });
  const errors = made.addResource(new FluentResource(SOURCES[lang]));
  if (errors.length > 0) throw new Error(`${lang}.ftl: ${errors.map(String).join("; ")}`);
  return made;
}

const bundles: Record<Lang, FluentBundle> = { en: bundle("en"), ru: bundle("ru") };

/** The text of an id in a language; the id itself where no such text exists, so that a gap can be seen. */
export function format(lang: Lang, id: string, args?: Record<string, FluentVariable>): string {
  const message = bundles[lang].getMessage(id);
  if (message?.value == null) return id;
  const errors: Error[] = [];
  return bundles[lang].formatPattern(message.value, args ?? null, errors);
}
