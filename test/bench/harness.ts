/** Helpers for benchmarks: real text of a given size, alternating runs, medians, result files. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

export const MIB = 1024 * 1024;
export const GIB = 1024 * MIB;

/** Where big inputs are kept between runs. */
export const folder = join(tmpdir(), 'spillway-bench');
mkdirSync(folder, { recursive: true });

/** Returns a file of real text: disassembled programs and a listing of the file system, repeated to `bytes`. */
export function realText(bytes: number): string {
  const path = join(folder, `text-${bytes}.txt`);
  if (existsSync(path) && statSync(path).size === bytes) return path;
  const temporary = `${path}.part`;
  const programs = [process.execPath, '/usr/lib/chromium/chromium', '/usr/bin/gdb'].filter((program) =>
    existsSync(program),
  );
  const quoted = programs.map((program) => `objdump -d '${program}'`).join('; ');
  const source = join(folder, 'source.txt');
  if (!existsSync(source)) {
    console.log('making real text: disassemblies and a listing…');
    spawnSync('sh', ['-c', `{ find / -xdev -ls; ${quoted}; } 2>/dev/null | head -c ${GIB} > '${source}'`]);
    if (statSync(source).size === 0)
      throw new Error('neither find nor objdump gives text here: install binutils');
  }
  const part = readFileSync(source);
  const out = openSync(temporary, 'w');
  for (let written = 0; written < bytes; ) {
    written += writeSync(out, part, 0, Math.min(part.length, bytes - written));
  }
  closeSync(out);
  renameSync(temporary, path);
  return path;
}

/** Makes a file once, by appending what `make` gives until `bytes` are there. */
export function generated(name: string, bytes: number, make: (i: number) => string): string {
  const path = join(folder, name);
  if (existsSync(path) && statSync(path).size >= bytes) return path;
  const out = openSync(path, 'w');
  for (let i = 0, written = 0; written < bytes; i += 1) written += writeSync(out, make(i));
  closeSync(out);
  return path;
}

/** Reads a file once, so that what follows finds it in memory. */
export function warm(path: string): void {
  execFileSync('sh', ['-c', `cat '${path}' > /dev/null`]);
}

/** Milliseconds of each of `runs` rounds; within a round the contenders run one after the other. */
export async function compete<K extends string>(
  contenders: Record<K, () => unknown>,
  runs: number,
): Promise<Record<K, number[]>> {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []])) as unknown as Record<
    K,
    number[]
  >;
  for (let run = 0; run < runs; run += 1) {
    for (const [name, contender] of Object.entries(contenders) as [K, () => unknown][]) {
      const start = performance.now();
      await contender();
      times[name].push(performance.now() - start);
    }
  }
  return times;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * p) / 100) - 1)] ?? Number.NaN;
}

export interface Figure {
  what: string;
  value: number;
  unit: string;
  /** The most it may be. */
  limit?: number;
  /** The least it may be. */
  least?: number;
}

/** Prints figures. Past a limit, the run fails. */
export function print(figures: readonly Figure[]): void {
  for (const { what, value, unit, limit, least } of figures) {
    const over = limit !== undefined && value > limit;
    const under = least !== undefined && value < least;
    const verdict = over
      ? `  OVER ${limit}`
      : under
        ? `  UNDER ${least}`
        : limit !== undefined
          ? `  ok, at most ${limit}`
          : least !== undefined
            ? `  ok, at least ${least}`
            : '';
    console.log(`${what.padEnd(58)} ${value.toFixed(value < 10 ? 2 : 1).padStart(9)} ${unit}${verdict}`);
    if (over || under) process.exitCode = 1;
  }
}

/**
 * Prints figures, and writes them as a table to test/bench/results. The raw numbers behind them go beside the inputs, in
 * the system's temporary folder. `more` follows the table.
 */
export function report(name: string, figures: readonly Figure[], raw: unknown, more = ''): void {
  print(figures);
  const results = join(process.cwd(), 'test', 'bench', 'results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `${name}.md`), tableOf(name, figures) + more);
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(raw, null, 2)}\n`);
}

function tableOf(name: string, figures: readonly Figure[]): string {
  const rows = figures.map(({ what, value, unit, limit, least }) => {
    const bound = limit !== undefined ? `at most ${limit}` : least !== undefined ? `at least ${least}` : '';
    return `| ${what.replaceAll('|', '\\|')} | ${value.toFixed(value < 10 ? 2 : 1)} ${unit} | ${bound} |`;
  });
  const [cpu] = cpus();
  const when = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, Node ${process.version}`;
  return [`# ${name}`, '', when, '', '| what | figure | bound |', '| --- | --- | --- |', ...rows, ''].join(
    '\n',
  );
}
