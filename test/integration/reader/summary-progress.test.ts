import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { SummaryState } from '../../../shared/api/api.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const LINE = 'INFO request 12345 from 10.0.0.1 took 12 ms\n';
const LINES = 1_000_000;

let folder: string;
let path: string;
let host: Host;

beforeEach(async () => {
  folder = makeFolder();
  path = join(folder, 'long.log');
  writeFileSync(path, LINE.repeat(LINES));
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 2 });
});
afterEach(async () => {
  await host.close();
  removeFolder(folder);
});

/** All states of the summary, up to the last. */
async function states(): Promise<SummaryState[]> {
  const [artifact] = await host.openPath({ path });
  const all: SummaryState[] = [];
  await new Promise<void>((resolve, reject) => {
    const document = { artifact_id: artifact!.artifact_id };
    host.watchSummary(
      { document },
      (state) => {
        all.push(state);
        if (state.done) resolve();
      },
      reject,
    );
  });
  return all;
}

describe('a summary of a long text', () => {
  it('is told of its first part at once, with figures', async () => {
    const [first] = await states();
    expect(first!.done).toBe(false);
    expect(first!.read_bytes).toBeGreaterThan(0);
    expect(first!.read_bytes).toBeLessThan(first!.view.total_bytes / 4);
    expect(first!.view.shapes[0]!.count).toBe(first!.read_bytes / LINE.length);
  });

  it('ends with what inspect gives', async () => {
    const last = (await states()).at(-1)!;
    expect(last.view).toEqual(await host.inspect({ file_path: path, mode: 'summary' }));
    expect(last.view.levels).toEqual({ info: LINES });
    expect(last.read_bytes).toBe(LINES * LINE.length);
  });

  it('of a compressed file is told before all of it is unpacked', async () => {
    path = join(folder, 'long.log.gz');
    // More than is unpacked ahead.
    writeFileSync(path, gzipSync(Buffer.alloc(2 * LINES * LINE.length, LINE), { level: 1 }));
    const totals: (number | null)[] = [];
    const view = await host.inspect(
      { file_path: path, mode: 'summary' },
      {
        onProgress: ({ total_bytes, view }) => {
          totals.push(total_bytes);
          expect(view!().total_bytes).toBeLessThanOrEqual(2 * LINES * LINE.length);
        },
      },
    );
    expect(totals[0]).toBeNull();
    expect(view).toMatchObject({
      total_lines: 2 * LINES,
      total_bytes: 2 * LINES * LINE.length,
      levels: { info: 2 * LINES },
    });
    expect(view.note).toBeUndefined();
  });

  it('is of the text there was when it began, although the file grows', async () => {
    let grown = false;
    const view = await host.inspect(
      { file_path: path, mode: 'summary' },
      {
        onProgress: () => {
          if (!grown) appendFileSync(path, LINE.repeat(100_000));
          grown = true;
        },
      },
    );
    expect(grown).toBe(true);
    expect(view).toMatchObject({
      total_lines: LINES,
      total_bytes: LINES * LINE.length,
      levels: { info: LINES },
    });
  });

  it('stops when it is no longer watched', async () => {
    const [artifact] = await host.openPath({ path });
    const seen: SummaryState[] = [];
    const stop = host.watchSummary(
      { document: { artifact_id: artifact!.artifact_id } },
      (state) => {
        seen.push(state);
        stop();
      },
      () => {},
    );
    await host.inspect({ file_path: path, mode: 'summary' });
    expect(seen.map(({ done }) => done)).toEqual([false]);
  });

  it('tells an agent how many bytes it has read', async () => {
    const figures: number[] = [];
    await host.inspect(
      { file_path: path, mode: 'summary' },
      { onProgress: ({ read_bytes, total_bytes }) => figures.push(read_bytes / total_bytes!) },
    );
    expect(figures.length).toBeGreaterThan(0);
    expect(figures).toEqual([...figures].sort((a, b) => a - b));
    expect(figures.at(-1)).toBeLessThan(1);
  });
});
