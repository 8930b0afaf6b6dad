/** Warnings about watched files that grow abnormally. */
import { beforeEach, describe, expect, it } from 'vitest';
import { aboutFile, GrowthGuard } from '../../../../electron/host/guard.ts';
import { listed } from '../../../../electron/library/files/known-file.ts';
import { loopIn, type Opener } from '../../../../electron/store/openers.ts';
import type { Artifact } from '../../../../shared/artifact.ts';
import { fileOf, streamOf } from '../../../fixtures/library/artifacts.ts';
import { untilPasses } from '../../../fixtures/until.ts';

const MIB = 1024 * 1024;
const FILE = '/nowhere/b1.output';
const agent = { name: 'claude-code', session: 's', project: null, pid: 77, truncated: null };
const opener = (pid: number, change: Partial<Opener>): Opener => ({
  ...{ pid, name: 'tail', group: pid, reads: false, writes: false, printsInto: false, ancestors: [] },
  ...change,
});

let said: string[];
let stopped: string[];
let openers: Opener[];
let now: number;
let guard: GrowthGuard;
beforeEach(() => {
  [said, stopped, openers] = [[], [], []];
  now = 1_000_000;
  guard = new GrowthGuard({
    limits: () => ({ growthWarnBytes: 600 * MIB, sizeWarnBytes: 1000 * MIB }),
    warn: (about, artifact, what) => said.push(`${artifact ? aboutFile(artifact, true) : about} ${what}`),
    openers: async () => openers,
    stop: (path) => stopped.push(path),
    now: () => now,
  });
});

/** Grows a file to a size, `seconds` after it was last seen. */
async function grow(
  mib: number,
  seconds: number,
  change: Partial<Artifact> = {},
  path = FILE,
): Promise<void> {
  now += seconds * 1000;
  const streams = [streamOf('output', mib * MIB, path)];
  guard.take([listed(fileOf(path, 'claude-code', { streams, agent, ...change }))], []);
  // Meanwhile the guard looks up which processes have the file open.
  await new Promise((resolve) => setImmediate(resolve));
}

describe('a file', () => {
  it('that grows by more than the limit in a minute is warned of, with its agent, its growth and its writer', async () => {
    await grow(1, 0);
    await grow(501, 5);
    expect(said).toEqual([]);
    await grow(701, 50);
    expect(said).toEqual([`${FILE} of Claude Code grew by 700 MiB in 55 s, written by process 77`]);
  });

  it('that grows fast for a moment, or by less in each minute, is not', async () => {
    await grow(1, 0);
    await grow(400, 1);
    for (let mib = 430; mib < 900; mib += 30) await grow(mib, 10);
    expect(said).toEqual([]);
  });

  it('has as its writer the process that it is the output of, where the system tells', async () => {
    openers = [opener(5, { writes: true }), opener(6, { name: 'yes', writes: true, printsInto: true })];
    await grow(1, 0);
    await grow(701, 5);
    expect(said[0]).toMatch(/, written by process 6 \(yes\)$/);
  });

  it('is warned of once, until it has rested for a minute, and its size again when it has doubled', async () => {
    await grow(1, 0);
    for (let mib = 100; mib < 1000; mib += 100) await grow(mib, 5);
    expect(said).toHaveLength(1);
    for (let mib = 1000; mib < 2000; mib += 100) await grow(mib, 5);
    expect(said).toHaveLength(2);
    expect(said[1]).toMatch(/has 1000 MiB and grows/);
    await grow(1950, 61);
    await grow(1951, 1);
    expect(said).toHaveLength(2);
    for (let mib = 1952; mib < 2800; mib += 100) await grow(mib, 5);
    expect(said.slice(2)).toEqual([expect.stringMatching(/has 2 GiB and grows/)]);
  });

  it('that grows slowly is not warned of until it is large', async () => {
    await grow(1, 0);
    for (let mib = 2; mib < 1000; mib += 100) await grow(mib, 60);
    expect(said).toEqual([]);
    await grow(1001, 60);
    expect(said).toEqual([`${FILE} of Claude Code has 1001 MiB and grows, written by process 77`]);
  });

  it('that grows after its command ended is warned of', async () => {
    await grow(1, 0, { status: 'failed' });
    await grow(18, 30, { status: 'failed' });
    expect(said[0]).toMatch(/grew by 17 MiB after its command ended/);
  });

  it('that is only discovered, or shrinks, causes no warning', async () => {
    await grow(5000, 0);
    await grow(10, 1);
    expect(said).toEqual([]);
  });

  it('that its reader writes into is no longer followed, long before it is large', async () => {
    openers = [opener(6, { reads: true, printsInto: true, writes: true })];
    await grow(1, 0);
    await grow(10, 30);
    await untilPasses(() => expect(stopped).toEqual([FILE]));
    expect(said[0]).toMatch(/reads itself: process 6 \(tail\) prints into it what it reads from it/);
  });
});

describe('the files of a source', () => {
  const ofSource = () => said.filter((text) => text.startsWith('claude-code '));

  it('that together grow faster than the limit are warned of once', async () => {
    for (let i = 0; i < 10; i += 1) await grow(1, 0, {}, `/nowhere/${i}`);
    for (let i = 0; i < 10; i += 1) await grow(50, 2, {}, `/nowhere/${i}`);
    expect(ofSource()).toEqual([]);
    for (let i = 0; i < 10; i += 1) await grow(100, 1, {}, `/nowhere/${i}`);
    expect(said).toEqual([
      expect.stringMatching(/^claude-code grew by 6\d\d MiB in 2\d s, all files together$/),
    ]);
  });

  it('are not warned of because of one that was', async () => {
    for (let i = 0; i < 3; i += 1) await grow(1, 0, {}, `/nowhere/${i}`);
    await grow(700, 5, {}, '/nowhere/0');
    await grow(750, 5, {}, '/nowhere/0');
    await grow(300, 5, {}, '/nowhere/1');
    expect(said).toEqual([expect.stringMatching(/^\/nowhere\/0 of Claude Code grew by 699 MiB in 5 s/)]);
  });
});

it('names a file to agents that may not read it by the name that its agent gave it, not by its path', () => {
  expect(aboutFile(fileOf(FILE, 'claude-code', { agent }), false)).toBe(
    'A capture of Claude Code (b1.output)',
  );
});

describe('a file that is fed back into itself', () => {
  it.each<[string, Opener[], number | null]>([
    ['one process', [opener(6, { reads: true, printsInto: true })], 6],
    ['a pipe', [opener(6, { reads: true, group: 5 }), opener(7, { printsInto: true, group: 5 })], 6],
    ['no reader', [opener(6, { printsInto: true, writes: true })], null],
    ['a reader elsewhere', [opener(6, { reads: true }), opener(7, { printsInto: true })], null],
    [
      'an agent that reads what its command prints',
      [
        opener(6, { reads: true, writes: true, group: 5 }),
        opener(7, { printsInto: true, group: 5, ancestors: [6] }),
      ],
      null,
    ],
  ])('is found in %s', (_, all, pid) => {
    expect(loopIn(all)?.pid ?? null).toBe(pid);
  });
});
