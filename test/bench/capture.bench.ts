/**
 * The cost of recording: `spillway run -- cat FILE` against `cat FILE | tee COPY`, memory whatever the size, and what a
 * short command takes longer. Needs the built command.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compete, folder, GIB, MIB, median, realText, report, warm } from './harness.ts';

const cli = join(process.cwd(), 'dist', 'node', 'cli.js');
const home = mkdtempSync(join(folder, 'capture-home-'));
writeFileSync(join(home, 'config.json'), JSON.stringify({ minFreeBytes: 0, maxStreamBytes: 0 }));
const copy = join(folder, 'copy.txt');
const nothing = openSync('/dev/null', 'w');
const env = { ...process.env, SPILLWAY_HOME: home };

function spillway(...args: string[]): void {
  const { status } = spawnSync(process.execPath, [cli, 'run', '--quiet', '--', ...args], {
    env,
    stdio: ['ignore', nothing, 'inherit'],
  });
  if (status !== 0) throw new Error(`spillway run ended with ${status}`);
}

function clean(): void {
  rmSync(join(home, 'captures'), { recursive: true, force: true });
  rmSync(copy, { force: true });
}

/** Peak resident memory in bytes. */
function peakOf(path: string): number {
  const script = `"$0" "$1" run --quiet -- sh -c 'cat "$0"; grep VmHWM /proc/$PPID/status >&2' "$2" > /dev/null`;
  const { stderr } = spawnSync('sh', ['-c', script, process.execPath, cli, path], { env, encoding: 'utf8' });
  clean();
  return Number(/VmHWM:\s+(\d+) kB/.exec(stderr)?.[1]) * 1024;
}

const text = realText(GIB);
warm(text);
const long = await compete(
  {
    tee: () => {
      spawnSync('sh', ['-c', `cat "$0" | tee "$1"`, text, copy], { stdio: ['ignore', nothing, 'inherit'] });
      clean();
    },
    spillway: () => {
      spillway('cat', text);
      clean();
    },
  },
  5,
);
const short = await compete(
  {
    bare: () => spawnSync('true'),
    node: () => spawnSync(process.execPath, ['-e', '0']),
    spillway: () => spillway('true'),
  },
  15,
);
clean();
const peaks = [256 * MIB, GIB].map((bytes) => ({ bytes, peak: peakOf(realText(bytes)) }));
closeSync(nothing);
rmSync(home, { recursive: true });

report(
  'capture',
  [
    { what: 'cat 1 GiB | tee COPY', value: median(long.tee), unit: 'ms' },
    { what: 'spillway run -- cat 1 GiB', value: median(long.spillway), unit: 'ms' },
    { what: 'run against tee', value: median(long.spillway) / median(long.tee), unit: 'x', limit: 1.5 },
    ...peaks.map(({ bytes, peak }) => ({
      what: `resident at most, recording ${bytes / MIB} MiB`,
      value: peak / MIB,
      unit: 'MiB',
      limit: 150,
    })),
    { what: 'a node that does nothing', value: median(short.node), unit: 'ms' },
    {
      what: 'what a short command takes longer',
      value: median(short.spillway) - median(short.bare),
      unit: 'ms',
      limit: 150,
    },
  ],
  { long, short, peaks },
);
