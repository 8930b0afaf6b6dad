/** Artifact ids: `<kind>-<label>-<YYYY-MM-DDTHH-MM-SS>-<6 hex>`, UTC (CONTRACT 1). */
import type { Stats } from 'node:fs';
import type { Kind } from '../../../shared/artifact.ts';

const MAX_LABEL_CHARS = 60;
const DAY_S = 86_400;
const ASCII = /^[ -~]*$/;
/** Most file names: part of an id as they are. */
const PLAIN = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,58}[A-Za-z0-9])?$/;

/** Makes any text part of an id: other characters become `_`; leading and trailing dots and dashes go. */
export function slug(text: string): string {
  if (PLAIN.test(text)) return text;
  // Normalizing loads tables for a millisecond or two.
  const plain = (ASCII.test(text) ? text : text.normalize('NFKD'))
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, MAX_LABEL_CHARS)
    .replace(/[._-]+$/, '');
  return plain || 'unnamed';
}

export function artifactId(kind: Kind, label: string, at: Date, hex: string): string {
  return `${kind}-${slug(label)}-${stampOf(at)}-${hex}`;
}

/** The last day that was written; 20,000 files were made on few. */
let day = { number: Number.NaN, text: '' };

/** `YYYY-MM-DDTHH-MM-SS`, in a fifth of the time of `toISOString`. */
function stampOf(at: Date): string {
  const second = Math.floor(at.getTime() / 1000);
  const number = Math.floor(second / DAY_S);
  if (number !== day.number) day = { number, text: at.toISOString().slice(0, 10) };
  const rest = second - number * DAY_S;
  const [minutes, seconds] = [Math.floor(rest / 60), rest % 60];
  return `${day.text}T${twoDigits(Math.floor(minutes / 60))}-${twoDigits(minutes % 60)}-${twoDigits(seconds)}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

/** Returns when a file was made; the epoch when the file system does not tell. */
export function birthTime(stats: Pick<Stats, 'birthtimeMs'>): Date {
  const time = stats.birthtimeMs;
  // An id's stamp has room for four-digit years only.
  return new Date(Number.isFinite(time) && time > 0 && time < 253_402_300_800_000 ? time : 0);
}
