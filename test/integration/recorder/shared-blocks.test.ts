/** Copies of other programs' files: they share blocks with the original where the file system can do that. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { UNFRAMED } from '../../../electron/agents/facts/described.ts';
import { createHost } from '../../../electron/host/create.ts';
import { copyFile, type FileCopyOptions } from '../../../electron/host/recording/file-copy.ts';
import { makeCloningDisk } from '../../fixtures/cloning-disk.ts';
import { diskHere } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { fileOf } from '../../fixtures/library/artifacts.ts';

const LINE = 'a line of thirty-two characters\n';
const TEXT = LINE.repeat(1_000_000);
/** Most bytes of disk for a copy's record and the file system's own data. */
const LITTLE_BYTES = 4 * 1024 * 1024;

const disk = makeCloningDisk();
const plain = makeFolder();
afterAll(() => {
  disk?.remove();
  removeFolder(plain);
});

const places = [
  { name: 'on a file system that can', folder: disk?.folder ?? null, shares: true },
  { name: 'on one that may not', folder: plain, shares: false },
];

describe.each(places)('a copy $name share blocks', ({ folder, shares }) => {
  const home = join(folder ?? '', 'home');
  const path = join(folder ?? '', 'out.log');

  /** Resolves with the text of the copy, its record, its mode and how many bytes of the disk it took. */
  async function copied(given: Partial<FileCopyOptions> = {}) {
    const source = await diskHere.open(path);
    rmSync(path);
    const before = free(folder!);
    try {
      const id = await copyFile({ home, file: source, artifact: fileOf(path, 'x'), ...given });
      const host = await createHost({ home, watch: false, threads: 0 });
      try {
        const { outputs } = await host.list({});
        const { streams } = outputs.find(({ artifact_id }) => artifact_id === id)!;
        const file = streams[0]!.file_path!;
        const took = before - free(folder!);
        return {
          text: readFileSync(file, 'utf8'),
          stream: streams[0]!,
          mode: statSync(file).mode & 0o777,
          took,
        };
      } finally {
        await host.close();
      }
    } finally {
      source.close();
    }
  }

  test.skipIf(folder === null)('is whole, counted, private and takes no room of its own', async () => {
    writeFileSync(path, TEXT, { mode: 0o644 });
    const { text, stream, mode, took } = await copied();
    expect(text === TEXT).toBe(true);
    expect(stream).toMatchObject({ total_bytes: TEXT.length, total_lines: 1_000_000 });
    expect(mode).toBe(0o600);
    if (shares) expect(took).toBeLessThan(LITTLE_BYTES);
  });

  test.skipIf(folder === null)('ends before the footer', async () => {
    writeFileSync(path, `${TEXT}[exited with code 4]\n`);
    const { text } = await copied({ frame: () => ({ start: 0, end: TEXT.length, facts: {} }) });
    expect(text === TEXT).toBe(true);
  });

  test.skipIf(folder === null)('begins behind the header', async () => {
    writeFileSync(path, `header\n${TEXT}`);
    const { text } = await copied({ frame: () => ({ start: 'header\n'.length, end: null, facts: {} }) });
    expect(text === TEXT).toBe(true);
  });

  test.skipIf(folder === null)('has what the file held when the copy began', async () => {
    writeFileSync(path, TEXT);
    const writer = openSync(path, 'a');
    const { text } = await copied({
      frame: () => {
        appendFileSync(writer, 'more\n');
        return UNFRAMED;
      },
    });
    closeSync(writer);
    expect(text === TEXT).toBe(true);
  });
});

function free(folder: string): number {
  execFileSync('sync', ['-f', folder]);
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
