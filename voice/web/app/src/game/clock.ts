/**
 * The table's clock, held to the newest `clock` of the server. The `now` of an event is no measure: it is the time of
 * the log, and an event may be sent again long after.
 */
export class TableClock {
  #offset_s: number | null = null;

  /** `now`: table time as the server says it; `at_s`: this machine's monotonic time when it came. */
  hear(now: number, at_s: number): void {
    this.#offset_s = now - at_s;
  }

  /** Table time; null before the server has said any. */
  at(at_s: number): number | null {
    return this.#offset_s === null ? null : at_s + this.#offset_s;
  }
}

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
