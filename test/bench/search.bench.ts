/**
 * Counts matching lines, against ripgrep counting the same: real text as it is, coloured, with CRLF, and a log.
 * The two take turns, each when nothing else runs (`busy` says how true that was). Ratios of medians: of wall
 * time and of processor time. Waits until our threads have prepared for searches (`warmUp`), except in the case
 * right after opening. Empty lines are counted once, against grep, which takes over 20 s.
 * `SPILLWAY_BENCH="coloured literal" npm run bench -- search` runs only cases with all of these words in their names,
 * and keeps no results. `SPILLWAY_BENCH_MIB=256` searches less text than 1 GiB, and keeps none either.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createHost } from '../../electron/host/create.ts';
import type { GrepView } from '../../shared/views.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { type Figure, folder, generated, MIB, median, print, realText, report, warm } from './harness.ts';
import { quiet } from './quiet.ts';

const require = createRequire(join(process.cwd(), 'package.json'));
const { rgPath } = require('@vscode/ripgrep') as { rgPath: string };
const ROUNDS = 3;
const only = (process.env.SPILLWAY_BENCH ?? '').split(' ');
const bytes = Number(process.env.SPILLWAY_BENCH_MIB ?? 1024) * MIB;

/** Limit, as a multiple of ripgrep's time. */
const LIMITS = { literal: 1, 'with a literal': 1, expression: 0.5, cold: undefined } as const;
const CPU_LIMIT = 1.2;
/** After this long without work, threads have prepared for searches. */
const PREPARED_MS = 1500;

interface Case {
  name: string;
  pattern: string;
  kind: keyof typeof LIMITS;
  caseSensitive?: boolean;
  /** Ripgrep's pattern for the same lines of coloured text: it sees the escape sequences. */
  seen?: string;
}

/** A colour, as an expression. */
const SGR = String.raw`\x1b\[[\d;]*m`;

const disassembly: Case[] = [
  { name: 'rare literal', pattern: 'OPENSSL_cpuid_setup', kind: 'literal' },
  { name: 'rare literal, sensitive', pattern: 'OPENSSL_cpuid_setup', kind: 'literal', caseSensitive: true },
  { name: 'rare literal right after opening', pattern: 'OPENSSL_cpuid_setup', kind: 'cold' },
  { name: 'common literal', pattern: 'call', kind: 'literal' },
  { name: 'common literal, sensitive', pattern: 'call', kind: 'literal', caseSensitive: true },
  { name: 'absent literal', pattern: 'no such text here', kind: 'literal' },
  { name: 'absent literal, sensitive', pattern: 'no such text here', kind: 'literal', caseSensitive: true },
  { name: 'alternation', pattern: 'error|fail|panic', kind: 'with a literal' },
  { name: 'a.*b', pattern: 'mov.*rax', kind: 'with a literal' },
  {
    ...{ name: 'a.*b.*c', pattern: '\\bmov\\b.*rax.*rbp', kind: 'with a literal' },
    seen: `(?:\\b|${SGR})mov(?:\\b|${SGR}).*rax.*rbp`,
  },
  { name: 'end anchor', pattern: 'ret\\s*$', kind: 'with a literal', seen: `ret(?:${SGR}|\\s)*$` },
  { name: 'word boundaries', pattern: '\\bxor\\b', kind: 'with a literal' },
  { name: 'class', pattern: '[aeiou]{5}', kind: 'expression' },
  { name: 'hexadecimal at the end', pattern: '[0-9a-f]{8}$', kind: 'expression' },
  {
    ...{ name: 'anchor', pattern: '^\\s+[0-9a-f]+:\\s+48', kind: 'expression' },
    seen: `^(?:${SGR})?\\s+[0-9a-f]+:(?:${SGR})?\\s+48`,
  },
  { name: 'long words', pattern: '[^\\s]{60,}', kind: 'expression' },
  { name: 'no literal', pattern: '\\w+\\s\\d+', kind: 'expression' },
  { name: 'nearly every line', pattern: '.', kind: 'expression' },
];

const log: Case[] = [
  { name: 'rare literal', pattern: 'deadline exceeded', kind: 'literal' },
  { name: 'common literal', pattern: 'request', kind: 'literal' },
  { name: 'alternation', pattern: 'error|warn|fatal', kind: 'with a literal' },
  { name: 'a.*b', pattern: 'worker.*took \\d{3}', kind: 'with a literal' },
  { name: 'address', pattern: '\\b\\d{1,3}(\\.\\d{1,3}){3}\\b', kind: 'expression' },
  { name: 'time', pattern: 'T\\d\\d:\\d\\d:0[0-3]', kind: 'expression' },
];

/** Returns the same text with every line changed. */
function variant(name: string, from: string, change: (chunk: string) => string): string {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const input = openSync(from, 'r');
  const output = openSync(`${path}.part`, 'w');
  const buffer = Buffer.alloc(4 * MIB);
  let rest = '';
  for (let got = readSync(input, buffer); got > 0; got = readSync(input, buffer)) {
    const text = rest + buffer.toString('latin1', 0, got);
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    writeSync(output, Buffer.from(change(text.slice(0, end)), 'latin1'));
    if (statSync(`${path}.part`).size >= bytes) break;
  }
  closeSync(input);
  closeSync(output);
  renameSync(`${path}.part`, path);
  return path;
}

