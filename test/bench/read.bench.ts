/** The reader on 1 GiB in memory: the index against `wc -l`, the tail without an index, any 200 lines. */
import { execFileSync } from 'node:child_process';
import { createHost } from '../../electron/host/create.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { compete, GIB, MIB, median, percentile, realText, report, warm } from './harness.ts';
import { quiet } from './quiet.ts';

/** Enough for every thread. */
const SMALL_BYTES = 256 * MIB;

const path = realText(GIB);
warm(path);
const home = makeFolder();
const open = () => createHost({ home, watch: false });

const small = realText(SMALL_BYTES);
// Start the threads before the first request, as in a running inspector: each counts a part of a file.
async function host() {
  const made = await open();
  await made.inspect({ file_path: small, mode: 'range', start_line: 1, lines: 1 });
  return made;
}

const hosts = await Promise.all(Array.from({ length: 12 }, host));
const used = [...hosts];
const index = await compete(
  {
    'wc -l': () => execFileSync('wc', ['-l', path]),
    spillway: () => used.pop()!.inspect({ file_path: path, mode: 'range', start_line: 1, lines: 1 }),
  },
  6,
);

const tails: number[] = [];
for (const fresh of used.splice(0)) {
  const [artifact] = await fresh.openPath({ path });
  const start = performance.now();
  await fresh.rows({
    document: { artifact_id: artifact!.artifact_id },
    start_line: 50,
    count: 50,
    from_end: true,
  });
  tails.push(performance.now() - start);
}

// One inspector runs at a time: threads of the others would prepare for searches meanwhile.
const [reader, ...others] = hosts;
await Promise.all(others.map((one) => one.close()));
await quiet();
const total = (await reader!.inspect({ file_path: path })).total_lines!;
const ranges: number[] = [];
for (let i = 0; i < 300; i += 1) {
  const line = 1 + Math.floor(((i * 0.618_033_988_7) % 1) * (total - 200));
  const start = performance.now();
  await reader!.inspect({ file_path: path, mode: 'range', start_line: line, lines: 200 });
  ranges.push(performance.now() - start);
}

const seconds: number[] = [];
for (let i = 0; i < 3; i += 1) {
  const start = performance.now();
  await reader!.inspect({ file_path: path, mode: 'summary' });
  seconds.push((performance.now() - start) / 1000);
}

report(
  'read',
  [
    { what: 'full line index of 1 GiB', value: median(index.spillway), unit: 'ms' },
    { what: '`wc -l` of the same', value: median(index['wc -l']), unit: 'ms' },
    {
      what: 'full line index, against `wc -l`',
      value: median(index.spillway) / median(index['wc -l']),
      unit: 'x',
      limit: 1,
    },
    { what: 'open and last 50 lines, no index yet', value: median(tails), unit: 'ms', limit: 20 },
    { what: 'any 200 lines, index ready: median', value: median(ranges), unit: 'ms', limit: 5 },
    {
      what: 'any 200 lines, index ready: 95th percentile',
      value: percentile(ranges, 95),
      unit: 'ms',
      limit: 5,
    },
    { what: 'summary of 1 GiB', value: median(seconds), unit: 's', limit: 3 },
  ],
  { lines: total, index, tails, ranges, summary_seconds: seconds },
);
await reader!.close();
process.exit();
