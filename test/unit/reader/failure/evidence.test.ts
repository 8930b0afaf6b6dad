/** Reads the evidence of a failure from one line. */
import { expect, test } from 'vitest';
import { evidenceOf } from '../../../../electron/reader/failure/evidence.ts';

test.each([
  [30, 'none'],
  [40, 'warn'],
  [50, 'label'],
])('level %i of a JSON line', (level, kind) => {
  expect(evidenceOf(`{"level":${level},"time":1775100111422,"msg":"flushed 6 files"}`).kind).toBe(kind);
});

test.each(['', '[worker] ', 'db-1  | '])('a stack frame behind "%s" surrounds an explanation', (speaker) => {
  expect(evidenceOf(`${speaker}    at Module.require (loader.js:1289:19)`).surrounds).toBe(true);
});

test('a traced assignment may explain a failure; a traced command line only surrounds an explanation', () => {
  expect(evidenceOf('+ STAGE=demo').surrounds).toBe(false);
  expect(evidenceOf('+ cp a b').surrounds).toBe(true);
});
