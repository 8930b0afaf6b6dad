/** Makes the examples that a model of causes is fitted to: candidates of recorded failures, with their features. */

import { contextOf, featuresOf } from '../../../electron/reader/failure/chance/features.ts';
import { choose } from '../../../electron/reader/failure/choose/choose.ts';
import { candidatesOf } from '../../../electron/reader/failure/explain.ts';
import type { Explanation } from '../../../electron/reader/failure/explanation.ts';
import { LogLines } from '../../../electron/reader/failure/log-lines.ts';
import { FailureScanner } from '../../../electron/reader/failure/scan/scanner.ts';
import { scanAll } from '../../../electron/reader/failure/stored.ts';
import type { Weighed } from '../../../electron/reader/failure/weighed.ts';
import {
  between,
  type FailureCase,
  ourFailures,
  sharedFailures,
  sharedSuccesses,
  textOf,
} from '../../fixtures/reader/failures.ts';

export interface Example {
  id: string;
  /** Its set, as figures are given for each. */
  set: string;
  cause: RegExp;
  /** How much it counts. Those of the shared set come twice, alone and between other outputs. */
  worth: number;
  /** Features of each candidate, and whether it explains the failure. */
  rows: Float64Array[];
  explains: boolean[];
  /** Returns the lines that are shown when the models score its candidates so. */
  explanationBy(chances: readonly number[], namings: readonly number[]): Explanation;
}

export function makeExamples(): Example[] {
  const shared = sharedFailures() ?? [];
  const others = shared.length > 0 ? sharedSuccesses() : [];
  const ours = ourFailures(`${process.cwd()}/test/fixtures/reader/failures`);
  const fitted = [
    ...shared.map((one) => exampleOf(one, 'development set', 1.2)),
    ...shared.map((one, i) =>
      exampleOf({ ...one, bytes: between(others, one, i) }, 'between other outputs', 1.2),
    ),
    ...shared.filter((_, i) => i % 3 === 1).map((one, i) => exampleOf(plain(one, i), 'ordinary', 0.8)),
    ...shared
      .filter((_, i) => i % 3 === 2)
      .map((one, i) => exampleOf(recovering(one, shared, i), 'recovering', 0.8)),
    ...ours.filter(({ aside }) => !aside).map((one) => exampleOf(one, 'committed', 1)),
  ];
  return fitted;
}

/** The line that explains a failure, without colours. */
function messageOf({ bytes, cause }: FailureCase): string {
  const shown = bytes.toString('utf8').replace(/\x1b\[[0-9;]*m/g, '');
  return shown.split('\n').find((line) => cause.test(line)) ?? '';
}

/** Ordinary failures: work that goes well, and a message at the end. The recorded ones are harder than most. */
function plain(one: FailureCase, turn: number): FailureCase {
  const message = messageOf(one);
  const work = Array.from({ length: [200, 2000, 9000][turn % 3]! }, (_, i) => {
    const name = ((i * 7919) % 100_003).toString(36);
    return turn % 2 === 0
      ? `[worker ${i % 5}] ${['stored', 'read', 'sent'][(i * 7) % 3]} block ${name} (${(i * 31) % 997} bytes), queue not empty`
      : `2026-03-01 08:0${i % 7}:${i % 60} INFO request ${i} of session ${name} served in ${(i * 31) % 97} ms, cache hit`;
  });
  return { ...one, bytes: Buffer.from(`${[...work, message, 'exit status 1'].join('\n')}\n`) };
}

/** Words that tell that a failure was made good. */
const MADE_GOOD = [
  'recovered',
  'request succeeded',
  'connection restored',
  'reconnected',
  'ok on attempt 2',
  'healthy again',
];

/** Services that write objects, one a line: an error that was made good, later another one that ends the run. */
function recovering(one: FailureCase, others: readonly FailureCase[], turn: number): FailureCase {
  const services = ['api', 'ledger', 'mailer', 'stock'];
  const log = (i: number, level: string, service: number, msg: string, more: object = {}) => {
    const time = new Date(1.77e12 + i * 391).toISOString();
    return turn % 2 === 0
      ? JSON.stringify({ time, level, service: services[service % 4], msg, ...more })
      : JSON.stringify({
          ts: 1.77e9 + i,
          lvl: level.toUpperCase(),
          logger: `com.acme.${services[service % 4]}`,
          message: msg,
          ...more,
        });
  };
  const decoy = messageOf(others[(turn * 7 + 3) % others.length]!);
  const lines: string[] = [];
  const work = [300, 1200, 4000][turn % 3]!;
  for (let i = 0; i < work; i++) {
    lines.push(
      log(i, 'info', i, ['batch stored', 'request done', 'item kept'][i % 3]!, { id: `r${i}`, ms: i % 83 }),
    );
    if (i % 997 !== (work >> (1 + (turn % 2))) % 997) continue;
    lines.push(log(i, turn % 4 === 0 ? 'warn' : 'error', turn, decoy, { id: `q${i}`, attempt: 1 }));
    lines.push(log(i, 'info', turn, MADE_GOOD[turn % MADE_GOOD.length]!, { id: `q${i}`, attempt: 2 }));
  }
  lines.push(log(work, 'error', turn + 1, messageOf(one), { id: 'x1' }));
  lines.push(
    log(work + 1, 'info', turn + 1, 'stopping', { code: 1 }),
    log(work + 2, 'info', turn, 'stopping', { code: 0 }),
  );
  return { ...one, bytes: Buffer.from(`${lines.join('\n')}\n`) };
}

function exampleOf({ id, cause, bytes }: FailureCase, set: string, worth: number): Example {
  const text = textOf(bytes);
  const scanner = new FailureScanner(text.size);
  scanAll(scanner, text);
  const lines = new LogLines(text, scanner.lines);
  const candidates = candidatesOf(scanner, lines, []);
  const context = contextOf(candidates, scanner, lines);
  return {
    id,
    set,
    cause,
    worth,
    rows: candidates.map((one) => Float64Array.from(featuresOf(one, context))),
    explains: candidates.map(({ line }) => cause.test(line.text)),
    explanationBy: (chances, namings) => choose(withChances(candidates, chances, namings), lines, []),
  };
}

function withChances(
  candidates: readonly Weighed[],
  chances: readonly number[],
  namings: readonly number[],
): readonly Weighed[] {
  for (const [i, one] of candidates.entries()) {
    one.chance = chances[i]!;
    one.naming = namings[i]!;
  }
  return candidates;
}
