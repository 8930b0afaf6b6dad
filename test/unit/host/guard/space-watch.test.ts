/** Warnings about disks that fill up, and captures in memory. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SpaceWatch } from '../../../../electron/host/guard.ts';
import type { Space } from '../../../../electron/workers/disk.ts';

const GIB = 1024 ** 3;
const disk: Space = { freeBytes: 100 * GIB, totalBytes: 200 * GIB, inMemory: false };

let said: string[];
let saidToAgents: string[];
let spaces: Record<string, Space | null>;
let bytes: number;
let watch: SpaceWatch;
beforeEach(() => {
  [said, saidToAgents, bytes] = [[], [], 0];
  spaces = { '/home': disk, '/tmp': disk };
  watch = new SpaceWatch({
    folders: () => [
      { path: '/home', bytes: 0, title: 'Spillway', isReadable: true },
      { path: '/tmp', bytes, title: 'pi', isReadable: false },
    ],
    minFreeBytes: () => null,
    warn: (_, text, textForAgents) => {
      said.push(text);
      saidToAgents.push(textForAgents);
    },
    space: async (path) => spaces[path] ?? null,
  });
});
afterEach(() => watch.close());

it('warns once of a disk with little space, and again only after it had space', async () => {
  await watch.check();
  expect(said).toEqual([]);
  const low = { ...disk, freeBytes: 1.5 * GIB };
  spaces = { '/home': low, '/tmp': low };
  await watch.check();
  await watch.check();
  expect(said).toEqual([expect.stringMatching(/^Only 1.5 GiB are free on the disk of \/home: below 1 GiB/)]);
  spaces = { '/home': disk, '/tmp': disk };
  await watch.check();
  spaces = { '/home': low, '/tmp': low };
  await watch.check();
  expect(said).toHaveLength(2);
});

it('warns of captures that fill a file system in memory, and again when they have doubled', async () => {
  spaces = { '/home': disk, '/tmp': { freeBytes: 50 * GIB, totalBytes: 60 * GIB, inMemory: true } };
  for (const mib of [1, 255, 256, 300, 511]) {
    bytes = mib * 1024 ** 2;
    await watch.check();
  }
  expect(said).toEqual(['Captures of pi take 256 MiB of memory: /tmp is on a file system in memory']);
  bytes = GIB;
  await watch.check();
  expect(said).toHaveLength(2);
});

it('skips a folder that the system has no figures for', async () => {
  spaces = { '/home': null, '/tmp': { ...disk, freeBytes: GIB } };
  await watch.check();
  expect(said).toHaveLength(1);
});

it('tells agents no path of a folder that they may not read', async () => {
  const full = { freeBytes: GIB, totalBytes: 60 * GIB, inMemory: true };
  spaces = { '/home': { ...full, totalBytes: 50 * GIB }, '/tmp': full };
  bytes = GIB;
  await watch.check();
  expect(said.filter((text) => text.includes('/tmp'))).toHaveLength(2);
  expect(saidToAgents).toEqual([
    expect.stringMatching(/^Only 1 GiB are free on the disk of \/home: /),
    expect.stringMatching(/^Only 1 GiB are free on the disk of the captures of pi: /),
    'Captures of pi take 1 GiB of memory: they are on a file system in memory',
  ]);
});
