/**
 * Returns one SVG path for the buckets with matches, one unit high each. Adjacent buckets are one box; if buckets are
 * much higher than a mark must be, each has a thin box at its top. `pixel`: units in a pixel.
 */
export function rulerPath(counts: readonly number[], pixel: number): string {
  const apart = pixel * THICK_PX <= 1;
  let path = '';
  for (let at = 0; at < counts.length; ) {
    if (!counts[at]) {
      at += 1;
      continue;
    }
    let end = at + 1;
    while (!apart && counts[end]) end += 1;
    const high = apart ? pixel * THICK_PX : Math.max(end - at, pixel * 2);
    path += `M0 ${at}h1v${Number(high.toFixed(3))}h-1z`;
    at = end;
  }
  return path;
}

/** Pixels. */
const THICK_PX = 3;
