/** Texts that could take a tool forever: redraws, a billion empty lines, a gzip file of one member, a repetition. */
import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createHost } from '../../electron/host/create.ts';
import type { Host } from '../../electron/host/host.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { folder, GIB, generated, MIB, median, realText, report, warm } from './harness.ts';

const RUNS = 3;
const PART = 256 * MIB;

/** Seconds of wall time, and of processor time of all threads. */
interface Time {
  wall: number;
  cpu: number;
}

const frames = (i: number) =>
  `${Array.from({ length: 20 }, (_, step) => `\rDownloading package ${i % 500} ${step * 5} %`).join('')}\n`;
const bars = (i: number) =>
  `${Array.from({ length: 20 }, (_, step) => `\r\x1b[32m━━━━━╸━━━━\x1b[0m ${step * 5} % of ${i % 99} MB`).join('')}\n`;

const texts = {
  'redraws of ASCII': generated('redraws.txt', PART, (i) => frames(i).repeat(100)),
  'redraws with colours and Unicode': generated('bars.txt', PART, (i) => bars(i).repeat(100)),
  'lines that end in CR CR LF': generated('cr-cr-lf.txt', PART, () =>
    'a line of some text number 12\r\r\n'.repeat(1000),
  ),
  'redraws of one line': generated('one-line.txt', PART, (i) => frames(i).slice(0, -1).repeat(100)),
};

const raw: Record<string, Time[]> = {};
const host = await indexed(join(process.cwd(), 'package.json'));

for (const [name, path] of Object.entries(texts)) {
  warm(path);
  await measure(`summary: ${name}`, () => host.inspect({ file_path: path, mode: 'summary' }));
}

const empty = generated('empty-lines.txt', 1e9, () => '\n'.repeat(1e6));
warm(empty);
await host.inspect({ file_path: empty });
for (let run = 0; run < RUNS; run += 1) {
  keep('grep -c ^$', grepTime(empty));
  const fresh = await indexed(empty);
  await measure('^$', () => fresh.inspect({ file_path: empty, pattern: '^$', max_matches: 0 }), 1);
  await fresh.close();
}
await measure('summary: a billion empty lines', () => host.inspect({ file_path: empty, mode: 'summary' }));

const letters = generated('letters.txt', 64 * MIB, () => `${'a'.repeat(999)}\n`.repeat(100));
warm(letters);
for (let run = 0; run < RUNS; run += 1) {
  const fresh = await indexed(letters);
  const query = { file_path: letters, pattern: 'a{1,1000}b', max_matches: 0 };
  await measure('a{1,1000}b', () => fresh.inspect(query), 1);
  await fresh.close();
}

const gzip = await gzipped(realText(GIB));
for (let run = 0; run < RUNS; run += 1) {
  // Start the threads before the first request, as in a running inspector.
  const fresh = await indexed(join(process.cwd(), 'package.json'));
  await measure('gzip: first 50 lines', () => fresh.inspect({ file_path: gzip }), 1);
  await measure('gzip: lines 1000 to 1049', () => fresh.inspect({ file_path: gzip, start_line: 1000 }), 1);
  await fresh.close();
}

const perGib = (name: string, key: keyof Time) => median(raw[name]!.map((time) => time[key])) * (GIB / PART);
const middle = (name: string, key: keyof Time) => median(raw[name]!.map((time) => time[key]));
report(
  'bounds',
  [
    ...Object.keys(texts).flatMap((name) => [
      { what: `summary of 1 GiB: ${name}`, value: perGib(`summary: ${name}`, 'wall'), unit: 's' },
      { what: '  of the processor', value: perGib(`summary: ${name}`, 'cpu'), unit: 's' },
    ]),
    {
      what: 'summary of a billion empty lines',
      value: middle('summary: a billion empty lines', 'wall'),
      unit: 's',
    },
    { what: '`^$` over a billion lines', value: middle('^$', 'wall'), unit: 's' },
    {
      what: '`^$` over a billion lines, against `grep -c`',
      value: middle('^$', 'wall') / middle('grep -c ^$', 'wall'),
      unit: 'x',
      limit: 1,
    },
    {
      what: '  of the processor, against `grep -c`',
      value: middle('^$', 'cpu') / middle('grep -c ^$', 'cpu'),
      unit: 'x',
    },
    {
      what: '`a{1,1000}b` in 64 MiB of a',
      value: middle('a{1,1000}b', 'wall'),
      unit: 's',
      limit: 5,
    },
    {
      what: 'gzip of one member: first 50 lines',
      value: middle('gzip: first 50 lines', 'wall') * 1000,
      unit: 'ms',
    },
    {
      what: '  then 50 from line 1000',
      value: middle('gzip: lines 1000 to 1049', 'wall') * 1000,
      unit: 'ms',
    },
  ],
  raw,
);
await host.close();
process.exit();

async function measure(name: string, work: () => Promise<unknown>, runs = RUNS): Promise<void> {
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    const start = performance.now();
    await work();
    const wall = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(before);
    keep(name, { wall, cpu: (user + system) / 1e6 });
  }
}

function keep(name: string, time: Time): void {
  raw[name] = [...(raw[name] ?? []), time];
}

/** Takes the processor time of the shell's children. */
function grepTime(path: string): Time {
  const start = performance.now();
  const said = execFileSync('sh', ['-c', `LC_ALL=C grep -c '^$' '${path}'; times`], {
    encoding: 'utf8',
  });
  const wall = (performance.now() - start) / 1000;
  const children = said.trim().split('\n').at(-1)!;
  const cpu = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
  return { wall, cpu };
}

/** A host with its threads started that has the file's index. */
async function indexed(path: string): Promise<Host> {
  const fresh = await createHost({ home: makeFolder(), watch: false });
  await fresh.inspect({ file_path: path });
  return fresh;
}

async function gzipped(path: string): Promise<string> {
  const to = join(folder, 'one-member.gz');
  if (!existsSync(to))
    await pipeline(createReadStream(path), createGzip({ level: 1 }), createWriteStream(to));
  return to;
}
