/** Reads the time that a line of a log begins with. */

/** Where in a line a time may stand: behind a bracket, a level or a short name. */
const LOOK_CHARS = 80;
const TIME = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?\s?(Z|[+-]\d\d:?\d\d)?/;

/** Milliseconds since the epoch; null where none is told. Without a zone, a time is local. */
export function lineTime(text: string): number | null {
  const found = TIME.exec(text.slice(0, LOOK_CHARS));
  if (!found) return null;
  const [, date, time, fraction = '', zone = ''] = found;
  const parsed = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  return Number.isNaN(parsed) ? null : parsed;
}
