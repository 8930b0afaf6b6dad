/** Whatever lies in the folder that a sandbox may write to: none of it is believed beyond captures of that agent. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import { joinTail, tailSegmentName } from '../../../electron/store/contents/join-tail.ts';
import {
  artifactId,
  commandStreamFile,
  pinFile,
  recordFile,
  SESSION_RECORD,
  sessionFolderName,
} from '../../../electron/store/format/names.ts';
import { ownerOf, thisProcess } from '../../../electron/store/format/owner.ts';
import { sandboxFolder } from '../../../electron/store/format/places.ts';
import type { CaptureRecord } from '../../../electron/store/format/record.ts';
import { newSession } from '../../../electron/store/format/session.ts';
import { cleanUp } from '../../../electron/store/retention/cleanup.ts';
import { readSession } from '../../../electron/store/retention/sessions.ts';
import { DEAD, HOUR, idsBelow, makeHome, storeCapture } from '../../fixtures/library/stored-captures.ts';

const NOW = Date.now();
const SESSION = 'codex shop 123';
const SETTINGS = { retentionHours: 24, maxTotalBytes: 2 ** 40 };

let home: string;
let remove: () => void;
let host: LocalHost | null = null;
let child: ChildProcess | null = null;
beforeEach(() => {
  ({ home, remove } = makeHome());
});
afterEach(async () => {
  vi.useRealTimers();
  child?.kill('SIGKILL');
  await host?.close();
  [host, child] = [null, null];
  remove();
});

const open = async () => {
  host = await createHost({ home, watch: false, publish: false, threads: 0 });
  return host;
};
const folder = () => join(sandboxFolder(home, 'codex'), sessionFolderName(SESSION));
const ID = artifactId('cmd', 'make all', new Date(NOW - 1000), '0a0b0c');
const stream = (id = ID) => join(folder(), commandStreamFile(id, 'stdout'));

/** Puts a capture there as the recorder would, but for `changes`. */
function plant(changes: Partial<CaptureRecord> = {}, { id = ID, text = 'one\ntwo\n' as string | null } = {}) {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const file = commandStreamFile(id, 'stdout');
  const record: CaptureRecord = {
    ...{ version: 1, artifact_id: id, kind: 'cmd', label: 'make all', command: 'make all', args: [] },
    ...{ cwd: '/tmp', env_names: null, session: SESSION, agent: { name: 'codex', session: '123' } },
    ...{ origin: null, status: 'succeeded', exit_code: 0, signal: null, cause: null, duration_ms: 1000 },
    ...{ started_at: new Date(NOW - 1000).toISOString(), ended_at: new Date(NOW).toISOString() },
    ...{ warnings: [], recorder: null, stop: null, times: null, terminal: null },
    streams: [
      {
        ...{ name: 'stdout', file, folded: null, total_bytes: text?.length ?? 8, total_lines: 2 },
        ...{ gap: null, content_type: 'text' },
      },
      {
        ...{ name: 'stderr', file: null, folded: '', total_bytes: 0, total_lines: 0 },
        ...{ gap: null, content_type: 'unknown' },
      },
    ],
    ...changes,
  };
  if (text !== null) writeFileSync(join(folder(), file), text);
  writeFileSync(join(folder(), recordFile(id)), JSON.stringify(record));
}

const there = () => readdirSync(folder()).filter((name) => name.startsWith(ID));
const clean = (settings = SETTINGS, now = NOW) => cleanUp(home, settings, {}, now);

