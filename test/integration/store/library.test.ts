/** Spillway's own captures as the list and every view see them: in any process, whatever state their files are in. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { tailSegmentName } from '../../../electron/store/contents/tail-segments.ts';
import { capturesFolder, pinFile, recordFile, timesFile } from '../../../electron/store/format/names.ts';
import { type Owner, thisProcess } from '../../../electron/store/format/owner.ts';
import { type CaptureRecord, parseRecord } from '../../../electron/store/format/record.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import {
  type MadeCapture,
  START,
  timesOf,
  writeCommand,
  writeOutput,
  writeRecord,
} from '../../fixtures/captures.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { until } from '../../fixtures/until.ts';

let root: string;
let home: string;
let homes = 0;
const hosts: Host[] = [];

beforeAll(() => {
  root = makeFolder();
});
afterAll(() => removeFolder(root));
beforeEach(() => {
  homes += 1;
  home = join(root, `home${homes}`);
  mkdirSync(home, { mode: 0o700 });
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function hostOf(watch = false): Promise<Host> {
  const host = await createHost({ home, watch, threads: 0 });
  hosts.push(host);
  return host;
}

async function listed(host: Host): Promise<Artifact[]> {
  return (await host.list({ limit: 1000 })).outputs;
}

const line = (text: string) => Buffer.from(`${text}\n`);
const out = (text: string) => ({ stream: 0, bytes: line(text) });
const err = (text: string) => ({ stream: 1, bytes: line(text) });

function running(owner: Owner | null = thisProcess()) {
  return (record: CaptureRecord): CaptureRecord => ({
    ...record,
    status: 'running',
    exit_code: null,
    ended_at: null,
    duration_ms: null,
    recorder: owner,
    streams: record.streams.map((stream) => ({ ...stream, total_bytes: 0, total_lines: null })),
  });
}

/** A process that has ended. */
function deadOwner(): Owner {
  dead ??= spawnSync('true').pid ?? null;
  return { pid: dead!, started: 'of an earlier boot' };
}
let dead: number | null = null;

function recordOf({ folder, id }: MadeCapture): CaptureRecord {
  const parsed = parseRecord(readFileSync(join(folder, recordFile(id)), 'utf8'));
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.record;
}

