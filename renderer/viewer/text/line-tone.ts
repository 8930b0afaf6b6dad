/** The colour of a line by its level. The line also has the level's word, so colour is not the only sign. */
import type { Row } from '../../../shared/api/rows.ts';
import type { Level } from '../../../shared/text/level-words.ts';
import { levelOf } from '../../../shared/text/levels.ts';
import type { JsonLayout } from './json/json-layout.ts';

type LineTone = 'failed' | 'warned' | 'quiet';

/** Levels are near the start of a line. */
const LOOK_CHARS = 500;

const TONES: Partial<Record<Level, LineTone>> = {
  fatal: 'failed',
  error: 'failed',
  warn: 'warned',
  debug: 'quiet',
  trace: 'quiet',
};

/** Returns null for other lines. A JSON line's level may be anywhere in it. */
export function toneOf({ text, missing }: Row, json: JsonLayout | null = null): LineTone | null {
  if (missing || text === '') return null;
  const level = json?.level ?? levelOf(text.slice(0, LOOK_CHARS));
  return level === null ? null : (TONES[level] ?? null);
}
