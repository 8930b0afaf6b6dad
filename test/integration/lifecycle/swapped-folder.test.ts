/** A session's folder that is swapped for a link while it is cleaned up: nothing outside is removed, changed or made. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  mkdirSync,
  open,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addExplained } from '../../../electron/store/contents/explained.ts';
import { HeldFolder, readFolders, type SessionFolder } from '../../../electron/store/format/folder.ts';
import { pinFile, recordFile, sessionFolder } from '../../../electron/store/format/names.ts';
import { unpinCapture } from '../../../electron/store/format/pins.ts';
import { cleanUp } from '../../../electron/store/retention/cleanup.ts';
import { compressStreams } from '../../../electron/store/retention/compress.ts';
import { removeCapture, removeIfSpent, sweepStaleFiles } from '../../../electron/store/retention/removal.ts';
import { markEnded, useSession } from '../../../electron/store/retention/sessions.ts';
import { DEAD, HOUR, makeHome, storeCapture } from '../../fixtures/library/stored-captures.ts';

let home: string;
let remove: () => void;
const NOW = Date.now();
const SETTINGS = { retentionHours: 24, maxTotalBytes: 2 ** 40 };

beforeEach(() => {
  ({ home, remove } = makeHome());
});
afterEach(() => remove());

const folder = () => sessionFolder(home, 'build');
const outside = () => join(home, 'outside');
const put = (text = 'x'.repeat(1_000_000)) =>
  storeCapture(home, { session: 'build', ended: NOW - 48 * HOUR, text });

/** Puts a link in the folder's place, to a folder with files of the same names. */
function swap(): void {
  cpSync(folder(), outside(), { recursive: true });
  renameSync(folder(), join(home, 'aside'));
  symlinkSync(outside(), folder());
}

const contentOf = (path: string) =>
  Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'latin1')]));

async function listed(): Promise<SessionFolder> {
  for await (const found of readFolders(home, 'build')) return found;
  throw new Error('there is no session');
}

/** Occupies the threads on which the system's slow calls run, until the function it gives is called. */
function holdThreads(): () => void {
  const gate = join(home, 'gate');
  execFileSync('mkfifo', [gate]);
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  const opened = Array.from({ length: threads }, () => promisify(open)(gate, 'r'));
  return () => {
    const writer = openSync(gate, 'r+');
    void Promise.all(opened).then((files) => {
      for (const file of [writer, ...files]) closeSync(file);
    });
  };
}

function isOpenHere(path: string): boolean {
  const numbers = readdirSync('/proc/self/fd');
  return numbers.some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  });
}

describe('once it was listed', () => {
  test.each([
    ['a capture', async ({ captures: [capture] }: SessionFolder) => removeCapture(capture!)],
    ['what is left over', async (one: SessionFolder) => sweepStaleFiles([one], NOW)],
    ['the empty session', async (one: SessionFolder) => removeIfSpent({ ...one, captures: [] }, HOUR, NOW)],
  ])('%s is not removed elsewhere', async (_, removal) => {
    const { id } = put();
    const temporary = join(folder(), `${recordFile(id)}.0123abcd.tmp`);
    writeFileSync(temporary, '');
    utimesSync(temporary, new Date(0), new Date(0));
    const one = await listed();
    swap();
    const before = contentOf(outside());
    await removal(one);
    expect(contentOf(outside())).toEqual(before);
    expect(contentOf(join(home, 'aside'))).toEqual(before);
  });

  test('another folder in its place keeps its files, too', async () => {
    put();
    const one = await listed();
    swap();
    execFileSync('rm', [folder()]);
    renameSync(outside(), folder());
    const before = contentOf(folder());
    expect(await removeCapture(one.captures[0]!)).toBe('went');
    expect(contentOf(folder())).toEqual(before);
  });
});

describe.skipIf(process.platform !== 'linux')('while it is at it', () => {
  test('a removal goes on in the folder that it began in', async () => {
    const { id } = put();
    const goOn = holdThreads();
    const cleaned = cleanUp(home, SETTINGS, {}, NOW);
    await vi.waitUntil(() => readdirSync(folder()).some((name) => name.endsWith('.gone')), { interval: 1 });
    swap();
    const before = contentOf(outside());
    goOn();
    expect((await cleaned).removed.map(({ artifact_id }) => artifact_id)).toEqual([id]);
    expect(contentOf(outside())).toEqual(before);
    expect(readdirSync(join(home, 'aside')).filter((name) => name.startsWith(id))).toEqual([]);
  });

  test('compression replaces no file elsewhere', async () => {
    const { path } = put();
    markEnded(home, 'build', new Date(NOW));
    const goOn = holdThreads();
    const compressed = compressStreams(home, { above: 1024, minFreeBytes: 0, rest: 0, now: NOW });
    await vi.waitUntil(() => isOpenHere(path!), { interval: 1 });
    swap();
    const before = contentOf(outside());
    goOn();
    await compressed;
    expect(contentOf(outside())).toEqual(before);
    expect(readdirSync(join(home, 'aside')).filter((name) => name.endsWith('.gz'))).toHaveLength(1);
  });

  test('a held folder names its own files', () => {
    put();
    const held = HeldFolder.open(folder());
    swap();
    writeFileSync(held.at('new'), '');
    expect(readdirSync(outside())).not.toContain('new');
    expect(readdirSync(join(home, 'aside'))).toContain('new');
    held.close();
  });
});

test('where descriptors have no names, a path is given out only while the folder is the same', async () => {
  put();
  const { platform } = process;
  vi.resetModules();
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  try {
    const { HeldFolder: Held } = await import('../../../electron/store/format/folder.ts');
    const held = Held.open(folder());
    expect(held.at('name')).toBe(join(folder(), 'name'));
    swap();
    expect(() => held.at('name')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    held.close();
  } finally {
    Object.defineProperty(process, 'platform', { value: platform });
    vi.resetModules();
  }
});

describe('a link in its place from the start', () => {
  test('is not written through', () => {
    const { id } = put();
    writeFileSync(join(folder(), pinFile(id)), '');
    const session = useSession(home, { session: 'build' }, DEAD);
    swap();
    const before = contentOf(outside());
    const none = new Set<number>();
    const explanation = {
      cause: null,
      ranked: [],
      blank: none,
      totalLines: 1,
      essential: none,
      tellsOfFailure: false,
      isPlain: false,
    };
    addExplained(folder(), id, { name: 'stdout', bytes: 1, explanation });
    expect(() => markEnded(home, session.name, new Date(NOW))).toThrow();
    expect(() => useSession(home, { session: 'build', env: { A: 'b' } }, DEAD)).toThrow();
    expect(() => unpinCapture(home, id)).toThrow();
    expect(contentOf(outside())).toEqual(before);
    expect(() => HeldFolder.open(folder())).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    mkdirSync(join(home, 'real'));
    expect(HeldFolder.open(join(home, 'real')).close()).toBeUndefined();
  });
});
