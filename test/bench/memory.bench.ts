/**
 * Resident memory above idle while 1, 2 and 4 GiB are indexed, summarised and searched, and 50 million lines
 * are searched. Each in its own process.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHost } from '../../electron/host/create.ts';
import type { Host } from '../../electron/host/host.ts';
import type { GrepView } from '../../shared/views.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { fiftyMillion } from './fifty-million.ts';
import { GIB, MIB, realText, report, warm } from './harness.ts';

interface Case {
  what: string;
  path: () => string;
  /** Absent: the file is summarised. */
  pattern?: string;
  /** MiB. */
  limit: number;
}

const cases: Case[] = [
  ...[1, 2, 4].map((gib) => ({
    what: `indexing and summarising ${gib} GiB`,
    path: () => realText(gib * GIB),
    limit: 150,
  })),
  ...[1, 4].flatMap((gib) =>
    ['call', '\\w+\\s\\d+'].map((pattern) => ({
      what: `searching ${gib} GiB for ${pattern}`,
      path: () => realText(gib * GIB),
      pattern,
      limit: 200,
    })),
  ),
  ...['row', '.', '[02468]$'].map((pattern) => ({
    what: `searching 50 million lines for ${pattern}`,
    path: fiftyMillion,
    pattern,
    limit: 200,
  })),
];

interface Measured {
  idle: number;
  peak: number;
  above: number;
  /** Lines, or matching lines. */
  lines: number;
}

const given = process.argv[2];
if (given === undefined) {
  const measured = cases.map(({ what, path, pattern, limit }) => {
    const file = path();
    warm(file);
    const args = [fileURLToPath(import.meta.url), file, ...(pattern === undefined ? [] : [pattern])];
    const { stdout, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`measuring ${what} failed`);
    return { what, limit, ...(JSON.parse(stdout) as Measured) };
  });
  report(
    'memory',
    measured.map(({ what, limit, above, lines }) => ({
      what: `${what} (${lines} lines)`,
      value: above / MIB,
      unit: 'MiB above idle',
      limit,
    })),
    measured,
  );
} else {
  console.log(JSON.stringify(await measure(given, process.argv[3])));
  process.exit();
}

async function measure(path: string, pattern: string | undefined): Promise<Measured> {
  const home = makeFolder();
  const host = await createHost({ home, watch: false });
  // Idle is an inspector that has its threads and has read something.
  await host.inspect({ file_path: join(process.cwd(), 'package.json'), mode: 'summary' });
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  const lines = pattern === undefined ? await summarised(host, path) : await searched(host, path, pattern);
  clearInterval(timer);
  await host.close();
  removeFolder(home);
  return { idle, peak, above: peak - idle, lines };
}

async function summarised(host: Host, path: string): Promise<number> {
  const { total_lines } = await host.inspect({ file_path: path, mode: 'summary' });
  await host.inspect({ file_path: path, mode: 'tail' });
  return total_lines!;
}

/** Searches normally and inverted, with a second page of each: both searches are kept. */
async function searched(host: Host, path: string, pattern: string): Promise<number> {
  const grep = (more: object) =>
    host.inspect({ file_path: path, mode: 'grep', pattern, ...more }) as Promise<GrepView>;
  const view = await grep({});
  if (view.next_cursor) await grep({ cursor: view.next_cursor, max_matches: 2000 });
  await grep({ invert: true });
  return view.match_count;
}
