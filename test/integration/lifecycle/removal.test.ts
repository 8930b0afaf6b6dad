/**
 * A removal that stops at any step, runs twice at once, or meets a new pin leaves no remains and keeps pinned captures.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  open,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Capture, readFolders } from '../../../electron/store/format/folder.ts';
import { goneFile, pinFile, recordFile, sessionFolder } from '../../../electron/store/format/names.ts';
import { pinCapture, unpinCapture } from '../../../electron/store/format/pins.ts';
import { cleanUp } from '../../../electron/store/retention/cleanup.ts';
import { removeCapture } from '../../../electron/store/retention/removal.ts';
import { finished, makePlace, runCli, startCli } from '../../fixtures/cli.ts';
import {
  filesBelow,
  HOUR,
  idsBelow,
  makeHome,
  storeCapture,
} from '../../fixtures/library/stored-captures.ts';
import { KILLED_CLEANUPS, SEED } from '../../fixtures/sizes.ts';

let home: string;
let remove: () => void;
const NOW = Date.now();
const SETTINGS = { retentionHours: 24, maxTotalBytes: 2 ** 40 };
const clean = (params = {}) => cleanUp(home, SETTINGS, params, NOW);

beforeEach(() => {
  ({ home, remove } = makeHome());
});
afterEach(() => remove());

const openAsync = (path: string) => promisify(open)(path, 'r');
const put = () => storeCapture(home, { ended: NOW - 48 * HOUR, text: 'x'.repeat(100) });

async function scanned(id: string): Promise<Capture> {
  for await (const folder of readFolders(home)) {
    const found = folder.captures.find((capture) => capture.id === id);
    if (found) return found;
  }
  throw new Error(`${id} is not there`);
}

/** Occupies the threads on which the system's slow calls run, until the function it gives is called. */
function holdThreads(folder: string): () => void {
  const gate = join(folder, 'gate');
  execFileSync('mkfifo', [gate]);
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  const opened = Array.from({ length: threads }, () => openAsync(gate));
  return () => {
    const writer = openSync(gate, 'r+');
    void Promise.all(opened).then((files) => {
      for (const file of [writer, ...files]) closeSync(file);
    });
  };
}

/** No process has this number. */
const DEAD_PID = 2 ** 30;

describe('stopped half way', () => {
  // The steps of removal.ts: the record's new name first, its files, that name last.
  test.each([0, 1, 2])('with %i of its files removed, the next cleanup finishes', async (steps) => {
    const { id, folder } = put();
    renameSync(join(folder, recordFile(id)), join(folder, goneFile(id, DEAD_PID)));
    const names = readdirSync(folder).filter((name) => name.startsWith(id) && !name.endsWith('.gone'));
    expect(names).toHaveLength(2);
    for (const name of names.slice(0, steps)) rmSync(join(folder, name));
    expect(await clean({ dry_run: true })).toMatchObject({ removed: [], stayed: [] });
    await clean();
    expect(filesBelow(home).filter((file) => file.includes(id))).toEqual([]);
  });

  test('by a process that is still at it, it is left to that one', async () => {
    const { id, folder } = put();
    const marker = join(folder, goneFile(id, process.ppid));
    renameSync(join(folder, recordFile(id)), marker);
    await clean();
    expect(existsSync(marker)).toBe(true);
    expect(filesBelow(home).filter((file) => file.includes(id))).toHaveLength(3);
  });

  test('what was pinned before its removal got further is given back', async () => {
    const { id, folder, path } = put();
    renameSync(join(folder, recordFile(id)), join(folder, goneFile(id, DEAD_PID)));
    writeFileSync(join(folder, pinFile(id)), '');
    await clean({ older_than_hours: 0 });
    expect(idsBelow(home)).toEqual([id]);
    expect(existsSync(path!)).toBe(true);
    expect((await clean({ older_than_hours: 0 })).stayed).toMatchObject([{ reason: 'pinned' }]);
  });

  test('by a file that cannot be removed, the record comes back and says what is in the way', async () => {
    const { id, path } = put();
    const capture = await scanned(id);
    rmSync(path!);
    mkdirSync(path!);
    expect(await removeCapture(capture)).toEqual({ failed: expect.stringContaining('is not a file') });
    expect(idsBelow(home)).toEqual([id]);
  });
});

