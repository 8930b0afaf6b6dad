/** The words that tell severities. */
import type { Level } from './levels.ts';

const SPELLINGS: Record<Level, string[]> = {
  fatal: ['fatal', 'ftl', 'critical', 'crit', 'emergency', 'emerg', 'alert', 'panic', 'dpanic'],
  error: ['error', 'err', 'eror', 'severe', 'fail', 'failed', 'failure'],
  warn: ['warning', 'warn', 'wrn'],
  info: ['info', 'inf', 'notice', 'information', 'informational'],
  debug: ['debug', 'dbg', 'dbug'],
  trace: ['trace', 'trc', 'trce', 'verbose'],
};

/** By spelling in lower case. */
export const LEVEL_WORDS: ReadonlyMap<string, Level> = new Map(
  Object.entries(SPELLINGS).flatMap(([level, words]) => words.map((word) => [word, level as Level])),
);

/** These mean a severity in capitals or as a field's value, but are plain English before a colon. */
export const PLAIN_ENGLISH: ReadonlySet<string> = new Set([
  ...['failed', 'failure', 'alert', 'information', 'informational', 'inf', 'severe'],
]);

/** Fields whose values are severities. */
export const LEVEL_KEYS: ReadonlySet<string> = new Set([
  ...['level', 'lvl', 'loglevel', 'severity', 'levelname', 'log_level', 'severity_text'],
]);

/** Words that tell a severity together with what is beside them (level-phrases.ts). */
export const PHRASE_WORDS: readonly string[] = [
  'exception',
  'traceback',
  'panicked',
  'segmentation',
  'dumped',
];
