import { FluentParser, Visitor, type Message, type VariableReference } from "@fluent/syntax";
import { describe, expect, it } from "vitest";
import { format, LANGS, SOURCES } from "./bundles";

// Everything below `src` that may name a text.
const CODE = import.meta.glob<string>(["../**/*.svelte", "../**/*.ts", "!../**/*.test.ts"], {
  query: "?raw", import: "default", eager: true,
});

class Variables extends Visitor {
  readonly names = new Set<string>();
  override visitVariableReference(node: VariableReference): void {
    this.names.add(node.id.name);
  }
}

function messages(lang: "en" | "ru"): Map<string, Set<string>> {
  const parsed = new FluentParser({ withSpans: false }).parse(SOURCES[lang]);
  const junk = parsed.body.filter((entry) => entry.type === "Junk");
  expect(junk, `${lang}.ftl: entries that can't be read`).toEqual([]);
  const found = new Map<string, Set<string>>();
  for (const entry of parsed.body) {
    if (entry.type !== "Message") continue;
    const message = entry as Message;
    expect(found.has(message.id.name), `${lang}.ftl: ${message.id.name} twice`).toBe(false);
    const variables = new Variables();
    variables.visit(message);
    found.set(message.id.name, variables.names);
  }
  return found;
}

const en = messages("en");
const ru = messages("ru");

/** Texts that the code names whole, as `t("id")`, `host("id")` or a bare "id" of a known family. */
function named(): Set<string> {
  const ids = new Set<string>();
  for (const source of Object.values(CODE)) {
    for (const [, id] of source.matchAll(/\b(?:t|host)\(\s*"([a-z][\w-]*)"/g)) ids.add(id as string);
    for (const [, id] of source.matchAll(/"((?:host|why|rules|now|help)-[\w-]+)"/g)) ids.add(id as string);
  }
  return ids;
}

/** Families of texts whose ids are put together in the code, as "prefix-${...}". */
function families(): string[] {
  const found = new Set<string>();
  for (const source of Object.values(CODE)) {
    for (const [, prefix] of source.matchAll(/`([a-z][\w-]*-)\$\{/g)) found.add(prefix as string);
  }
  return [...found];
}

describe("the texts", () => {
  it("are the same in both languages, with the same placeables", () => {
    expect([...ru.keys()].sort()).toEqual([...en.keys()].sort());
    for (const [id, variables] of en) expect([...(ru.get(id) ?? [])].sort(), id).toEqual([...variables].sort());
  });

  it("exist for every id that the code names", () => {
    const missing = [...named()].filter((id) => !en.has(id));
    expect(missing).toEqual([]);
  });

  it("are all used", () => {
    const ids = named();
    const prefixes = families();
    const bare = Object.values(CODE).join("\n");
    const unused = [...en.keys()].filter(
      (id) => !ids.has(id) && !prefixes.some((prefix) => id.startsWith(prefix)) && !bare.includes(`"${id}"`));
    expect(unused).toEqual([]);
  });

  const VALUES = {
    left: ["shot", "vote", "lift", "removal"],
    "host-left": ["vote", "lift", "removal"],
    "host-over": ["town", "mafia", "draw"],
    captions: ["loading", "finals", "late", "off"],
    category: ["insult", "hate", "sexual"],
    answer: ["red", "black", "sheriff", "not_sheriff", "mafia", "not_mafia"],
    card: ["civilian", "sheriff", "mafia", "don", "town", "detective", "doctor"],
    sign: ["civilian", "sheriff", "mafia", "don", "red", "black", "check", "shot", "vote", "trust", "yes", "no"],
    said: ["claim", "defend", "ask"],
    foul: ["signs", "line", "ruling"],
    mic: ["off", "asking", "ready", "denied", "missing", "busy", "insecure", "ended", "muted"],
    voice: ["off", "connecting", "failed"],
    minute: ["now", "open", "next", "in", "floor", "naming", "spoken", "night", "vote", "out", "later", "watching"],
    error: ["unknown", "other", "unreachable", "name-taken", "consent-needed", "invite-unknown", "invite-expired", "no-table", "table-full", "table-started", "table-broken", "server-full", "busy", "too-many", "bad-token", "no-line", "not-owner", "not-stoppable", "transcript-gone"],
    title: ["home", "join", "table", "moderate", "transcript", "mine", "watch"],
    act: ["signs", "nominate", "claim", "defend", "ask", "floor", "pass"],
    night: ["order", "order-confirm", "shoot", "shoot-confirm", "check", "check-confirm", "protect", "protect-confirm"],
    refused: ["rule", "late", "lost"],
    setting: ["captions", "contrast", "help", "sounds", "shortcuts", "proposals"],
    severity: ["likely", "clear", "person"],
    "moderate-state": ["upheld", "dismissed", "expired"],
    moderate: ["open", "ruled", "appeals", "all"],
    "appeal-is": ["open", "upheld", "overturned", "expired"],
    "own-appeal": ["open", "upheld", "overturned", "expired"],
    "own-ruled": ["upheld", "dismissed"],
    "report-is": ["open", "upheld", "dismissed", "expired"],
    history: ["claimed", "released", "appealed", "listened", "words-deleted"],
    console: ["cases", "figures", "shadow"],
    shadow: ["shadow", "live"],
    join: ["running", "over", "broken"],
    "rules-head": ["game", "night", "day", "vote", "leaving", "fouls"],
    say: ["defend-title", "defend-confirm", "ask-title", "ask-confirm"],
  };

  it.each(Object.entries(VALUES))("exist for every value of %s", (family, values) => {
    for (const value of values) expect(en.has(`${family}-${value}`), `${family}-${value}`).toBe(true);
  });

  it("are filled in without an error, whatever the number", () => {
    for (const lang of LANGS) {
      for (const [id, variables] of en) {
        for (const number of [0, 1, 2, 5, 21]) {
          const text = format(lang, id, Object.fromEntries([...variables].map((name) => [name, number])));
          expect(text, `${lang} ${id}`).not.toMatch(/\{|\}|\$/);
          expect(text.length, `${lang} ${id}`).toBeGreaterThan(0);
        }
      }
    }
  });

  it("count in Russian as Russian counts", () => {
    expect([1, 2, 5, 11, 21].map((count) => format("ru", "fouls", { count }))).toEqual([
      "1 фол", "2 фола", "5 фолов", "11 фолов", "21 фол",
    ]);
  });

  it("count parts of days in Russian as Russian counts", () => {
    const told = [1, 2, 5, 0.5].map((days) => format("ru", "door-consent-transcript", { days }));
    expect(told.map((text) => /Через (.*) после/.exec(text)?.[1])).toEqual(["1 день", "2 дня", "5 дней", "0,5 дня"]);
    expect(format("ru", "door-consent-transcript", { days: 0 })).not.toContain("Через");
  });
});
