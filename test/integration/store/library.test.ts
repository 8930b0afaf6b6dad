/** Spillway's own captures as the list and every view see them: in any process, whatever state their files are in. */
import { appendFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { pinFile, recordFile, timesFile } from '../../../electron/store/format/names.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { START, timesOf, writeCommand, writeOutput, writeRecord } from '../../fixtures/library/captures.ts';
import {
  err,
  home,
  hostOf,
  line,
  listed,
  out,
  running,
  setUpHomes,
} from '../../fixtures/set-up/captures-home.ts';
import { until } from '../../fixtures/until.ts';

setUpHomes();

describe('a capture in the list', () => {
  test('says all that its record knows', async () => {
    const { id, folder, record } = writeCommand(home, [out('one'), err('two'), out('three')], {
      session: 'a task',
    });
    const [artifact] = await listed(await hostOf());
    expect(artifact).toEqual({
      cause: null,
      agent: null,
      origin: null,
      artifact_id: id,
      kind: 'cmd',
      label: 'made',
      command: 'make',
      args: ['all'],
      cwd: '/somewhere',
      env_names: null,
      session: 'a task',
      source: 'captures',
      status: 'succeeded',
      exit_code: 0,
      signal: null,
      started_at: '2026-01-13T10:30:00.000Z',
      ended_at: '2026-01-13T10:30:00.003Z',
      duration_ms: 3,
      pinned: false,
      expires_at: '2026-01-14T10:30:00.003Z',
      warnings: [],
      streams: [
        {
          name: 'stdout',
          file_path: join(folder, record.streams[0]!.file!),
          total_lines: 2,
          total_bytes: 10,
          dropped_bytes: 0,
          content_type: 'text',
        },
        {
          name: 'stderr',
          file_path: join(folder, record.streams[1]!.file!),
          total_lines: 1,
          total_bytes: 4,
          dropped_bytes: 0,
          content_type: 'text',
        },
      ],
    });
  });

  test('has no path when it was folded, and does not expire while it is pinned or runs', async () => {
    const folded = writeCommand(home, [out('one')], { folded: [0, 1], label: 'folded' });
    const pinned = writeCommand(home, [out('one')], { label: 'pinned' });
    writeFileSync(join(pinned.folder, pinFile(pinned.id)), '');
    const going = writeCommand(home, [out('one')], { label: 'going', change: running() });
    const byId = new Map((await listed(await hostOf())).map((artifact) => [artifact.artifact_id, artifact]));
    expect(byId.get(folded.id)!.streams.map((stream) => stream.file_path)).toEqual([null, null]);
    expect(byId.get(pinned.id)).toMatchObject({ pinned: true, expires_at: null });
    expect(byId.get(going.id)).toMatchObject({
      status: 'running',
      expires_at: null,
      streams: [{ total_bytes: 4 }, {}],
    });
  });

  test('is found by session, kind and status, and agents see it', async () => {
    const one = writeCommand(home, [out('one')], { session: 'one' });
    const two = writeOutput(home, [line('two')], { session: 'two' });
    const host = await hostOf();
    const ids = async (params: object) =>
      (await host.list(params, { access: 'agent' })).outputs.map((artifact) => artifact.artifact_id);
    expect(await ids({ session: 'one' })).toEqual([one.id]);
    expect(await ids({ kind: 'capture' })).toEqual([two.id]);
    expect(await ids({ status: 'succeeded' })).toEqual([one.id]);
    const view = await host.inspect({ artifact_id: two.id }, { access: 'agent' });
    expect(view.content).toBe('two');
    const path = join(one.folder, one.record.streams[0]!.file!);
    expect((await host.inspect({ file_path: path }, { access: 'agent' })).artifact_id).toBe(one.id);
    for (const file_path of [join(one.folder, recordFile(one.id)), join(one.folder, timesFile(one.id))]) {
      await expect(host.inspect({ file_path }, { access: 'agent' })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });

  test('comes, changes and goes from one question to the next', async () => {
    const host = await hostOf();
    expect(await listed(host)).toEqual([]);
    const made = writeCommand(home, [], { change: running() });
    expect(await listed(host)).toMatchObject([{ status: 'running', streams: [{ total_bytes: 0 }, {}] }]);
    appendFileSync(join(made.folder, made.record.streams[0]!.file!), line('more'));
    expect(await listed(host)).toMatchObject([{ status: 'running', streams: [{ total_bytes: 5 }, {}] }]);
    writeRecord(made, { ...made.record, status: 'failed', exit_code: 3, recorder: null });
    expect(await listed(host)).toMatchObject([{ status: 'failed', exit_code: 3 }]);
    writeFileSync(join(made.folder, pinFile(made.id)), '');
    expect(await listed(host)).toMatchObject([{ pinned: true }]);
    rmSync(join(made.folder, recordFile(made.id)));
    expect(await listed(host)).toEqual([]);
    await expect(host.inspect({ artifact_id: made.id })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is seen though it came or changed within a tick of the file system’s clock', async () => {
    // The clock stands still, as it does for the file system for some milliseconds at a time.
    const now = new Date();
    vi.useFakeTimers({ toFake: ['Date'], now });
    try {
      const host = await hostOf();
      const one = writeCommand(home, [out('one')]);
      const path = join(one.folder, recordFile(one.id));
      utimesSync(path, now, now);
      utimesSync(one.folder, now, now);
      expect(await listed(host)).toMatchObject([{ exit_code: 0 }]);
      const two = writeCommand(home, [out('two')]);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace('"exit_code":0', '"exit_code":7'));
      utimesSync(path, now, now);
      utimesSync(one.folder, now, now);
      const found = await listed(host);
      expect(found.find((artifact) => artifact.artifact_id === one.id)?.exit_code).toBe(7);
      expect(found.some((artifact) => artifact.artifact_id === two.id)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is named as the nearest when an id is mistyped', async () => {
    const { id } = writeCommand(home, [out('one')]);
    const host = await hostOf();
    const wrong = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    await expect(host.inspect({ artifact_id: wrong })).rejects.toMatchObject({
      code: 'not_found',
      todo: `the nearest is ${id}`,
    });
  });
});

describe('where it is watched', () => {
  test('what comes, grows, ends, is pinned and goes is told', async () => {
    const host = await hostOf(true);
    const known = new Map<string, Artifact>();
    const unwatch = host.watchLibrary(({ reset, changed, removed }) => {
      if (reset) known.clear();
      for (const artifact of changed) known.set(artifact.artifact_id, artifact);
      for (const id of removed) known.delete(id);
    });
    const made = writeCommand(home, [], { change: running(), session: 'new' });
    const now = () => known.get(made.id);
    await until(() => now()?.status === 'running');
    appendFileSync(join(made.folder, made.record.streams[0]!.file!), line('more'));
    await until(() => now()?.streams[0]?.total_bytes === 5);
    writeRecord(made, { ...made.record, status: 'failed', recorder: null });
    await until(() => now()?.status === 'failed');
    writeFileSync(join(made.folder, pinFile(made.id)), '');
    await until(() => now()?.pinned === true);
    rmSync(join(made.folder, pinFile(made.id)));
    await until(() => now()?.pinned === false);
    const second = writeCommand(home, [out('second')], { session: 'new' });
    await until(() => known.has(second.id));
    rmSync(join(made.folder, recordFile(made.id)));
    await until(() => !known.has(made.id));
    rmSync(made.folder, { recursive: true });
    await until(() => !known.has(second.id));
    unwatch();
  });

  test('an open view grows with the command and is told how it ended', async () => {
    const host = await hostOf(true);
    const made = writeCommand(home, [], { change: running() });
    const files = made.record.streams.map(({ file }) => join(made.folder, file!));
    const arrived = [out('out 1'), err('err 1'), out('out 2')];
    const states: { lines: number; status: string; generation: number }[] = [];
    const unwatch = host.watchDocument(
      { artifact_id: made.id },
      (state) =>
        states.push({
          lines: state.total_lines,
          status: state.artifact.status,
          generation: state.generation,
        }),
      (error) => {
        throw error;
      },
    );
    for (const [i, { stream, bytes }] of arrived.entries()) {
      appendFileSync(files[stream]!, bytes);
      writeFileSync(join(made.folder, timesFile(made.id)), timesOf(arrived.slice(0, i + 1), START));
      await until(() => states.at(-1)?.lines === i + 1);
    }
    const { rows } = await host.rows({ document: { artifact_id: made.id }, start_line: 1, count: 10 });
    expect(rows.map((row) => row.text)).toEqual(['out 1', 'err 1', 'out 2']);
    // Do as a recorder that puts small streams into the record: write the record first, then remove the files.
    writeRecord(made, {
      ...made.record,
      status: 'failed',
      exit_code: 1,
      recorder: null,
      times: timesOf(arrived, START).toString('base64'),
      streams: made.record.streams.map((stream, i) => {
        const bytes = readFileSync(files[i]!);
        return {
          ...stream,
          file: null,
          folded: bytes.toString('base64'),
          total_bytes: bytes.length,
          total_lines: 2 - i,
        };
      }),
    });
    for (const file of [...files, join(made.folder, timesFile(made.id))]) rmSync(file);
    await until(() => states.at(-1)?.status === 'failed');
    expect(states.at(-1)).toEqual({ lines: 3, status: 'failed', generation: 1 });
    unwatch();
    expect((await host.inspect({ artifact_id: made.id })).content).toBe('out 1\nerr 1\nout 2');
  });
});
