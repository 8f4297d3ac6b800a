/** The loudest sample of each of `count` equal parts, 0 to 1, the loudest part at 1; all 0 for silence. */
export function peaks(samples: Float32Array, count: number): number[] {
  const found = new Array<number>(count).fill(0);
  for (const [i, sample] of samples.entries()) {
    const part = Math.min(count - 1, Math.floor((i / samples.length) * count));
    found[part] = Math.max(found[part] ?? 0, Math.abs(sample));
  }
  const most = Math.max(0, ...found);
  return most === 0 ? found : found.map((peak) => peak / most);
}
