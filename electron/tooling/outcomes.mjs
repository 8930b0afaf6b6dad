/**
 * Tests that failed, or that passed only when tried again. The runners note them here, in a file named in
 * SPILLWAY_OUTCOMES, and `npm test` names them at its very end: a log that was cut still tells them.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const FILE = 'SPILLWAY_OUTCOMES';
/** Lines of an error that are kept. */
const MOST_LINES = 12;

/** @typedef {{ test: string, outcome: 'failed' | 'flaky', error: string }} Outcome `error`: its first lines */

/** Has the runners that are started from now on note their outcomes in `file`. @param {string} file */
export function collectIn(file) {
  process.env[FILE] = file;
}

/** Does nothing in a run that `npm test` did not start. @param {Outcome} outcome */
export function note({ test, outcome, error }) {
  const file = process.env[FILE];
  if (!file) return;
  const kept = stripVTControlCharacters(error).split('\n').slice(0, MOST_LINES).join('\n');
  appendFileSync(file, `${JSON.stringify({ test, outcome, error: kept })}\n`);
}

/** @returns {Outcome[]} the noted outcomes, in the order they were noted; none where nothing was */
export function noted() {
  try {
    const text = readFileSync(process.env[FILE] ?? '', 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
