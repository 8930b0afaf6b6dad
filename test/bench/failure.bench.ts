/**
 * Measures how often a failed command's preview shows the line that explains it, how often that line is named, and what
 * finding it costs. Simpler tools are measured in the same run. Reads the committed failures, and the logs in `../shared`
 * if they are there. `SPILLWAY_FAILURES=FOLDER:FOLDER` names other folders; then no result is written. A folder has
 * `cases.jsonl` (`id`, and `cause`, an expression, or `error_lines`), `<id>.log.gz`, and `success-*.gz`.
 */

import { basename, delimiter, resolve } from 'node:path';
import { VERDICT_BYTES, verdictOf } from '../../electron/host/library/baselines.ts';
import { cutExplanation } from '../../electron/reader/failure/cut.ts';
import { explain } from '../../electron/reader/failure/explain.ts';
import { FailureScanner } from '../../electron/reader/failure/scan/scanner.ts';
import {
  type LabelledLog,
  type LogSet,
  logSets,
  NAMING,
  SHOWING,
  setOf,
} from '../fixtures/reader/failure-sets.ts';
import { explained, namedLine, ourFailures, textOf } from '../fixtures/reader/failures.ts';
import { type Figure, MIB, report } from './harness.ts';

const BUDGETS = [1024, 2048, 4096, 8192];
const figures: Figure[] = [];
const raw: Record<string, unknown> = {};

/** Returns how often each set's causes are shown and named, beside simpler tools, as a Markdown table. */
function compareTools(sets: readonly LogSet[]): string {
  const table = [
    '| set | tool | shown in 1 / 2 / 4 / 8 KB, % | named, % | successes given a cause | median of 4 KB |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  for (const { name, failures, successes } of sets) {
    const share = (holds: (one: LabelledLog, i: number) => boolean) =>
      ((100 * failures.filter(holds).length) / failures.length).toFixed(0);
    const explanations = failures.map(({ bytes }) => explained(bytes));
    const cuts = BUDGETS.map((bytes) =>
      explanations.map((one) => cutExplanation(one, { bytes, lines: 2000 })),
    );
    const ours = cuts.map((list) =>
      share(({ explains }, i) => list[i]!.parts.some(({ content }) => content.split('\n').some(explains))),
    );
    const named = share(({ names }, i) => names(namedLine(explanations[i]!)));
    const alarms = successes.filter(isGivenCause).length;
    const sizes = cuts[2]!.map(({ bytes }) => bytes).sort((a, b) => a - b);
    const median = sizes[sizes.length >> 1]!;
    table.push(
      `| ${name} (${failures.length}) | Spillway | ${ours.join(' / ')} | ${named} | ${alarms} of ${successes.length} | ${median} |`,
    );
    for (const [tool, show] of Object.entries(SHOWING)) {
      const shown = BUDGETS.map((budget) =>
        share(({ bytes, explains }) => show(bytes.toString(), budget).split('\n').some(explains)),
      );
      table.push(`| ${name} | ${tool} | ${shown.join(' / ')} | | | |`);
    }
    for (const [tool, first] of Object.entries(NAMING)) {
      const right = share(({ bytes, names }) => names(first(bytes.toString().split('\n')) ?? ''));
      table.push(`| ${name} | ${tool} | | ${right} | | |`);
    }
  }
  return table.join('\n');
}

/** Whether a file with this log of a success gets a cause. A run that succeeded never has one. */
function isGivenCause(bytes: Buffer): boolean {
  if (verdictOf(bytes.subarray(-VERDICT_BYTES).toString()) === 'passed') return false;
  const { cause, tellsOfFailure } = explained(bytes);
  return cause !== null && tellsOfFailure;
}

/** Each part costs an agent a label and an entry in the reply's head. */
function measureParts(cases: readonly { bytes: Buffer }[]): void {
  const counts = cases
    .map(({ bytes }) => cutExplanation(explained(bytes), { bytes: 4096, lines: 2000 }).parts.length)
    .sort((a, b) => a - b);
  for (const share of [0.5, 0.9]) {
    const value = counts[Math.floor(share * (counts.length - 1))]!;
    figures.push({ what: `parts of a preview of 4 KB, ${share * 100} % have no more`, value, unit: '' });
  }
}

function staying(cases: readonly { bytes: Buffer }[]): number {
  let stay = 0;
  let all = 0;
  for (const { bytes } of cases) {
    const explanation = explained(bytes);
    const sets = BUDGETS.map((budget) => {
      const { parts } = cutExplanation(explanation, { bytes: budget, lines: 2000 });
      return new Set(
        parts.flatMap(({ start_line, end_line }) =>
          Array.from({ length: end_line - start_line + 1 }, (_, i) => start_line + i),
        ),
      );
    });
    for (let i = 0; i + 1 < sets.length; i++) {
      all += sets[i]!.size;
      for (const line of sets[i]!) if (sets[i + 1]!.has(line)) stay += 1;
    }
  }
  return (100 * stay) / all;
}

/** Processor time, as others may work on this machine. */
function spent<T>(work: () => T): { result: T; ms: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}

function text(bytes: number, make: (i: number) => string): Buffer {
  const parts: string[] = [];
  for (let i = 0, size = 0; size < bytes; i++) {
    const line = `${make(i)}\n`;
    parts.push(line);
    size += line.length;
  }
  return Buffer.from(parts.join(''));
}

let state = 1;
function word(): string {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
  return state.toString(36).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);
}

const kinds = {
  'all-distinct lines': () => Array.from({ length: 10 }, word).join(' '),
  'lines that repeat': (i: number) => `2026-03-01 08:00:${i % 60} INFO request ${i} served in ${i % 97} ms`,
};
function measureCost(): void {
  for (const [kind, make] of Object.entries(kinds)) {
    const bytes = text(64 * MIB, make);
    const rates: number[] = [];
    const selections: number[] = [];
    let memory = 0;
    for (let round = 0; round < 3; round++) {
      globalThis.gc?.();
      const before = process.memoryUsage().arrayBuffers;
      const { result: scanner, ms } = spent(() => {
        const one = new FailureScanner();
        for (let at = 0; at < bytes.length; at += 65_536) one.push(bytes.subarray(at, at + 65_536));
        one.finish();
        return one;
      });
      memory = Math.max(memory, (process.memoryUsage().arrayBuffers - before) / MIB);
      rates.push(64 / (ms / 1000));
      selections.push(spent(() => explain(scanner, textOf(bytes))).ms);
    }
    const isDistinct = kind.startsWith('all');
    figures.push({
      what: `scanning ${kind}`,
      value: Math.max(...rates),
      unit: 'MiB/s',
      ...(isDistinct ? { least: 60 } : {}),
    });
    figures.push({
      what: `selection after 64 MiB of ${kind}`,
      value: Math.min(...selections),
      unit: 'ms',
      limit: 150,
    });
    figures.push({ what: `tables after 64 MiB of ${kind}`, value: memory, unit: 'MiB', limit: 40 });
    raw[kind] = { rates, selections };
  }
}

const folders = process.env.SPILLWAY_FAILURES?.split(delimiter).filter(Boolean);
if (folders) {
  console.log(compareTools(folders.map((folder) => setOf(basename(folder), resolve(folder)))));
} else {
  const table = compareTools(logSets());
  console.log(table);
  const all = ourFailures();
  measureParts(all);
  figures.push({
    what: 'lines that stay when the budget doubles',
    value: staying(all),
    unit: '%',
    least: 95,
  });
  measureCost();
  report('failure', figures, raw, `\n${table}\n`);
}
