/**
 * Masking: shipping 1 GiB beside `gzip -1` of it, a search over it with masking and without, and a reply of 4 KB.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pack, storedText } from '../../electron/archive/pack.ts';
import { createHost } from '../../electron/host/create.ts';
import { Secrets } from '../../shared/secrets/mask.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { compete, folder, GIB, MIB, median, realText, report, warm } from './harness.ts';

const path = realText(GIB);
warm(path);
/** Seconds of processor of the children of a shell, which is the second line of `times`. */
function gzipSeconds(): number {
  const { stdout } = spawnSync('sh', ['-c', `gzip -1 -c '${path}' > /dev/null; times`], { encoding: 'utf8' });
  const parts = [...stdout.split('\n')[1]!.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

const usual = new Secrets();
const packed = join(folder, 'packed.gz');
const began = process.memoryUsage().rss;
let most = began;
const watching = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss);
}, 20);
const shipping: { ours: number; gzip: number }[] = [];
for (let round = 0; round < 3; round += 1) {
  rmSync(packed, { force: true });
  const before = process.cpuUsage();
  await pack(storedText(path), usual, packed);
  const { user, system } = process.cpuUsage(before);
  shipping.push({ ours: (user + system) / 1e6, gzip: gzipSeconds() });
}
clearInterval(watching);
rmSync(packed);

// No secret is in disassemblies and a list of files: what is found there is none.
let found = 0;
const block = Buffer.alloc(100 * 1024);
const whole = openSync(path, 'r');
for (let at = 0, read = 1; read > 0; at += read) {
  read = readSync(whole, block, 0, block.length, at);
  found += usual.find(block.toString('latin1', 0, read)).length;
}
closeSync(whole);

const host = await createHost({ home: makeFolder(), watch: false });
const redact = new Secrets();
// Each search has a pattern of its own, or it would be answered from the one before.
let number = 0;
const grep = (options: { redact?: Secrets }) => {
  number += 1;
  return host.inspect({ file_path: path, mode: 'grep', pattern: `mov .*0x${number.toString(16)}f` }, options);
};
await grep({});
const searches = await compete({ plain: () => grep({}), masked: () => grep({ redact }) }, 6);
await host.close();

const PAGE_CHARS = 4096;
const file = openSync(path, 'r');
const bytes = Buffer.alloc(500 * PAGE_CHARS);
readSync(file, bytes);
closeSync(file);
const text = bytes.toString('latin1');
const pages = Array.from({ length: 500 }, (_, i) => text.slice(i * PAGE_CHARS, (i + 1) * PAGE_CHARS));
const times = pages.map((page) => {
  const start = performance.now();
  redact.mask(page);
  return performance.now() - start;
});

report(
  'redact',
  [
    {
      what: 'shipping 1 GiB: processor',
      value: median(shipping.map(({ ours }) => ours)),
      unit: 's',
    },
    { what: 'gzip -1 of it', value: median(shipping.map(({ gzip }) => gzip)), unit: 's' },
    {
      what: 'shipping beside gzip -1',
      value: median(shipping.map(({ ours, gzip }) => ours / gzip)),
      unit: 'x',
      limit: 1.1,
    },
    { what: 'shipping: memory', value: (most - began) / MIB, unit: 'MiB', limit: 64 },
    { what: 'false masks in 1 GiB', value: found, unit: '', limit: 10 },
    { what: 'grep over 1 GiB', value: median(searches.plain), unit: 'ms' },
    { what: 'the same with its secrets masked', value: median(searches.masked), unit: 'ms' },
    {
      what: 'masked beside plain',
      value: median(searches.masked) / median(searches.plain),
      unit: 'x',
      limit: 1.05,
    },
    { what: 'masking of 4 KB', value: median(times), unit: 'ms', limit: 1 },
  ],
  { shipping, searches, times },
);