describe('a capture in the list', () => {
  test('says all that its record knows', async () => {
    const { id, folder, record } = writeCommand(home, [out('one'), err('two'), out('three')], {
      session: 'a task',
    });
    const [artifact] = await listed(await hostOf());
    expect(artifact).toEqual({
      cause: null,
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
      todo: `the nearest: ${id}`,
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
    // As a recorder does that folds what is small: the record first, then the files go.
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

describe('a record whose recorder died', () => {
  test('is interrupted at the next look, with what its files hold', async () => {
    const arrived = [out('one'), err('two'), { stream: 0, bytes: Buffer.from('thr') }];
    const made = writeCommand(home, arrived, { change: running(deadOwner()) });
    const [artifact] = await listed(await hostOf());
    expect(artifact).toMatchObject({
      status: 'interrupted',
      exit_code: null,
      ended_at: new Date(START + 2).toISOString(),
      duration_ms: 2,
      streams: [
        { total_bytes: 7, total_lines: 2 },
        { total_bytes: 4, total_lines: 1 },
      ],
    });
    expect(recordOf(made)).toMatchObject({
      status: 'interrupted',
      recorder: null,
      streams: [{ total_bytes: 7 }, {}],
    });
    expect((await (await hostOf()).inspect({ artifact_id: made.id })).content).toBe('one\ntwo\nthr');
  });

  test.each(['inspect', 'read', 'watch'])('is found by %s as well', async (how) => {
    const made = writeCommand(home, [out('one')], { change: running(deadOwner()) });
    const host = await hostOf();
    if (how === 'inspect') await host.inspect({ artifact_id: made.id });
    else if (how === 'read') await host.read({ artifact_id: made.id });
    else await hostOf(true);
    await until(() => recordOf(made).status === 'interrupted');
  });

  test('keeps how the command ended when only its background processes were recorded still', async () => {
    const made = writeCommand(home, [out('one')], {
      change: (record) => ({ ...record, recorder: deadOwner() }),
    });
    appendFileSync(join(made.folder, made.record.streams[0]!.file!), line('from behind'));
    const [artifact] = await listed(await hostOf());
    expect(artifact).toMatchObject({ status: 'succeeded', exit_code: 0, streams: [{ total_bytes: 16 }, {}] });
    expect(artifact!.warnings.join()).toContain('recorder died');
  });

  test('gets the end of a stream that outgrew its cap, behind a gap', async () => {
    const made = writeCommand(home, [out('head 1'), out('head 2')], { change: running(deadOwner()) });
    const file = made.record.streams[0]!.file!;
    appendFileSync(join(made.folder, file), 'hea');
    // 17 bytes are in the file; lines 3 to 9 of 60 bytes came, and the last segments begin inside line 10.
    writeFileSync(join(made.folder, tailSegmentName(file, 77, 9)), 'art of a line\ntail 1\n');
    writeFileSync(join(made.folder, tailSegmentName(file, 98, 11)), 'tail 2\n');
    const host = await hostOf();
    const view = await host.inspect({ artifact_id: made.id, stream: 'stdout' });
    expect(view).toMatchObject({ content: 'head 1\nhead 2\ntail 1\ntail 2', end_line: 12, total_lines: 12 });
    expect(view.note).toContain('lines 3 to 10 are missing');
    expect(readdirSync(made.folder).filter((name) => name.includes('.tail.'))).toEqual([]);
  });

  test('is not harmed by what an earlier mending had done when it was broken off', async () => {
    const gap = { offset: 7, line: 1, bytes: 20, lines: 3 };
    const made = writeCommand(home, [], {
      change: (record) => {
        const dead = running(deadOwner())(record);
        return { ...dead, streams: dead.streams.with(0, { ...dead.streams[0]!, gap }) };
      },
    });
    const file = made.record.streams[0]!.file!;
    const whole = 'head 1\ntail 1\ntail 2\n';
    // It was joined, and of two segments the first was gone already.
    writeFileSync(join(made.folder, file), whole);
    writeFileSync(join(made.folder, tailSegmentName(file, 34, 5)), 'tail 2\n');
    await listed(await hostOf());
    expect(readFileSync(join(made.folder, file), 'utf8')).toBe(whole);
    expect(recordOf(made).streams[0]).toMatchObject({ gap, total_bytes: 21, total_lines: 6 });
  });

  test('is mended alike by two processes at once', async () => {
    const owner = deadOwner();
    for (let round = 0; round < 10; round += 1) {
      const made = writeCommand(home, [out('head')], { change: running(owner), label: `round${round}` });
      const file = made.record.streams[0]!.file!;
      writeFileSync(join(made.folder, tailSegmentName(file, 50, 5)), 'x\ntail\n'.padStart(20_000, 'y'));
      await Promise.all([hostOf(), hostOf()].map(async (host) => listed(await host)));
      expect(recordOf(made)).toMatchObject({
        status: 'interrupted',
        streams: [{ total_bytes: 10, total_lines: 7 }, {}],
      });
      expect(readFileSync(join(made.folder, file), 'utf8')).toBe('head\ntail\n');
    }
  });

  test('says while it runs that its end is kept apart, where that is so', async () => {
    const made = writeCommand(home, [out('head 1'), out('head 2')], { change: running() });
    const host = await hostOf();
    expect((await host.inspect({ artifact_id: made.id, mode: 'tail' })).note).toBeUndefined();
    const times = timesOf([out('head 1'), out('head 2'), out('dropped')], START);
    writeFileSync(join(made.folder, timesFile(made.id)), times);
    for (const stream of ['stdout', 'combined'] as const) {
      const view = await host.inspect({ artifact_id: made.id, mode: 'tail', stream });
      expect(view).toMatchObject({ content: 'head 1\nhead 2', running: true });
      expect(view.note).toContain('more came than is stored here so far');
    }
  });

  test('is left alone while another recorder goes on', async () => {
    const made = writeCommand(home, [out('one')], { change: running(thisProcess()) });
    expect(await listed(await hostOf())).toMatchObject([{ status: 'running' }]);
    expect(recordOf(made).status).toBe('running');
  });

  // Root may write anywhere.
  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'is shown as interrupted where nothing can be written',
    async () => {
      const made = writeCommand(home, [out('one')], { change: running(deadOwner()) });
      chmodSync(made.folder, 0o500);
      const [artifact] = await listed(await hostOf());
      chmodSync(made.folder, 0o700);
      expect(artifact).toMatchObject({ status: 'interrupted', streams: [{ total_bytes: 4 }, {}] });
      expect(artifact!.warnings.join()).toContain('the record could not be updated');
      expect(recordOf(made).status).toBe('running');
    },
  );
});

describe('a record that cannot be read', () => {
  test.each([
    ['cut short', (text: string) => text.slice(0, 100), 'interrupted', 'cut short or damaged'],
    [
      'of a newer version',
      (text: string) => text.replace('"version":1', '"version":2'),
      'finished',
      'newer version',
    ],
    [
      'not valid',
      (text: string) => text.replace('"streams":[', '"streams":7,"was":['),
      'interrupted',
      'not valid',
    ],
    [
      'of another artifact',
      (text: string) => text.replace('cmd-made-', 'cmd-other-'),
      'interrupted',
      'another artifact',
    ],
    ['empty', () => '', 'interrupted', 'cut short or damaged'],
  ])(
    'for it is %s is shown with what its files hold, and left as it is',
    async (_, change, status, warning) => {
      const made = writeCommand(home, [out('one'), err('two')]);
      const path = join(made.folder, recordFile(made.id));
      const text = change(readFileSync(path, 'utf8'));
      writeFileSync(path, text);
      const host = await hostOf();
      const [artifact] = await listed(host);
      expect(artifact).toMatchObject({
        artifact_id: made.id,
        kind: 'cmd',
        label: 'made',
        session: 'default',
        started_at: '2026-01-13T10:30:00.000Z',
        status,
        streams: [{ name: 'stdout', total_bytes: 4 }, { name: 'stderr' }],
      });
      expect(artifact!.warnings.join()).toContain(warning);
      expect((await host.inspect({ artifact_id: made.id, stream: 'stderr' })).content).toBe('two');
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  test('is shown from packed files as well', async () => {
    const made = writeCommand(home, [out('one'), err('two')], { packed: { streams: [0, 1], member: 4 } });
    writeFileSync(join(made.folder, recordFile(made.id)), '{');
    const host = await hostOf();
    for (const _ of [1, 2]) expect((await host.inspect({ artifact_id: made.id })).content).toBe('one\ntwo');
  });

  test('names of files that are no artifact are passed over', async () => {
    const { folder } = writeCommand(home, [out('one')]);
    for (const name of ['.meta.json', 'x.meta.json', 'cmd-..-2026.meta.json', 'session.json', '…']) {
      writeFileSync(join(folder, name), '{}');
    }
    mkdirSync(join(folder, 'cmd-folder-2026-01-13T10-30-00-abc123.meta.json'));
    const artifacts = await listed(await hostOf());
    expect(artifacts.map(({ label }) => label).toSorted()).toEqual(['folder', 'made']);
  });
});

describe('a record that means harm', () => {
  const secret = 'not for you';
  const evil = (name: string): [MadeCapture, string] => {
    const made = writeCommand(home, [out('one'), err('two')]);
    const target = join(root, `secret-${name}`);
    writeFileSync(target, secret);
    return [made, target];
  };

  test.each([
    '../../secret',
    '..',
    '.',
    'session.json',
    '/etc/passwd',
    'cmd-other-2026-01-13T10-30-00-abc123.stdout.log',
  ])('cannot name %s as its stream', async (file) => {
    const [made] = evil('named');
    writeFileSync(join(made.folder, 'session.json'), secret);
    writeFileSync(join(made.folder, 'cmd-other-2026-01-13T10-30-00-abc123.stdout.log'), secret);
    writeRecord(made, {
      ...made.record,
      streams: made.record.streams.with(0, { ...made.record.streams[0]!, file }),
    });
    const host = await hostOf();
    const [artifact] = await listed(host);
    expect(artifact!.warnings.length).toBe(1);
    for (const stream of ['stdout', 'combined'] as const) {
      expect((await host.inspect({ artifact_id: made.id, stream })).content).not.toContain(secret);
    }
  });

  test('cannot have a link as its stream, its record, its times or its folder', async () => {
    const [made, target] = evil('linked');
    const path = join(made.folder, made.record.streams[0]!.file!);
    rmSync(path);
    symlinkSync(target, path);
    const host = await hostOf();
    await expect(host.inspect({ artifact_id: made.id, stream: 'stdout' })).rejects.toThrow();
    await expect(host.inspect({ file_path: path }, { access: 'agent' })).rejects.toThrow();
    rmSync(path);
    writeFileSync(path, line('one'));
    const record = join(made.folder, recordFile(made.id));
    const kept = readFileSync(record, 'utf8');
    writeFileSync(target, kept.replace('"command":"make"', '"command":"stolen"'));
    rmSync(record);
    symlinkSync(target, record);
    expect((await listed(await hostOf()))[0]!.command).toBeNull();
    rmSync(record);
    const elsewhere = join(root, `elsewhere${homes}`);
    mkdirSync(elsewhere, { mode: 0o700 });
    const other = writeCommand(elsewhere, [out('elsewhere')]);
    symlinkSync(other.folder, join(capturesFolder(home), 'linked-00000000'));
    expect(await listed(await hostOf())).toEqual([]);
  });

  test('is not written through a link when it is mended', async () => {
    const [made, target] = evil('mended');
    const file = made.record.streams[0]!.file!;
    writeRecord(made, running(deadOwner())(made.record));
    rmSync(join(made.folder, file));
    symlinkSync(target, join(made.folder, file));
    writeFileSync(join(made.folder, tailSegmentName(file, 100, 5)), 'tail\n');
    await listed(await hostOf());
    expect(readFileSync(target, 'utf8')).toBe(secret);
    expect(recordOf(made).status).toBe('interrupted');
  });

  test.runIf(process.platform !== 'win32')('cannot hang a reader with a pipe', async () => {
    const [made] = evil('pipe');
    const path = join(made.folder, made.record.streams[0]!.file!);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    const host = await hostOf();
    await expect(host.inspect({ artifact_id: made.id, stream: 'stdout' })).rejects.toThrow();
    rmSync(join(made.folder, recordFile(made.id)));
    execFileSync('mkfifo', [join(made.folder, recordFile(made.id))]);
    expect(await listed(await hostOf())).toMatchObject([{ status: 'interrupted' }]);
    expect(existsSync(path)).toBe(true);
  });
});
