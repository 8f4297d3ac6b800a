/**
 * The table's clock, held by what the server says its now is. Each message was on its way for a while, so the
 * sample that puts the table furthest ahead was the fastest and is the nearest to the truth.
 */
export class TableClock {
  #samples: number[] = [];
  #offset_s: number | null = null;

  /** `now`: table time that a message carried; `at_s`: this machine's monotonic time when it came. */
  hear(now: number, at_s: number): void {
    this.#samples.push(now - at_s);
    if (this.#samples.length > KEPT) this.#samples.shift();
    this.#offset_s = Math.max(...this.#samples);
  }

  /** After a reconnect the server may be another one, with a clock of its own. */
  forget(): void {
    this.#samples = [];
  }

  /** Table time; null before the server has said any. */
  at(at_s: number): number | null {
    return this.#offset_s === null ? null : at_s + this.#offset_s;
  }
}

const KEPT = 12;

/** Whole seconds left, as a clock shows them: 60 at the start, 0 only at the very end. */
export function secondsLeft(ends: number | null, now: number | null): number | null {
  if (ends === null || now === null) return null;
  return Math.max(0, Math.ceil(ends - now - 0.001));
}

/** The marks a screen reader is told of. */
export function spokenMark(before: number | null, left: number | null): 30 | 10 | 0 | null {
  if (before === null || left === null) return null;
  for (const mark of [30, 10, 0] as const) if (before > mark && left <= mark && left > mark - 5) return mark;
  return null;
}
