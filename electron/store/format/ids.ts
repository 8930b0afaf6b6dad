/** Artifact ids: `<kind>-<label>-<YYYY-MM-DDTHH-MM-SS>-<6 hex>`, UTC (CONTRACT 1). */
import type { Stats } from 'node:fs';
import type { Kind } from '../../../shared/artifact.ts';
import { isoTime } from './iso-time.ts';

const MAX_LABEL_CHARS = 60;
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
  const iso = isoTime(at);
  const stamp = `${iso.slice(0, 13)}-${iso.slice(14, 16)}-${iso.slice(17, 19)}`;
  return `${kind}-${slug(label)}-${stamp}-${hex}`;
}

/** Returns when a file was made; the epoch when the file system does not tell. */
export function birthTime(stats: Pick<Stats, 'birthtimeMs'>): Date {
  const time = stats.birthtimeMs;
  // An id's stamp has room for four-digit years only.
  return new Date(Number.isFinite(time) && time > 0 && time < 253_402_300_800_000 ? time : 0);
}
