/** Resident memory above idle while 1, 2 and 4 GiB are indexed and summarised, each in a process of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHost } from '../../electron/host/create.ts';
import { GIB, MIB, realText, report, warm } from './harness.ts';

const [, , given] = process.argv;
if (given === undefined) {
  const figures = [1, 2, 4].map((gib) => {
    const path = realText(gib * GIB);
    warm(path);
    const { stdout, status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`measuring ${gib} GiB failed`);
    return { gib, ...(JSON.parse(stdout) as Measured) };
  });
  report(
    'memory',
    figures.map(({ gib, above }) => ({
      what: `resident above idle, indexing and summarising ${gib} GiB`,
      value: above / MIB,
      unit: 'MiB',
      limit: 150,
    })),
    figures,
  );
} else {
  console.log(JSON.stringify(await measure(given)));
  process.exit();
}

interface Measured {
  idle: number;
  peak: number;
  above: number;
  lines: number;
}

async function measure(path: string): Promise<Measured> {
  const home = mkdtempSync(join(tmpdir(), 'spillway-bench-home-'));
  const host = await createHost({ home, watch: false });
  // Idle is an inspector that has its threads and has read something.
  await host.inspect({ file_path: join(process.cwd(), 'package.json'), mode: 'summary' });
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  const { total_lines: lines } = await host.inspect({ file_path: path, mode: 'summary' });
  await host.inspect({ file_path: path, mode: 'tail' });
  clearInterval(timer);
  await host.close();
  return { idle, peak, above: peak - idle, lines };
}
