/**
 * Measures what `compare` finds. Peers are `diff`, and the lines that are absent from the pass after masking digits and
 * hex. Data: the labelled pairs in `../shared/pairs`, if present (a third was kept aside while weights were chosen), and
 * made-up commands with five passes, as made for the weights and with other random numbers.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { comparingTexts } from '../../electron/reader/compare/compare.ts';
import { lastOf } from '../../electron/reader/failure/explanation.ts';
import { type CompareCase, compareCases } from '../fixtures/reader/compare-cases.ts';
import { type Figure, median, report } from './harness.ts';

const figures: Figure[] = [];
const raw: Record<string, unknown> = {};

const textOf = (text: string | Buffer) => {
  const bytes = Buffer.from(text);
  return {
    size: bytes.length,
    read: (target: Uint8Array, position: number) => bytes.copy(target, 0, position),
  };
};
const compared = (failed: string | Buffer, passes: readonly (string | Buffer)[]) =>
  lastOf(comparingTexts(textOf(failed), passes.map(textOf)));

// Lines said, by each contender

type Contender = (failed: string, pass: string) => number[];

const contenders: Record<string, Contender> = {
  compare: (failed, pass) =>
    compared(failed, [pass]).lines.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, i) => from + i),
    ),
  'masked absence': (failed, pass) => {
    const known = new Set(pass.split('\n').map(masked));
    return numbersOf(failed, (line) => line.trim() !== '' && !known.has(masked(line)));
  },
  diff: (failed, pass) => diffed(withoutTimes(failed), withoutTimes(pass)),
};

const withoutTimes = (text: string) =>
  text.replace(/^(?:[^\t\n]*\t[^\t\n]*\t)?\d{4}-\d\d-\d\dT[\d:.]+Z ?/gm, '');
const masked = (line: string) => line.replace(/\b(?:0x)?[\da-f]*\d[\da-f]*\b|\d+/gi, '#').trim();

function numbersOf(text: string, wanted: (line: string) => boolean): number[] {
  return text.split('\n').flatMap((line, i) => (wanted(line) ? [i + 1] : []));
}

function diffed(failed: string, pass: string): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'compare-'));
  try {
    writeFileSync(join(folder, 'pass'), pass);
    writeFileSync(join(folder, 'failed'), failed);
    const formats = ['--new-line-format=%dn\n', '--old-line-format=', '--unchanged-line-format='];
    return execFileSync(
      'sh',
      ['-c', 'diff "$@"; test $? -lt 2', 'diff', ...formats, join(folder, 'pass'), join(folder, 'failed')],
      { maxBuffer: 1 << 28 },
    )
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const PAIRS = resolve('../shared/pairs');
interface Pair {
  id: string;
  has_pass: boolean;
  error_lines: number[];
  context_lines: number[];
}

function measurePairs(): void {
  if (!existsSync(PAIRS)) {
    console.log(`no pairs in ${PAIRS}: not measured`);
    return;
  }
  const pairs = readFileSync(join(PAIRS, 'cases.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Pair)
    .filter(({ has_pass }) => has_pass);
  const read = (name: string) => gunzipSync(readFileSync(join(PAIRS, name))).toString('utf8');
  for (const [name, contender] of Object.entries(contenders)) {
    const scores = pairs.map(({ id, error_lines, context_lines }, i) => {
      const said = contender(read(`${id}.fail.log.gz`), read(`${id}.pass.log.gz`));
      const errors = new Set(error_lines);
      const right = new Set([...error_lines, ...context_lines]);
      return {
        said: said.length,
        recall: said.filter((line) => errors.has(line)).length / errors.size,
        precision: said.length === 0 ? 0 : said.filter((line) => right.has(line)).length / said.length,
        isAside: i % 3 === 2,
      };
    });
    for (const [which, chosen] of [
      ['all', scores],
      ['kept aside', scores.filter(({ isAside }) => isAside)],
    ] as const) {
      const mean = (of: 'recall' | 'precision') =>
        chosen.reduce((sum, score) => sum + score[of], 0) / chosen.length;
      const isOurs = name === 'compare' && which === 'all';
      figures.push(
        {
          what: `pairs, ${which}: recall, ${name}`,
          value: mean('recall'),
          unit: '',
          ...(isOurs ? { least: 0.95 } : {}),
        },
        {
          what: `pairs, ${which}: precision, ${name}`,
          value: mean('precision'),
          unit: '',
          ...(isOurs ? { least: 0.65 } : {}),
        },
      );
    }
    figures.push({
      what: `pairs: lines said, ${name}`,
      value: median(scores.map(({ said }) => said)),
      unit: '',
    });
  }
}

/** Place of the explaining line among the findings; among masked-absent lines in their order for the peer. */
function placeOf({ failed, passes, explains, isGone }: CompareCase): number {
  return compared(failed, passes).findings.findIndex(
    ({ kind, text }) => explains.test(text) && (!isGone || kind === 'gone'),
  );
}

function peerPlaceOf({ failed, passes, explains, isGone }: CompareCase): number {
  if (isGone) return -1;
  const lines = failed.split('\n');
  return contenders['masked absence']!(failed, passes.join('\n')).findIndex((line) =>
    explains.test(lines[line - 1]!),
  );
}

function measureCases(name: string, cases: readonly CompareCase[]): void {
  const share = (list: readonly boolean[]) => (100 * list.filter(Boolean).length) / list.length;
  const ours = cases.map(placeOf);
  const peers = cases.map(peerPlaceOf);
  raw[name] = { missed: cases.filter((_, i) => ours[i]! < 0 || ours[i]! > 2).map(({ id }) => id) };
  const within = (places: readonly number[], most: number) => share(places.map((at) => at >= 0 && at < most));
  const sixth = cases.map(({ another, passes }) => compared(another, passes).findings.length);
  const peerSixth = cases.map(
    ({ another, passes }) => contenders['masked absence']!(another, passes.join('\n')).length,
  );
  figures.push(
    { what: `${name}: explaining line among the first 3`, value: within(ours, 3), unit: '%', least: 80 },
    { what: `${name}: among the first 10`, value: within(ours, 10), unit: '%', least: 95 },
    { what: `${name}: among the first 3, masked absence`, value: within(peers, 3), unit: '%' },
    { what: `${name}: among the first 10, masked absence`, value: within(peers, 10), unit: '%' },
    {
      what: `${name}: nothing said of a sixth pass`,
      value: share(sixth.map((count) => count === 0)),
      unit: '%',
      least: 90,
    },
    { what: `${name}: most findings of a sixth pass`, value: Math.max(...sixth), unit: '', limit: 2 },
    { what: `${name}: lines of a sixth pass, masked absence`, value: median(peerSixth), unit: '' },
  );
}

measurePairs();
measureCases('40 made-up commands', compareCases());
measureCases(
  'other random numbers',
  [2, 3, 4].flatMap((seed) => compareCases(seed)),
);
report('compare', figures, raw);
