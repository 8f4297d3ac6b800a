/** A piece of a flagged line: `rule` is what hit it, null for a piece that nothing hit. */
export interface Piece {
  text: string;
  rule: string | null;
}

/** What other readings of the sound have, and what the line has in its place; each once. */
export function readings(text: string, hits: readonly { start: number; end: number; instead?: string }[]): { instead: string; text: string }[] {
  const points = Array.from(text);
  const found = new Map<string, { instead: string; text: string }>();
  for (const { start, end, instead } of hits) {
    if (instead !== undefined) found.set(`${start} ${end} ${instead}`, { instead, text: points.slice(start, end).join("") });
  }
  return [...found.values()];
}

/**
 * Cuts a line at its hit spans. The server counts code points, a browser UTF-16 units. Spans may overlap: the
 * first to begin keeps its piece.
 */
export function marked(text: string, hits: readonly { start: number; end: number; rule: string }[]): Piece[] {
  const points = Array.from(text);
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, rule } of [...hits].sort((one, other) => one.start - other.start || other.end - one.end)) {
    const from = Math.max(at, Math.min(start, points.length));
    const to = Math.min(end, points.length);
    if (to <= from) continue;
    if (from > at) pieces.push({ text: points.slice(at, from).join(""), rule: null });
    pieces.push({ text: points.slice(from, to).join(""), rule });
    at = to;
  }
  if (at < points.length) pieces.push({ text: points.slice(at).join(""), rule: null });
  return pieces;
}
