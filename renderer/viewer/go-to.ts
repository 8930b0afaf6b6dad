/** Parses the input of "Go to line". */

export type Destination =
  | { kind: 'line'; line: number }
  | { kind: 'relative'; lines: number }
  | { kind: 'percent'; percent: number }
  | { kind: 'end' }
  /** Bytes from the start of the stream. */
  | { kind: 'offset'; offset: number };

export const GO_TO_HINT = '1200, +50, -50, 50%, end, a time like 15:00, a date, or @ and a byte offset';

/** Returns null for other input. Digits may be grouped with commas, spaces or underscores. */
export function parseDestination(input: string): Destination | null {
  const text = input.trim().toLowerCase();
  if (text === 'end' || text === '$') return { kind: 'end' };
  const percent = /^(\d+(?:\.\d+)?)\s*%$/.exec(text);
  if (percent?.[1])
    return Number(percent[1]) <= 100 ? { kind: 'percent', percent: Number(percent[1]) } : null;
  const whole = /^([+\-−@]?)\s*(\d{1,3}(?:[,_ ]\d{3})+|\d+)$/.exec(text);
  if (!whole?.[2]) return null;
  const value = Number(whole[2].replace(/[,_ ]/g, ''));
  if (!Number.isSafeInteger(value)) return null;
  if (whole[1] === '@') return { kind: 'offset', offset: value };
  if (whole[1] === '+') return { kind: 'relative', lines: value };
  if (whole[1] === '-' || whole[1] === '−') return { kind: 'relative', lines: -value };
  return value >= 1 ? { kind: 'line', line: value } : null;
}

/** Returns the line of a destination that is not a byte offset, within `1..total`. */
export function lineOfDestination(
  destination: Exclude<Destination, { kind: 'offset' }>,
  current: number,
  total: number,
): number {
  return Math.min(Math.max(1, wanted(destination, current, total)), Math.max(1, total));
}

function wanted(
  destination: Exclude<Destination, { kind: 'offset' }>,
  current: number,
  total: number,
): number {
  switch (destination.kind) {
    case 'line':
      return destination.line;
    case 'relative':
      return current + destination.lines;
    case 'percent':
      return Math.ceil((destination.percent / 100) * total);
    case 'end':
      return total;
  }
}