describe('at once', () => {
  test('a pin made after the look keeps the capture whole', async () => {
    const { id, path } = put();
    const capture = await scanned(id);
    await pinCapture(home, id);
    expect(await removeCapture(capture)).toBe('pinned');
    expect(readFileSync(path!, 'utf8')).toBe('x'.repeat(100));
    expect(idsBelow(home)).toEqual([id]);
  });

  test('a stream that was compressed after the look goes in its new form', async () => {
    const { id, path } = put();
    const capture = await scanned(id);
    renameSync(path!, `${path}.gz`);
    expect(await removeCapture(capture)).toBe('removed');
    expect(filesBelow(home).filter((file) => file.includes(id))).toEqual([]);
  });

  test('what went meanwhile is no error: the capture, its session, the home', async () => {
    const { id, folder } = put();
    const capture = await scanned(id);
    rmSync(join(folder, recordFile(id)));
    expect(await removeCapture(capture)).toBe('went');
    rmSync(folder, { recursive: true });
    expect(await removeCapture(capture)).toBe('went');
    rmSync(home, { recursive: true });
    expect(await removeCapture(capture)).toBe('went');
  });

  test('two cleanups of one process remove everything once', async () => {
    const all = Array.from({ length: 50 }, put).map(({ id }) => id);
    const results = await Promise.all([clean(), clean(), clean()]);
    const removed = results.flatMap((result) => result.removed.map((one) => one.artifact_id));
    expect(removed.sort()).toEqual(all.sort());
    expect(filesBelow(home).filter((file) => !file.endsWith('session.json'))).toEqual([]);
  });

  test('a second cleanup of one process waits for the first: it does not take what is half removed for left over', async () => {
    const { id, path } = storeCapture(home, { ended: NOW - 48 * HOUR, text: 'x'.repeat(1_000_000) });
    const goOn = holdThreads(home);
    const first = clean();
    // The record has its other name, and removing its large file waits for a thread.
    await vi.waitUntil(() => idsBelow(home).length === 0, { interval: 1, timeout: 20_000 });
    const pinned = pinCapture(home, id).then(
      () => true,
      () => false,
    );
    const second = clean();
    // Enough for all that it does when it does not wait.
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    goOn();
    await Promise.all([first, second]);
    expect(existsSync(path!)).toBe(await pinned);
    expect(idsBelow(home)).toEqual((await pinned) ? [id] : []);
  });

  test('many processes that clean, and one that pins, agree: each capture goes once, and none that is pinned', async () => {
    const place = makePlace();
    const stored = Array.from({ length: 300 }, () => storeCapture(place.home, { ended: NOW - 48 * HOUR }));
    const pinned = stored.filter((_, index) => index % 60 === 59);
    const cleanups = Array.from({ length: 4 }, () =>
      runCli(['cleanup', '--older-than', '0', '--json'], place),
    );
    // Pinned while they are at it: when the first ones have gone.
    await vi.waitUntil(() => idsBelow(place.home).length < stored.length, { timeout: 30_000, interval: 1 });
    const pins = pinned.map(async ({ id, path }) => {
      const success = await pinCapture(place.home, id).then(
        () => true,
        () => false,
      );
      return { id, path, success };
    });
    const outcomes = await Promise.all(pins);
    const results = (await Promise.all(cleanups)).map(({ stdout, stderr, status }) => {
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      return JSON.parse(stdout) as { removed: { artifact_id: string }[] };
    });
    const removed = results.flatMap((result) => result.removed.map((one) => one.artifact_id));
    expect(new Set(removed).size).toBe(removed.length);
    for (const { id, path, success } of outcomes) {
      expect(existsSync(path!)).toBe(success);
      expect(removed.includes(id)).toBe(!success);
    }
    expect(idsBelow(place.home)).toEqual(outcomes.flatMap(({ id, success }) => (success ? [id] : [])).sort());
    place.remove();
  });
});

