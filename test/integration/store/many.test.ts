/** In a home of very many or very large captures, each request costs only as much as its own result. */
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import { Captures } from '../../../electron/store/captures.ts';
import { recordFile } from '../../../electron/store/format/names.ts';
import { MAX_ARGS_BYTES } from '../../../electron/store/format/record.ts';
import { readOwn } from '../../../electron/store/format/small-file.ts';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { makeHome, storeCapture } from '../../fixtures/library/stored-captures.ts';

let home: string;
let remove: () => void;

beforeEach(() => {
  ({ home, remove } = makeHome());
});
afterEach(() => remove());

describe('listing the newest of many captures', () => {
  const ids: string[] = [];
  beforeEach(() => {
    ids.length = 0;
    for (let i = 0; i < 60; i += 1) {
      const session = `session ${i % 3}`;
      const status = i === 5 ? 'failed' : 'succeeded';
      ids.unshift(storeCapture(home, { ended: Date.now() - (100 - i) * 10_000, session, status }).id);
    }
  });

  test('reads the records of those alone', async () => {
    const look = vi.spyOn(Captures.prototype, 'load');
    const host = await createHost({ home, watch: false, threads: 0 });
    const { outputs, next_cursor } = await host.list({ limit: 5 });
    expect(outputs.map((artifact) => artifact.artifact_id)).toEqual(ids.slice(0, 5));
    expect(next_cursor).not.toBeNull();
    expect(new Set(look.mock.calls.map(([, id]) => id)).size).toBe(6);
    look.mockRestore();
    await host.close();
  });

  test('goes on to older ones for a filter, and page by page to the last', async () => {
    const host = await createHost({ home, watch: false, threads: 0 });
    const failed = await host.list({ limit: 1, status: 'failed' });
    expect(failed.outputs.map((artifact) => artifact.artifact_id)).toEqual([ids[54]]);
    const all: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await host.list({ limit: 7, ...(cursor === null ? {} : { cursor }) });
      all.push(...page.outputs.map((artifact) => artifact.artifact_id));
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    expect(all).toEqual(ids);
    await host.close();
  });
});

test('statistics where captures are followed read no record again that is the same', async () => {
  const stored = Array.from({ length: 40 }, (_, i) => storeCapture(home, { ended: Date.now() - i * 10_000 }));
  for (const { id, folder } of stored) utimesSync(join(folder, recordFile(id)), 1_700_000_000, 1_700_000_000);
  const host = await createHost({ home, watch: true, threads: 0 });
  const before = await host.stats({});
  const parse = vi.spyOn(JSON, 'parse');
  expect(await host.stats({})).toEqual(before);
  expect(parse.mock.calls.length).toBeLessThan(stored.length);
  parse.mockRestore();
  const [{ id, folder, record }] = stored as [(typeof stored)[0]];
  const streams = record.streams.map((stream) => ({ ...stream, total_bytes: stream.total_bytes + 1000 }));
  writeFileSync(join(folder, recordFile(id)), JSON.stringify({ ...record, streams }));
  const { total_bytes } = await host.stats({});
  expect(total_bytes).toBe(before.total_bytes + 1000 * streams.length);
  await host.close();
});

describe('a record over 1 MiB', () => {
  test('is damaged, and is not read into memory', async () => {
    const { id, folder } = storeCapture(home);
    const path = join(folder, recordFile(id));
    writeFileSync(
      path,
      JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), label: 'x'.repeat(1024 * 1024) }),
    );
    expect(readOwn(path)).toBeNull();
    const host = await createHost({ home, watch: false, threads: 0 });
    const { outputs } = await host.list({});
    expect(outputs.map((artifact) => artifact.warnings.join())).toEqual([
      expect.stringContaining('Its record is damaged: it is over 1 MiB'),
    ]);
    const { stayed } = await host.cleanup({ older_than_hours: 0 });
    expect(stayed).toMatchObject([{ artifact_id: id, reason: 'damaged' }]);
    await host.close();
  });
});

describe('a recorder keeps its records below that', () => {
  let place: Place;
  beforeEach(() => {
    place = makePlace({ inlineThresholdChars: 10_000_000, inlineThresholdLines: 1_000_000 });
  });
  afterEach(() => place.remove());

  const recorded = async () => {
    const listed = await runCli(['list', '--json'], place);
    return JSON.parse(listed.stdout).outputs[0];
  };

  test('a stream within a large inline budget has a file of its own', async () => {
    const input = 'line\n'.repeat(100_000);
    await runCli(['capture', '--tee'], place, { input });
    const [stream] = (await recorded()).streams;
    expect(existsSync(stream.file_path)).toBe(true);
    expect(readFileSync(stream.file_path, 'utf8') === input).toBe(true);
  });

  test('arguments that are too long are kept in part, and a warning says so', async () => {
    const args = Array.from({ length: 10 }, () => 'x'.repeat(MAX_ARGS_BYTES / 4));
    expect((await runCli(['run', '--quiet', '--', 'true', ...args], place)).status).toBe(0);
    const artifact = await recorded();
    expect(artifact.args).toEqual(args.slice(0, 3));
    expect(artifact.warnings.join()).toMatch(/of the arguments were kept/);
  });
});
