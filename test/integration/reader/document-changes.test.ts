import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { Pool } from '../../../electron/workers/pool.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { LinesView } from '../../../shared/views.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { until } from '../../fixtures/until.ts';

let folder: string;
let path: string;
let host: Host;

beforeEach(async () => {
  folder = makeFolder();
  path = join(folder, 'file.log');
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
});
afterEach(async () => {
  await host.close();
  removeFolder(folder);
});

const all = async () => (await host.inspect({ file_path: path, lines: 2000 })) as LinesView;
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('');

describe('a view is of what the file holds now', () => {
  it('after lines were appended, a line was continued, and a character was completed', async () => {
    writeFileSync(path, 'one\ntw');
    expect((await all()).content).toBe('one\ntw');
    appendFileSync(path, Buffer.from([0x6f, 0x20, 0xe2, 0x82]));
    expect((await all()).content).toBe('one\ntwo \ufffd');
    appendFileSync(path, Buffer.from([0xac, 0x0a]));
    const view = await all();
    expect([view.content, view.total_lines, view.total_bytes]).toEqual(['one\ntwo €', 2, 12]);
  });

  it('after it was truncated, to nothing and to a part', async () => {
    writeFileSync(path, numbered(1, 100));
    expect((await all()).total_lines).toBe(100);
    truncateSync(path, 7);
    expect((await all()).content).toBe('line 1');
    truncateSync(path, 0);
    const view = await all();
    expect([view.content, view.total_lines, view.lines_shown, view.truncated]).toEqual(['', 0, 0, false]);
  });

  it('after copytruncate: the same inode, longer than before, other text', async () => {
    writeFileSync(path, numbered(1, 100));
    await all();
    copyFileSync(path, `${path}.1`);
    truncateSync(path, 0);
    appendFileSync(path, numbered(101, 400));
    const view = await all();
    expect([view.total_lines, view.content.split('\n')[0]]).toEqual([300, 'line 101']);
  });

  it('after bytes at an end were changed in place and its time was set back', async () => {
    writeFileSync(path, numbered(1, 100));
    const old = new Date(Date.now() - 60_000);
    utimesSync(path, old, old);
    await all();
    const file = openSync(path, 'r+');
    writeSync(file, 'LIN', 0);
    closeSync(file);
    utimesSync(path, old, old);
    expect((await all()).content.split('\n')[0]).toBe('LINe 1');
  });

  it('after rotation, and after it was replaced by a longer or a shorter file', async () => {
    writeFileSync(path, numbered(1, 50));
    await all();
    renameSync(path, `${path}.1`);
    writeFileSync(path, numbered(51, 150));
    expect((await all()).content.split('\n')[0]).toBe('line 51');
    writeFileSync(`${path}.new`, numbered(200, 210));
    renameSync(`${path}.new`, path);
    expect((await all()).total_lines).toBe(11);
    unlinkSync(path);
    writeFileSync(path, numbered(300, 900));
    expect((await all()).content.split('\n')[0]).toBe('line 300');
  });

  it('after it was rewritten in place to the same length', async () => {
    writeFileSync(path, 'aaa\nbbb\nccc\n');
    expect((await all()).total_lines).toBe(3);
    writeFileSync(path, 'aaaabbbbccc\n');
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    expect((await all()).content).toBe('aaaabbbbccc');
  });

  it('when a compressed file is replaced by another', async () => {
    writeFileSync(path, gzipSync(numbered(1, 5)));
    expect((await all()).total_lines).toBe(5);
    writeFileSync(`${path}.new`, gzipSync(numbered(1, 9)));
    renameSync(`${path}.new`, path);
    expect((await all()).total_lines).toBe(9);
  });

  it('and says what a damaged compressed file lacks', async () => {
    const text = numbered(1, 200_000);
    const whole = gzipSync(text);
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    const view = await all();
    expect(view.lines_shown).toBe(2000);
    expect(view.total_lines).toBeLessThan(200_000);
    expect(view.note).toMatch(/damaged or still being written/);
  });
});

describe('errors say what to do', () => {
  const rejection = async (request: Promise<unknown>) =>
    String(
      await request.then(
        () => 'no error',
        (error: Error) => error.message,
      ),
    );

  it('for a path that is not there, a folder, and a bad range', async () => {
    writeFileSync(path, numbered(1, 3));
    expect(await rejection(host.inspect({ file_path: join(folder, 'fil.log') }))).toMatch(
      /no file .*: the nearest (is|are) .*file\.log/,
    );
    expect(await rejection(host.inspect({ file_path: folder }))).toMatch(/is a directory: name a file in it/);
    expect(await rejection(host.inspect({ file_path: path, mode: 'range', start_line: 0 }))).toMatch(
      /numbered from 1 to 3/,
    );
    expect(
      await rejection(host.inspect({ file_path: path, mode: 'range', start_line: 3, end_line: 2 })),
    ).toMatch(/before it starts/);
    expect(await rejection(host.read({ file_path: path, offset: 22 }))).toMatch(/which has 21 bytes/);
    expect(await rejection(host.read({ file_path: path, offset: -1 }))).toMatch(/which has 21 bytes/);
    expect(await rejection(host.inspect({ file_path: path, encoding: 'klingon' }))).toMatch(
      /unknown encoding "klingon"/,
    );
    expect(await rejection(host.inspect({ artifact_id: 'file-x' }))).toMatch(/no artifact has the id/);
    expect(await rejection(host.inspect({}))).toMatch(/either an artifact_id or a file_path/);
  });

  it.skipIf(process.getuid?.() === 0)('for a file without permission', async () => {
    writeFileSync(path, 'x');
    chmodSync(path, 0);
    expect(await rejection(host.inspect({ file_path: path }))).toMatch(/no permission to read/);
  });
});

