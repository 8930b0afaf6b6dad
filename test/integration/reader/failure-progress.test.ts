/** An explanation of a long text says how far it has read, and can be cancelled. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const LINE = 'INFO request 12345 from 10.0.0.1 took 12 ms\n';
const SIZE = 600_000 * LINE.length;

let folder: string;
let path: string;
beforeEach(() => {
  folder = makeFolder();
  path = join(folder, 'long.log');
  writeFileSync(path, LINE.repeat(600_000));
});
afterEach(() => removeFolder(folder));

describe.each([
  ['with threads', 2],
  ['without threads', 0],
] as const)('an explanation %s', (_, threads) => {
  let host: Host;
  beforeEach(async () => {
    host = await createHost({ home: join(folder, 'home'), watch: false, threads });
  });
  afterEach(() => host.close());

  it('tells how much it has read', async () => {
    const read: number[] = [];
    const onProgress = ({ read_bytes, total_bytes }: { read_bytes: number; total_bytes: number | null }) => {
      expect(total_bytes).toBe(SIZE);
      read.push(read_bytes);
    };
    await host.inspect({ file_path: path, mode: 'failure' }, { onProgress });
    expect(read.length).toBeGreaterThan(0);
    expect(read).toEqual(read.toSorted((a, b) => a - b));
    expect(read.at(-1)).toBeGreaterThan(0);
    expect(read.at(-1)).toBeLessThanOrEqual(SIZE);
  });

  it('stops when it is cancelled', async () => {
    const stop = new AbortController();
    let last = 0;
    const asked = host.inspect(
      { file_path: path, mode: 'failure' },
      {
        signal: stop.signal,
        onProgress: ({ read_bytes }) => {
          last = read_bytes;
          stop.abort();
        },
      },
    );
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    expect(last).toBeLessThan(SIZE);
  });
});
