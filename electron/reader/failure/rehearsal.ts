/**
 * Runs once, in small steps, what explains a failure: expressions and code are compiled when they first run, which
 * takes longer than the explanation itself. A long command leaves time for it before it ends.
 */
import { Buffer } from 'node:buffer';
import { evidenceOf } from './evidence.ts';
import { explainStored } from './explain.ts';
import * as implicitReasons from './lexicon/implicit-reasons.ts';
import * as labels from './lexicon/labels.ts';
import * as blanks from './lexicon/parts.ts';
import * as reasons from './lexicon/reasons.ts';
import * as structure from './lexicon/structure.ts';

/** An expression runs interpreted at first; it is compiled when it runs again. */
const RUNS = 3;
const LINE_BYTES = 240;
const TEXT_BYTES = 8 * 1024;
const TEXTS = 6;

/** Yields between steps of some milliseconds. `sample`: text such as will be explained; read at once. */
export function* rehearsal(sample: Uint8Array): Generator<void, void, void> {
  const bytes = Buffer.from(sample);
  const line = bytes.toString('latin1', 0, LINE_BYTES).replace(/[^\x20-\x7e]/g, ' ');
  for (const room of [blanks, implicitReasons, labels, reasons, structure]) {
    for (const expression of Object.values(room)) {
      if (!(expression instanceof RegExp)) continue;
      for (let run = 0; run < RUNS; run++) line.replace(expression, '');
      yield;
    }
  }
  evidenceOf(line);
  yield;
  const size = Math.floor(bytes.length / TEXTS);
  for (let i = 0; i < TEXTS; i++) {
    const part = bytes.subarray(i * size, i * size + Math.min(size, TEXT_BYTES));
    const read = (into: Uint8Array, position: number) => part.copy(into, 0, position);
    explainStored({ size: part.length, read }, { from: 0, to: part.length, firstLine: 1 });
    yield;
  }
}