describe('an agent', () => {
  const refusal = async (file: string) =>
    host.inspect({ file_path: file }, { access: 'agent' }).then(
      () => 'read',
      (error: Error) => error.message,
    );

  it('reads only what lies in a readable source, links resolved, and is not told what else exists', async () => {
    const source = join(folder, 'source');
    mkdirSync(join(source, '.hidden'), { recursive: true });
    writeFileSync(join(folder, 'secret'), 'secret');
    writeFileSync(join(source, 'open.log'), 'open');
    writeFileSync(join(source, '.hidden', 'inner'), 'hidden');
    symlinkSync(join(folder, 'secret'), join(source, 'link'));
    symlinkSync(folder, join(source, 'folder'));
    await host.openPath({ path: source, agents: true });
    expect(await refusal(join(source, 'open.log'))).toBe('read');
    const missing = await refusal(join(folder, 'missing'));
    expect(missing).toMatch(/no readable output has that path/);
    for (const file of [
      join(folder, 'secret'),
      join(source, 'link'),
      join(source, 'folder', 'secret'),
      join(source, '.hidden', 'inner'),
      `${source}/../secret`,
      `${source}/open.log\0`,
      source,
      '',
    ]) {
      expect([file, await refusal(file)]).toEqual([file, missing]);
    }
  });
});

describe('a window that watches', () => {
  const states: DocumentState[] = [];
  let stop: () => void;

  async function watch(): Promise<void> {
    states.length = 0;
    const [artifact] = await host.openPath({ path });
    stop = host.watchDocument(
      { artifact_id: artifact!.artifact_id },
      (state) => states.push(state),
      () => {},
    );
  }
  const reaches = (condition: (state: DocumentState) => boolean): Promise<DocumentState> =>
    until(() => {
      const last = states.at(-1);
      return last && condition(last) ? last : null;
    });
  afterEach(() => stop?.());

  it('is told of growth, truncation, replacement and deletion, and reads on', async () => {
    writeFileSync(path, numbered(1, 10));
    await watch();
    const first = await reaches((state) => state.total_lines === 10);
    appendFileSync(path, numbered(11, 20));
    expect((await reaches((state) => state.total_lines === 20)).generation).toBe(first.generation);
    writeFileSync(path, 'short\n');
    const truncated = await reaches((state) => state.total_lines === 1);
    expect(truncated.generation).toBeGreaterThan(first.generation);
    expect(truncated.notice?.text).toMatch(/truncated/);
    unlinkSync(path);
    const vanished = await reaches((state) => state.condition === 'vanished');
    expect(vanished.problem?.todo).toMatch(/stays readable/);
    const document = { artifact_id: vanished.artifact.artifact_id };
    expect((await host.rows({ document, start_line: 1, count: 10 })).rows[0]?.text).toBe('short');
    writeFileSync(path, 'new\nfile\n');
    const back = await reaches((state) => state.condition === 'ok' && state.total_lines === 2);
    expect(back.notice?.text).toMatch(/replaced/);
    const rows = await host.rows({ document, start_line: 1, count: 10 });
    expect([rows.generation, rows.rows.map((row) => row.text)]).toEqual([back.generation, ['new', 'file']]);
  });

  it('gets the last lines before the lines are counted, numbered once they are', async () => {
    writeFileSync(path, numbered(1, 1000));
    const [artifact] = await host.openPath({ path });
    const document = { artifact_id: artifact!.artifact_id };
    const early = await host.rows({ document, start_line: 3, count: 3, from_end: true });
    expect(early.start_line).toBeNull();
    expect(early.rows.map((row) => row.text)).toEqual(['line 998', 'line 999', 'line 1000']);
    await all();
    const late = await host.rows({ document, start_line: 3, count: 3, from_end: true });
    expect([late.start_line, late.rows]).toEqual([998, early.rows]);
  });
});

describe('a thread that dies', () => {
  it('is replaced: the count goes on, the window is told, and views come', async () => {
    await host.close();
    host = await createHost({ home: join(folder, 'home'), watch: false, threads: 2 });
    const { pool } = host as unknown as { pool: Pool };
    let restarted = false;
    const run = pool.run.bind(pool);
    pool.run = (name, args, options = {}) =>
      run(name, args, {
        ...options,
        onRestart: () => {
          restarted = true;
          options.onRestart?.();
        },
      });
    // Ends the thread that gets a task of counting, until a task was lost with its thread; a task that loses two threads fails.
    const { postMessage } = Worker.prototype;
    let dying: Worker | null = null;
    const posted = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
      this: Worker,
      task,
    ) {
      postMessage.call(this, task);
      if (restarted || dying || task.name !== 'count') return;
      dying = this;
      this.once('exit', () => {
        dying = null;
      });
      void this.terminate();
    });
    onTestFinished(() => posted.mockRestore());
    // Large enough that counting takes several tasks.
    const block = Buffer.from(numbered(1, 200_000));
    for (let i = 0; i < 150; i += 1) appendFileSync(path, block);
    const [artifact] = await host.openPath({ path });
    const states: DocumentState[] = [];
    const stop = host.watchDocument(
      { artifact_id: artifact!.artifact_id },
      (state) => states.push(state),
      () => {},
    );
    await until(() => states.some((state) => state.notice));
    expect(states.find((state) => state.notice)?.notice?.text).toMatch(/background reader stopped/);
    const view = (await host.inspect({ file_path: path, mode: 'tail', lines: 1 })) as LinesView;
    expect([view.content, view.total_lines]).toEqual(['line 200000', 150 * 200_000]);
    stop();
  });
});