describe('a capture from a sandbox', () => {
  test('is listed and read, by its id and by its path, for people and agents', async () => {
    plant();
    const one = await open();
    expect((await one.list({})).outputs).toMatchObject([
      { artifact_id: ID, session: SESSION, agent: { name: 'codex' }, warnings: [] },
    ]);
    for (const target of [{ artifact_id: ID, stream: 'stdout' as const }, { file_path: stream() }])
      for (const access of ['person', 'agent'] as const)
        expect((await one.inspect({ ...target, mode: 'head' }, { access })).content).toBe('one\ntwo');
    expect((await one.stats({})).sessions).toMatchObject([{ session: SESSION, file_count: 1 }]);
  });

  test('goes by its age, by its session, and when it is asked for', async () => {
    plant();
    expect((await clean()).removed).toEqual([]);
    expect((await clean(SETTINGS, NOW + 25 * HOUR)).removed).toMatchObject([
      { artifact_id: ID, reason: 'age' },
    ]);
    expect(existsSync(folder())).toBe(false);
    plant();
    await cleanUp(home, SETTINGS, { session: SESSION, older_than_hours: 0 }, NOW);
    plant();
    expect((await cleanUp(home, SETTINGS, { artifact_ids: [ID] }, NOW)).removed_count).toBe(1);
  });

  test('is pinned where the sandbox lets nobody write', async () => {
    plant();
    const one = await open();
    expect(await one.pin({ artifact_id: ID })).toMatchObject({ changed: true });
    expect(there()).not.toContain(pinFile(ID));
    expect((await one.list({})).outputs).toMatchObject([{ pinned: true, expires_at: null }]);
    expect((await clean(SETTINGS, NOW + 25 * HOUR)).stayed).toMatchObject([{ reason: 'pinned' }]);
    expect(await one.unpin({ artifact_id: ID })).toMatchObject({ changed: true });
    expect((await clean(SETTINGS, NOW + 25 * HOUR)).removed).toHaveLength(1);
  });

  test('that is removed from there leaves no pin for good', async () => {
    plant();
    await (await open()).pin({ artifact_id: ID });
    rmSync(folder(), { recursive: true });
    await clean(SETTINGS, NOW + 25 * HOUR);
    expect(readdirSync(join(home, 'pins'))).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('reads no other file', () => {
  const SECRET = 'a secret of the person\n';
  test.each<[string, (path: string, secret: string) => void]>([
    ['a link', (path, secret) => symlinkSync(secret, path)],
    ['another name of a file', (path, secret) => linkSync(secret, path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
  ])('that %s leads to', async (_, make) => {
    plant({}, { text: null });
    writeFileSync(join(home, 'secret'), SECRET);
    make(stream(), join(home, 'secret'));
    const one = await open();
    for (const target of [{ artifact_id: ID, stream: 'stdout' as const }, { file_path: stream() }])
      for (const access of ['person', 'agent'] as const) {
        const view = await one.inspect({ ...target, mode: 'head' }, { access }).catch(() => null);
        expect(view?.content ?? '').toBe('');
      }
    // It goes with its capture, and the file stays.
    await clean(SETTINGS, NOW + 25 * HOUR);
    expect(readFileSync(join(home, 'secret'), 'utf8')).toBe(SECRET);
  });

  test('that its record names', async () => {
    const streams = [{ name: 'output' as const, file: '../../../secret', folded: null }];
    plant();
    const record = JSON.parse(readFileSync(join(folder(), recordFile(ID)), 'utf8'));
    record.streams = streams.map((one) => ({ ...record.streams[0], ...one }));
    writeFileSync(join(folder(), recordFile(ID)), JSON.stringify(record));
    writeFileSync(join(home, 'secret'), SECRET);
    const view = await (await open()).inspect({ artifact_id: ID, mode: 'head' }).catch(() => null);
    expect(view?.content ?? '').not.toContain('secret');
  });

  test('and cuts none, where a recorder seems to have died', async () => {
    writeFileSync(join(home, 'secret'), SECRET);
    plant({ status: 'running', ended_at: null, recorder: DEAD }, { text: null });
    linkSync(join(home, 'secret'), stream());
    writeFileSync(join(folder(), tailSegmentName(commandStreamFile(ID, 'stdout'), 3, 1)), 'tail\n');
    await (await open()).list({});
    await clean();
    expect(readFileSync(join(home, 'secret'), 'utf8')).toBe(SECRET);
    const options = { folder: folder(), streamFile: commandStreamFile(ID, 'stdout'), gap: null };
    expect(() => joinTail({ ...options, onGap: () => {} })).toThrow();
  });

  test('and joins no more than a recorder leaves', async () => {
    plant({ status: 'running', ended_at: null, recorder: DEAD });
    const segment = join(folder(), tailSegmentName(commandStreamFile(ID, 'stdout'), 100, 1));
    writeFileSync(segment, '');
    truncateSync(segment, 2 ** 40);
    expect((await (await open()).list({})).outputs).toMatchObject([{ status: 'interrupted' }]);
    expect(readFileSync(stream(), 'utf8')).toBe('one\ntwo\n');
  });
});

describe('is not believed', () => {
  test.each<[string, Partial<CaptureRecord>]>([
    ['of another agent', { agent: { name: 'claude-code', session: null } }],
    ['of no agent', { agent: null }],
    ['of a terminal', { kind: 'terminal' }],
    ['of another session', { session: 'default' }],
  ])('a record %s', async (_, changes) => {
    plant(changes);
    const { outputs } = await (await open()).list({});
    expect(outputs).toMatchObject([{ artifact_id: ID, agent: null, session: null }]);
    expect(outputs[0]!.warnings.join()).toMatch(/its record is/i);
  });

  test('what it says of a process to stop, or of another file', async () => {
    child = spawn('sleep', ['60'], { detached: true });
    plant({
      ...{ status: 'running', ended_at: null, origin: '/etc/passwd' },
      ...{ recorder: ownerOf(child.pid!), stop: ownerOf(child.pid!) },
    });
    const one = await open();
    expect((await one.list({})).outputs).toMatchObject([{ status: 'running', origin: null }]);
    await expect(one.stopCommand({ artifact_id: ID })).rejects.toMatchObject({ code: 'unsupported' });
    expect(child.exitCode ?? child.signalCode).toBeNull();
  });

  test("a session's directory and variables, which commands elsewhere would get", async () => {
    plant();
    const session = {
      ...newSession(SESSION, new Date(NOW)),
      cwd: '/tmp',
      env: { LD_PRELOAD: '/tmp/evil.so' },
    };
    writeFileSync(join(folder(), SESSION_RECORD), JSON.stringify(session));
    expect(readSession(home, SESSION)).toBeNull();
    expect(await (await open()).useSession({ session: SESSION })).toMatchObject({ cwd: null, env_names: [] });
  });

  test('a session that is ephemeral, has an owner, or has another name', async () => {
    plant();
    const session = { ...newSession(SESSION, new Date(NOW)), ephemeral: true, owner: DEAD };
    writeFileSync(join(folder(), SESSION_RECORD), JSON.stringify(session));
    expect((await clean()).removed).toEqual([]);
    writeFileSync(join(folder(), SESSION_RECORD), JSON.stringify({ ...session, name: 'default' }));
    expect((await (await open()).stats({})).sessions.map(({ session: name }) => name)).toEqual([SESSION]);
  });

  test('a pin', async () => {
    plant();
    writeFileSync(join(folder(), pinFile(ID)), '');
    expect((await (await open()).list({})).outputs).toMatchObject([{ pinned: false }]);
    expect((await clean(SETTINGS, NOW + 25 * HOUR)).removed).toHaveLength(1);
    expect(existsSync(folder())).toBe(false);
  });

  test('a time to come, a version to come, and a record that is none', async () => {
    const late = artifactId('cmd', 'a', new Date(NOW), '000001');
    const newer = artifactId('cmd', 'b', new Date(NOW), '000002');
    const damaged = artifactId('cmd', 'c', new Date(NOW), '000003');
    plant({ ended_at: '2999-01-01T00:00:00.000Z', artifact_id: late }, { id: late });
    plant({ version: 99 as 1, artifact_id: newer }, { id: newer });
    plant({ streams: [], artifact_id: damaged }, { id: damaged });
    const { removed } = await clean(SETTINGS, NOW + 25 * HOUR);
    expect(removed.map(({ artifact_id }) => artifact_id).sort()).toEqual([late, newer, damaged].sort());
  });

  test('a process that seems to record it for ever', async () => {
    plant({ status: 'running', ended_at: null, recorder: thisProcess() });
    expect((await clean(SETTINGS, NOW + 25 * HOUR)).stayed).toMatchObject([{ reason: 'running' }]);
    vi.useFakeTimers({ toFake: ['Date'], now: NOW + 2 * HOUR });
    expect((await (await open()).list({})).outputs).toMatchObject([{ status: 'interrupted' }]);
    expect((await clean(SETTINGS, NOW + 25 * HOUR)).removed).toHaveLength(1);
  });

  test('a size that would drive out the captures of others', async () => {
    const own = storeCapture(home, { ended: NOW - HOUR, text: 'x'.repeat(4000) });
    plant({ status: 'running', ended_at: null, recorder: thisProcess() });
    truncateSync(stream(), 2 ** 40);
    const { stayed, removed } = await clean({ ...SETTINGS, maxTotalBytes: 20_000 });
    expect(removed).toEqual([]);
    expect(stayed.map(({ artifact_id, reason }) => [artifact_id, reason])).toContainEqual([own.id, 'recent']);
    plant();
    truncateSync(stream(), 2 ** 40);
    expect((await clean({ ...SETTINGS, maxTotalBytes: 20_000 })).removed).toMatchObject([
      { artifact_id: ID, reason: 'size' },
    ]);
    expect(idsBelow(home)).toEqual([own.id]);
  });

  test('the id of one of ours', async () => {
    const own = storeCapture(home, { id: ID, text: 'ours\n' });
    plant();
    const one = await open();
    expect((await one.inspect({ artifact_id: ID, stream: 'stdout', mode: 'head' })).content).toBe('ours');
    expect((await one.list({})).outputs).toMatchObject([{ session: own.session }]);
  });
});