const plain = realText(bytes);
const LEVELS = ['info', 'info', 'info', 'info', 'debug', 'debug', 'warn', 'error'];
const texts = {
  plain,
  coloured: variant(`coloured-${bytes}.txt`, plain, (chunk) =>
    chunk
      .replace(/\b(mov|call|jmp|ret)\b/g, '\x1b[1;33m$1\x1b[0m')
      .replace(/^ +[0-9a-f]+:/gm, '\x1b[36m$&\x1b[0m'),
  ),
  crlf: variant(`crlf-${bytes}.txt`, plain, (chunk) => chunk.replaceAll('\n', '\r\n')),
  log: generated(`log-${bytes}.txt`, bytes, (part) =>
    Array.from({ length: 10_000 }, (_, i) => {
      const n = Math.imul(part * 10_000 + i, 0x9e37_79b1) >>> 0;
      const at = new Date(1_768_300_000_000 + part * 30_000 + i * 3).toISOString();
      const what = n % 50_021 === 0 ? 'deadline exceeded' : 'done';
      return `${at} ${LEVELS[n % 8]} worker-${n % 13} request ${n % 99_991} from 10.0.${n % 255}.${n % 251} took ${n % 1009} ms: ${what}\n`;
    }).join(''),
  ),
};

const home = makeFolder();

/** A host that has indexed the file, with its threads running. It has not searched yet: answers are kept. */
async function fresh(path: string, prepared: boolean) {
  const host = await createHost({ home, watch: false });
  await host.inspect({ file_path: path });
  await host.inspect({ file_path: join(process.cwd(), 'package-lock.json'), mode: 'summary' });
  if (prepared) await wait(PREPARED_MS);
  return host;
}

/** Returns ripgrep's count, and its milliseconds of wall and processor time. */
function ripgrep(path: string, { caseSensitive, ...one }: Case, text: string) {
  const pattern = text === 'coloured' ? (one.seen ?? one.pattern) : one.pattern;
  const crlf = text === 'crlf';
  const how = ['-c', '--no-config', caseSensitive ? '-s' : '-i', ...(crlf ? ['--crlf'] : [])];
  const start = performance.now();
  const result = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; time "$0" "$@"', rgPath, ...how, '-e', pattern, path],
    { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
  );
  const wall = performance.now() - start;
  if (result.error) throw result.error;
  const [user, system] = result.stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { count: Number(result.stdout), wall, cpu: (user! + system!) * 1000 };
}

async function ours(path: string, { pattern, caseSensitive, kind }: Case) {
  const host = await fresh(path, kind !== 'cold');
  const busy = await quiet();
  const start = performance.now();
  const before = process.cpuUsage();
  const view = (await host.inspect({
    file_path: path,
    mode: 'grep',
    pattern,
    case_sensitive: caseSensitive ?? false,
    max_matches: 1,
  })) as GrepView;
  const { user, system } = process.cpuUsage(before);
  const wall = performance.now() - start;
  await host.close();
  return { count: view.match_count, wall, cpu: (user + system) / 1000, busy };
}

const raw: Record<string, unknown> = {};
const figures: Figure[] = [];
for (const [text, path] of Object.entries(texts)) {
  const chosen = (text === 'log' ? log : disassembly).filter((one) =>
    only.every((word) => `${text} ${one.kind} ${one.name}`.includes(word)),
  );
  if (chosen.length === 0) continue;
  warm(path);
  for (const one of chosen) {
    const rounds: { ours: Awaited<ReturnType<typeof ours>>; theirs: ReturnType<typeof ripgrep> }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ ours: await ours(path, one), theirs: ripgrep(path, one, text) });
    }
    const ratio = (of: 'wall' | 'cpu') =>
      median(rounds.map((round) => round.ours[of])) / median(rounds.map((round) => round.theirs[of]));
    const [found, expected] = [rounds[0]!.ours.count, rounds[0]!.theirs.count];
    const what = `${text}, ${one.name} (${found} lines${found === expected ? '' : `, ripgrep ${expected}`})`;
    raw[`${text}: ${one.name}`] = { pattern: one.pattern, rounds };
    const figure = (what: string, of: 'wall' | 'cpu', limit: number | undefined) =>
      figures.push({ what, value: ratio(of), unit: 'x ripgrep', ...(limit === undefined ? {} : { limit }) });
    figure(what, 'wall', LIMITS[one.kind]);
    figure('  processor time', 'cpu', one.kind === 'cold' ? undefined : CPU_LIMIT);
  }
}
if (only.every((word) => 'empty lines'.includes(word))) {
  const path = generated('empty-lines.txt', 1e9, () => '\n'.repeat(1_000_000));
  warm(path);
  const one = await ours(path, { name: 'empty lines', pattern: '^$', kind: 'expression' });
  const start = performance.now();
  const theirs = Number(spawnSync('grep', ['-c', '^$', path], { encoding: 'utf8' }).stdout);
  const wall = performance.now() - start;
  const what = `empty lines, all of them (${one.count} lines${one.count === theirs ? '' : `, grep ${theirs}`})`;
  figures.push({ what, value: one.wall / wall, unit: 'x grep -c', limit: 1 });
  raw['empty lines'] = { pattern: '^$', ours: one, grep: wall };
}
if (process.env.SPILLWAY_BENCH || process.env.SPILLWAY_BENCH_MIB) {
  print(figures);
  console.log(JSON.stringify(raw));
} else report('search', figures, { load: loadavg(), ...raw });
process.exit();
