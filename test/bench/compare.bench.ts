/**
 * Measures what `compare` finds. Peers are `diff`, and the lines that are absent from the pass after masking digits and
 * hex. Data: the labelled pairs in `../shared/pairs`, if present (a third was kept aside while weights were chosen), and
 * made-up commands with five passes, as made for the weights and with other random numbers. `SPILLWAY_PAIRS=FOLDER` has
 * pairs elsewhere.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { rgPath } from '@vscode/ripgrep';
import { createHost } from '../../electron/host/create.ts';
import { explainStored } from '../../electron/reader/failure/explain.ts';
import type { CompareParams } from '../../shared/comparison.ts';
import { type CompareCase, compareCases, compareTexts } from '../fixtures/reader/compare-cases.ts';
import { type Figure, folder, generated, median, report, warm } from './harness.ts';

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
  compareTexts(textOf(failed), passes.map(textOf));

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

const PAIRS = resolve(process.env.SPILLWAY_PAIRS ?? '../shared/pairs');
interface Pair {
  id: string;
  has_pass: boolean;
  error_lines: number[];
  context_lines: number[];
}

const readPair = (name: string) => gunzipSync(readFileSync(join(PAIRS, name))).toString('utf8');

function pairsOf(): Pair[] {
  if (!existsSync(PAIRS)) return [];
  return readFileSync(join(PAIRS, 'cases.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Pair)
    .filter(({ has_pass }) => has_pass);
}

function measurePairs(): void {
  const pairs = pairsOf();
  if (pairs.length === 0) {
    console.log(`no pairs in ${PAIRS}: not measured`);
    return;
  }
  for (const [name, contender] of Object.entries(contenders)) {
    const scores = pairs.map(({ id, error_lines, context_lines }, i) => {
      const said = contender(readPair(`${id}.fail.log.gz`), readPair(`${id}.pass.log.gz`));
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

/** Counts right causes, named without baselines and with them. Skips failures whose cause is a missing line. */
function measureCauses(): void {
  const named: { without: boolean; with: boolean }[] = [];
  const add = (failed: string | Buffer, passes: (string | Buffer)[], isRight: (line: number) => boolean) => {
    const text = textOf(failed);
    const { cause } = explainStored(text, { from: 0, to: text.size, firstLine: 1 });
    const beside = compared(failed, passes).cause;
    named.push({
      without: cause !== null && isRight(cause.line_number),
      with: beside !== null && isRight(beside.line),
    });
  };
  const told = (what: string, from: number, least?: number) => {
    const share = (of: 'without' | 'with') =>
      (100 * named.slice(from).filter((one) => one[of]).length) / (named.length - from);
    figures.push({ what: `${what}: cause named without baselines`, value: share('without'), unit: '%' });
    const value = share('with');
    const bound = least === undefined ? {} : { least: Number((share('without') + least).toFixed(1)) };
    figures.push({ what: `${what}: cause named with them`, value, unit: '%', ...bound });
  };
  for (const { id, error_lines } of pairsOf())
    add(readPair(`${id}.fail.log.gz`), [readPair(`${id}.pass.log.gz`)], (line) => error_lines.includes(line));
  if (named.length > 0) told('pairs', 0);
  const pairs = named.length;
  for (const { failed, passes, explains, isGone } of [1, 2, 3].flatMap((seed) => compareCases(seed)))
    if (!isGone) {
      const lines = failed.split('\n');
      add(failed, passes, (line) => explains.test(lines[line - 1]!));
    }
  told('made-up commands', pairs);
  told('all', 0, 10);
}

/** A log of 400 statements, some far more frequent than others, with times, threads and values. */
function logOf(name: string, bytes: number, seed: number): string {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const words =
    'open close read write retry flush commit index cache queue worker shard token lease probe route'.split(
      ' ',
    );
  const statements = Array.from({ length: 400 }, (_, i) => {
    const text = Array.from({ length: 4 + (i % 8) }, (_, k) => words[(i * 7 + k * (3 + (i % 5))) % 16]).join(
      ' ',
    );
    return (value: number) =>
      `${text} ${['', `${value} ms`, `/srv/app/${value}/x.log`, `id=${value.toString(16)}`][i % 4]}`;
  });
  let time = Date.UTC(2026, 0, 13);
  return generated(name, bytes, () => {
    const lines: string[] = [];
    for (let i = 0; i < 20_000; i++) {
      time += 7;
      const statement = statements[Math.floor(400 ** (random(10_000) / 10_000)) - 1]!;
      lines.push(`${new Date(time).toISOString()} INFO [worker-${i % 8}] ${statement(random(1 << 20))}\n`);
    }
    return lines.join('');
  });
}

