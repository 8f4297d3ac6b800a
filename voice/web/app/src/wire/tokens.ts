// Where a tab keeps the token of its seat. The tab's own store comes first, so that two tabs may sit at one
// table as two people; the browser's store brings a closed tab's seat back.

const PREFIX = "vt.seat.";
const LEFT = "vt.left.";
export const MODERATOR = "vt.moderator";
const ACCOUNT = "vt.account";

function read(store: () => Storage, key: string): string | null {
  try {
    return store().getItem(key);
  } catch {
    return null; // storage may be switched off
  }
}

function write(store: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) store().removeItem(key);
    else store().setItem(key, value);
  } catch {
    // without storage a reload loses the seat; the page still works
  }
}

const tab = (): Storage => sessionStorage;
const browser = (): Storage => localStorage;

export function keepToken(table: string, token: string): void {
  write(tab, PREFIX + table, token);
  write(browser, PREFIX + table, token);
}

export function findToken(table: string): string | null {
  const own = read(tab, PREFIX + table);
  if (own !== null) return own;
  const kept = read(browser, PREFIX + table);
  if (kept !== null) write(tab, PREFIX + table, kept);
  return kept;
}

export function forgetToken(table: string): void {
  const own = read(tab, PREFIX + table);
  write(tab, PREFIX + table, null);
  if (own === null || read(browser, PREFIX + table) === own) write(browser, PREFIX + table, null);
}

/** The seat was given up: its token opens the transcript, when the game is over, and nothing else. */
export function keepToRead(table: string): void {
  const own = findToken(table);
  if (own !== null) write(browser, LEFT + table, own);
  forgetToken(table);
}

/** The token that what was said at a table can be read with. */
export function findToRead(table: string): string | null {
  return findToken(table) ?? read(browser, LEFT + table);
}

/** Every seat that this browser holds, or gave up: a moderator says which tables are their own. */
export function allTokens(): string[] {
  const found = new Set<string>();
  for (const store of [tab, browser]) {
    try {
      for (const key of Object.keys(store())) {
        const token = key.startsWith(PREFIX) || key.startsWith(LEFT) ? store().getItem(key) : null;
        if (token !== null) found.add(token);
      }
    } catch {
      // storage may be switched off
    }
  }
  return [...found];
}

/** The own account's token, to sit down as oneself: a moderator's in this tab, else what an account's link left here. */
export function findAccount(): string | undefined {
  return read(tab, MODERATOR) ?? read(browser, ACCOUNT) ?? undefined;
}

export function keepAccount(token: string): void {
  write(browser, ACCOUNT, token);
}

/** A value of this tab alone, for instance what it voted in a phase: no event tells it again after a reload. */
export function keepInTab(key: string, value: string | null): void {
  write(tab, `vt.${key}`, value);
}

export function findInTab(key: string): string | null {
  return read(tab, `vt.${key}`);
}
