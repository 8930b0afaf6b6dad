/** Running captures are polled four times a second: output and a recorder's death raise no event. */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CapturesWatch, watchCaptures } from '../../../electron/library/watching/watch-captures.ts';
import { Captures } from '../../../electron/store/captures.ts';
import { isAlive, type Owner, ownerOf, thisProcess } from '../../../electron/store/format/owner.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { type MadeCapture, writeCommand } from '../../fixtures/library/captures.ts';
import { until } from '../../fixtures/until.ts';

let root: string;
let home: string;
let watch: CapturesWatch;
const known = new Map<string, Artifact>();

beforeEach(() => {
  root = makeFolder();
  home = join(root, 'home');
  mkdirSync(home, { mode: 0o700 });
  // The rounds over everything, which would find the same some seconds later, are timed otherwise.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  watch.close();
  vi.useRealTimers();
  known.clear();
  removeFolder(root);
});

async function watched(recorder: Owner): Promise<MadeCapture> {
  const made = writeCommand(home, [], {
    change: (record) => ({ ...record, status: 'running', recorder, ended_at: null, duration_ms: null }),
  });
  const captures = new Captures({
    home,
    retentionHours: 24,
    onPut: (artifact) => known.set(artifact.artifact_id, artifact),
    onRemove: (id) => known.delete(id),
  });
  watch = watchCaptures(captures);
  await until(() => known.get(made.id)?.status === 'running');
  return made;
}

test('what has been printed is known within a quarter of a second', async () => {
  const made = await watched(thisProcess());
  const file = join(made.folder, made.record.streams[0]!.file!);
  for (const bytes of [5, 10]) {
    appendFileSync(file, 'more\n');
    vi.advanceTimersByTime(250);
    expect(known.get(made.id)!.streams[0]!.total_bytes).toBe(bytes);
  }
});

test.runIf(process.platform === 'linux')('so is the death of its recorder', async () => {
  const recorder = spawn('sleep', ['600']);
  const owner = ownerOf(recorder.pid!);
  const made = await watched(owner);
  recorder.kill('SIGKILL');
  // Wait without a turn of the event loop, in which the product could look.
  const end = Date.now() + 60_000;
  while (isAlive(owner)) expect(Date.now()).toBeLessThan(end);
  vi.advanceTimersByTime(250);
  expect(known.get(made.id)!.status).toBe('interrupted');
});