const LONG_BYTES = 500 * 1000 * 1000;

async function measureSpeed(): Promise<void> {
  const pass = logOf('compare-pass', LONG_BYTES, 1);
  const failed = logOf('compare-failed', LONG_BYTES, 2);
  appendFileSync(failed, 'the certificate of the mirror has expired\n');
  const home = mkdtempSync(join(folder, 'compare-home-'));
  const cli = join(process.cwd(), 'dist', 'node', 'cli.js');
  const record = (command: string) =>
    spawnSync(process.execPath, [cli, 'run', '--quiet', '--no-pty', '--', 'sh', '-c', command], {
      stdio: 'ignore',
      env: { ...process.env, SPILLWAY_HOME: home },
    });
  record(`cat '${pass}'`);
  record(`cat '${failed}'; exit 1`);
  const host = await createHost({ home, watch: false, threads: 2 });
  try {
    const timed = async (params: CompareParams) => {
      const start = performance.now();
      const { findings } = await host.compare(params);
      if (!findings.some(({ text }) => text.includes('certificate')))
        throw new Error('the line is not found');
      return performance.now() - start;
    };
    // Processor time tells the same on a machine that has other work to do.
    const measured = async (what: string, work: () => Promise<unknown>, limit?: number) => {
      const before = process.cpuUsage();
      const start = performance.now();
      await work();
      const seconds = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(before);
      figures.push(
        { what, value: seconds, unit: 's', ...(limit === undefined ? {} : { limit }) },
        { what: `${what}: processor time`, value: (user + system) / 1e6, unit: 's' },
      );
    };
    const peer = (what: string, command: string, ...args: string[]) => {
      const start = performance.now();
      spawnSync(command, [...args, pass, failed], { stdio: 'ignore' });
      figures.push({ what: `2 × 500 MB, ${what}`, value: (performance.now() - start) / 1000, unit: 's' });
    };
    const files = { file_path: failed, baselines: [{ file_path: pass }], all_lines: false };
    for (const path of [pass, failed]) warm(path);
    await measured('2 × 500 MB, nothing stored', () => timed(files), 3);
    await measured('2 × 500 MB, summaries, two threads', () =>
      Promise.all([pass, failed].map((file_path) => host.inspect({ file_path, mode: 'summary' }))),
    );
    peer('wc -l', 'wc', '-l');
    peer('ripgrep for a word with a number', rgPath, '--threads', '2', '-c', 'expir\\w+ \\d');
    const { outputs } = await host.list({});
    const [last, first] = outputs.map(({ artifact_id }) => ({ artifact_id }));
    // Each comparison keeps the table of what it is compared with.
    await host.compare({ ...first!, baselines: [last!], all_lines: false });
    await host.compare({ ...last!, baselines: [first!], all_lines: false });
    const stored: number[] = [];
    const before = process.cpuUsage();
    const times = 20;
    for (let i = 0; i < times; i++)
      stored.push(await timed({ ...last!, baselines: [first!], all_lines: false }));
    const { user, system } = process.cpuUsage(before);
    figures.push(
      { what: '2 × 500 MB, tables stored', value: median(stored), unit: 'ms', limit: 50 },
      {
        what: '2 × 500 MB, tables stored: processor time',
        value: (user + system) / 1000 / times,
        unit: 'ms',
      },
    );
    const tables = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.messages'),
    );
    const sizes = tables.map((name) => statSync(join(home, name)).size / 1024);
    figures.push({ what: 'a stored table', value: Math.max(...sizes), unit: 'KiB', limit: 64 });
  } finally {
    await host.close();
    rmSync(home, { recursive: true });
    for (const path of [pass, failed]) rmSync(path);
  }
}

measurePairs();
measureCauses();
measureCases('40 made-up commands', compareCases());
measureCases(
  'other random numbers',
  [2, 3, 4].flatMap((seed) => compareCases(seed)),
);
await measureSpeed();
report('compare', figures, raw);