test(`killed in the middle, ${KILLED_CLEANUPS} times over, no cleanup leaves anything that the next does not finish`, async () => {
  const place = makePlace();
  const text = 'x'.repeat(3000);
  for (let round = 0; round < KILLED_CLEANUPS; round += 1) {
    const stored = Array.from({ length: 100 }, () =>
      storeCapture(place.home, { ended: NOW - 48 * HOUR, text }),
    );
    const folder = sessionFolder(place.home, 'default');
    const child = startCli(['cleanup', '--older-than', '0'], place);
    const ended = finished(child);
    // At another moment each time: after so many have gone.
    while (child.exitCode === null && readdirSync(folder).length > 300 - ((round + SEED) % 5) * 60) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.kill('SIGKILL');
    await ended;
    for (const id of idsBelow(place.home)) {
      const { path } = stored.find((one) => one.id === id)!;
      expect(readFileSync(path!, 'utf8')).toBe(text);
    }
    await cleanUp(place.home, SETTINGS, { older_than_hours: 0 }, NOW);
    expect(filesBelow(place.home).filter((file) => !file.endsWith('session.json'))).toEqual([]);
  }
  place.remove();
});

describe('pins', () => {
  test('are made and removed, as often as one likes', async () => {
    const { id, folder } = put();
    expect(await pinCapture(home, id)).toEqual({ artifact_id: id, pinned: true, changed: true });
    expect(await pinCapture(home, id)).toMatchObject({ pinned: true, changed: false });
    expect(existsSync(join(folder, pinFile(id)))).toBe(true);
    expect(unpinCapture(home, id)).toEqual({ artifact_id: id, pinned: false, changed: true });
    expect(unpinCapture(home, id)).toMatchObject({ pinned: false, changed: false });
    expect((await clean()).removed_count).toBe(1);
  });

  test('of what there is not, or no longer, leave nothing behind and name the nearest', async () => {
    const { id, folder } = put();
    const cut = id.slice(0, -2);
    await expect(pinCapture(home, cut)).rejects.toMatchObject({
      code: 'not_found',
      todo: `the nearest is ${id}`,
    });
    await expect(pinCapture(home, 'nothing-like-it')).rejects.toMatchObject({ todo: `the newest is ${id}` });
    rmSync(join(folder, recordFile(id)));
    renameSync(join(folder, `${id}.times`), join(folder, goneFile(id, DEAD_PID)));
    await expect(pinCapture(home, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(existsSync(join(folder, pinFile(id)))).toBe(false);
  });

  test('made while a cleanup is just removing it fail, and leave nothing, unless that gives it back', async () => {
    const { id, folder } = put();
    const [record, marker] = [join(folder, recordFile(id)), join(folder, goneFile(id, process.ppid))];
    renameSync(record, marker);
    await expect(pinCapture(home, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(existsSync(join(folder, pinFile(id)))).toBe(false);
    const pinning = pinCapture(home, id);
    await vi.waitUntil(() => existsSync(join(folder, pinFile(id))));
    renameSync(marker, record);
    expect(await pinning).toMatchObject({ pinned: true });
  });

  test('of a watched file are refused in words', async () => {
    const id = 'file-app.log-2026-01-13T10-30-00-abc123';
    await expect(pinCapture(home, id)).rejects.toMatchObject({ code: 'unsupported' });
    expect(() => unpinCapture(home, id)).toThrow(/watched/);
  });

  test.each(['../../etc/passwd', 'cmd-x\0', '', 'a'.repeat(10_000)])('of %j are no path', async (id) => {
    await expect(pinCapture(home, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
