/** Sessions: made on demand by any process, with defaults and an end; ephemeral ones end with their owner. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Lifecycle } from '../../../electron/host/lifecycle/lifecycle.ts';
import { capturesFolder, recordFile, sessionFolder } from '../../../electron/store/format/names.ts';
import { type Owner, thisProcess } from '../../../electron/store/format/owner.ts';
import { cleanUp } from '../../../electron/store/retention/cleanup.ts';
import { readSession, useSession } from '../../../electron/store/retention/sessions.ts';
import { EndSessionResult, Session } from '../../../shared/lifecycle.ts';
import { makePlace, runCli } from '../../fixtures/cli.ts';
import { DEAD, filesBelow, idsBelow, makeHome, storeCapture } from '../../fixtures/stored-captures.ts';

let home: string;
let remove: () => void;
let lifecycle: Lifecycle;
const SETTINGS = { retentionHours: 24, maxTotalBytes: 2 ** 40 };

beforeEach(() => {
  ({ home, remove } = makeHome());
  lifecycle = new Lifecycle(home);
});
afterEach(async () => {
  await lifecycle.close();
  remove();
});

const fileOf = (name: string) => join(sessionFolder(home, name), 'session.json');

describe('a session', () => {
  test('is made when it is first used, and keeps what is not said anew', async () => {
    const made = Session.parse(
      await lifecycle.useSession({ session: 'build', cwd: '/tmp', env: { KEY: 'secret' } }),
    );
    expect(made).toMatchObject({
      session: 'build',
      cwd: '/tmp',
      env_names: ['KEY'],
      ended_at: null,
      ephemeral: false,
    });
    expect(JSON.stringify(made)).not.toContain('secret');
    expect(await lifecycle.useSession({ session: 'build', cwd: '/' })).toEqual({ ...made, cwd: '/' });
    expect(lifecycle.session('build')).toMatchObject({ cwd: '/', env: { KEY: 'secret' } });
    expect(await lifecycle.useSession({ session: 'build', cwd: null, env: {} })).toMatchObject({
      cwd: null,
      env_names: [],
    });
  });

  test('takes only an existing directory, and keeps its absolute path', async () => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    for (const cwd of ['/no/such/folder', file, join(file, 'below'), 'a\0b', ''.padEnd(5000, 'x')]) {
      await expect(lifecycle.useSession({ session: 'build', cwd })).rejects.toMatchObject({
        code: 'usage',
        todo: 'give the absolute path of an existing directory',
      });
    }
    expect(lifecycle.session('build')).toBeNull();
    expect(await lifecycle.useSession({ session: 'build', cwd: '.' })).toMatchObject({ cwd: process.cwd() });
  });

  test.each([{ 'A=B': 'c' }, { '': 'c' }, { 'A\0': 'c' }, { A: 'c\0' }])(
    'cannot have an environment that no process can have: %j',
    async (env) => {
      await expect(lifecycle.useSession({ session: 'build', env })).rejects.toMatchObject({ code: 'usage' });
      expect(lifecycle.session('build')).toBeNull();
    },
  );

  test('keeps the values of its environment to this user', async () => {
    await lifecycle.useSession({ session: 'build', env: { KEY: 'secret' } });
    expect(statSync(fileOf('build')).mode & 0o777).toBe(0o600);
    expect(statSync(sessionFolder(home, 'build')).mode & 0o777).toBe(0o700);
    expect(JSON.stringify(await lifecycle.stats([]))).not.toContain('secret');
  });

  test.each(['../../x', '/', '..', 'a'.repeat(300), '🙂', 'a b', 'CON', '.hidden', '%2e%2e', 'a\nb', '-x'])(
    'may be called %j, and lies in one folder of the captures',
    async (name) => {
      await lifecycle.useSession({ session: name });
      const [folder, ...others] = readdirSync(capturesFolder(home));
      expect(others).toEqual([]);
      expect(folder).toMatch(/^[A-Za-z0-9._-]{1,60}$/);
      expect(readSession(home, name)?.name).toBe(name);
      expect(readdirSync(home)).toEqual(['captures']);
    },
  );

  test('is another where the name is, even when both give the same slug', async () => {
    const names = ['a/b', 'a b', 'a_b', 'a\tb', 'A b'];
    for (const session of names) await lifecycle.useSession({ session, env: { NAME: session } });
    expect(readdirSync(capturesFolder(home))).toHaveLength(names.length);
    for (const name of names) expect(lifecycle.session(name)?.env).toEqual({ NAME: name });
  });

  test('is made once when many processes want it at the same time', async () => {
    const place = makePlace();
    const runs = Array.from({ length: 12 }, () =>
      runCli(['capture', '--session', 'crowd'], place, { input: 'x\n' }),
    );
    for (const { status } of await Promise.all(runs)) expect(status).toBe(0);
    expect(readdirSync(capturesFolder(place.home))).toHaveLength(1);
    expect(idsBelow(place.home)).toHaveLength(12);
    expect(filesBelow(place.home).filter((file) => file.endsWith('.tmp'))).toEqual([]);
    expect(readSession(place.home, 'crowd')).toMatchObject({ name: 'crowd', ended_at: null });
    place.remove();
  });

  test('whose record is damaged is made anew; one of a newer version is left alone', async () => {
    await lifecycle.useSession({ session: 'build' });
    writeFileSync(fileOf('build'), '{"version":1,');
    expect(await lifecycle.useSession({ session: 'build', cwd: '/' })).toMatchObject({ cwd: '/' });
    writeFileSync(fileOf('build'), '{"version":2,"name":"build"}');
    await expect(lifecycle.useSession({ session: 'build' })).rejects.toMatchObject({ code: 'unsupported' });
    expect(readFileSync(fileOf('build'), 'utf8')).toBe('{"version":2,"name":"build"}');
  });

  test('is not made through a link', async () => {
    const { home: other, remove: removeOther } = makeHome();
    symlinkSync(other, capturesFolder(home));
    await expect(lifecycle.useSession({ session: 'build' })).rejects.toMatchObject({ code: 'home' });
    expect(readdirSync(other)).toEqual([]);
    removeOther();
  });
});

describe('its end', () => {
  const put = (options = {}) => storeCapture(home, { session: 'build', ...options });

  test('keeps its captures, unless the setting or the request says otherwise', async () => {
    const { id } = put();
    const kept = EndSessionResult.parse(await lifecycle.endSession({ session: 'build' }));
    expect(kept).toMatchObject({ session: 'build', deleted: false, removed: [], stayed: [] });
    expect(readSession(home, 'build')?.ended_at).toBe(kept.ended_at);
    writeFileSync(join(home, 'config.json'), JSON.stringify({ sessionEnd: 'delete' }));
    expect(await lifecycle.endSession({ session: 'build', delete: false })).toMatchObject({ deleted: false });
    expect(idsBelow(home)).toEqual([id]);
    const gone = await lifecycle.endSession({ session: 'build' });
    expect(gone).toMatchObject({
      deleted: true,
      removed: [{ artifact_id: id, reason: 'session' }],
      removed_sessions: ['build'],
    });
    expect(readdirSync(capturesFolder(home))).toEqual([]);
  });

  test('leaves what is pinned or running, and says so', async () => {
    const [pinned, running, gone] = [put({ pinned: true }), put({ recorder: thisProcess() }), put()];
    const result = await lifecycle.endSession({ session: 'build', delete: true });
    expect(result.removed.map((one) => one.artifact_id)).toEqual([gone.id]);
    expect(Object.fromEntries(result.stayed.map((one) => [one.artifact_id, one.reason]))).toEqual({
      [pinned.id]: 'pinned',
      [running.id]: 'running',
    });
    expect(result.removed_sessions).toEqual([]);
    expect(readSession(home, 'build')?.ended_at).toBe(result.ended_at);
  });

  test('is told once, and using it again takes it back', async () => {
    put();
    const first = await lifecycle.endSession({ session: 'build' });
    expect(await lifecycle.endSession({ session: 'build' })).toMatchObject({ ended_at: first.ended_at });
    expect(await lifecycle.useSession({ session: 'build' })).toMatchObject({ ended_at: null });
  });

  test('of what is not there says so', async () => {
    await expect(lifecycle.endSession({ session: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of one session leaves the others', async () => {
    put();
    const other = put({ session: 'other' });
    await lifecycle.endSession({ session: 'build', delete: true });
    expect(idsBelow(home)).toEqual([other.id]);
  });
});

describe('an ephemeral session', () => {
  const ephemeral = (name: string, owner: Owner) => {
    useSession(home, { session: name, ephemeral: true }, owner);
    return storeCapture(home, { session: name });
  };

  test('goes, young as its captures are, when the process that made it closes', async () => {
    await lifecycle.useSession({ session: 'talk', ephemeral: true });
    storeCapture(home, { session: 'talk' });
    const kept = storeCapture(home, { session: 'other' });
    await lifecycle.close();
    expect(idsBelow(home)).toEqual([kept.id]);
    expect(existsSync(sessionFolder(home, 'talk'))).toBe(false);
  });

  test('is collected by any cleanup when its owner was killed', async () => {
    const child = spawn('sleep', ['60']);
    const { id } = ephemeral('talk', { pid: child.pid!, started: null });
    expect((await cleanUp(home, SETTINGS)).removed).toEqual([]);
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
    const result = await cleanUp(home, SETTINGS);
    expect(result.removed).toMatchObject([{ artifact_id: id, reason: 'session' }]);
    expect(result.removed_sessions).toEqual(['talk']);
    expect(readdirSync(capturesFolder(home))).toEqual([]);
  });

  test('is collected although another process has its owner’s number now', async () => {
    ephemeral('talk', { pid: process.pid, started: 'another boot/1' });
    expect((await cleanUp(home, SETTINGS)).removed_count).toBe(1);
  });

  test('whose owner is gone keeps what is pinned', async () => {
    const { id } = ephemeral('talk', DEAD);
    await lifecycle.pin({ artifact_id: id });
    storeCapture(home, { session: 'talk' });
    expect(await cleanUp(home, SETTINGS)).toMatchObject({ removed_count: 1, removed_sessions: [] });
    expect(idsBelow(home)).toEqual([id]);
  });

  test('is not collected when somebody asks for something else', async () => {
    ephemeral('talk', DEAD);
    expect((await cleanUp(home, SETTINGS, { older_than_hours: 1 })).removed).toEqual([]);
    expect((await cleanUp(home, SETTINGS, { artifact_ids: [] })).removed).toEqual([]);
  });

  test('stays its owner’s when another process uses it, and may become one that stays', async () => {
    ephemeral('talk', { pid: process.ppid, started: null });
    await lifecycle.useSession({ session: 'talk', ephemeral: true });
    expect(readSession(home, 'talk')?.owner?.pid).toBe(process.ppid);
    await lifecycle.useSession({ session: 'talk', ephemeral: false });
    expect(readSession(home, 'talk')).toMatchObject({ ephemeral: false, owner: null });
  });

  test('cannot be the one that belongs to everybody', async () => {
    await expect(lifecycle.useSession({ session: 'default', ephemeral: true })).rejects.toMatchObject({
      code: 'usage',
    });
  });
});

describe('statistics', () => {
  test('say, as whoever looks, that what nobody records any more was interrupted', async () => {
    const { id, folder } = storeCapture(home, { recorder: DEAD, status: 'running' });
    expect(await lifecycle.stats([])).toMatchObject({ file_count: 1, running_count: 0 });
    const record = JSON.parse(readFileSync(join(folder, recordFile(id)), 'utf8'));
    expect(record).toMatchObject({ status: 'interrupted', recorder: null });
  });

  test('do not take another’s folder among the captures for a session', async () => {
    storeCapture(home, { session: 'mine' });
    mkdirSync(join(capturesFolder(home), 'holiday pictures'));
    writeFileSync(join(capturesFolder(home), 'holiday pictures', 'beach.jpg'), '');
    expect((await lifecycle.stats([])).sessions.map(({ session }) => session)).toEqual(['mine']);
  });

  test('count artifacts and bytes by session, the one used last first', async () => {
    const hour = 3_600_000;
    const now = Date.now();
    const oldest = storeCapture(home, {
      session: 'b',
      text: 'x'.repeat(500),
      ended: now - 3 * hour,
      pinned: true,
    });
    storeCapture(home, { session: 'b', text: 'y'.repeat(70), ended: now - 2 * hour });
    storeCapture(home, { session: 'a', text: null, ended: now + hour });
    storeCapture(home, { session: 'a', text: 'z', ended: now, recorder: thisProcess() });
    await lifecycle.useSession({ session: 'empty' });
    const stats = await lifecycle.stats([]);
    expect(stats).toMatchObject({
      file_count: 4,
      total_bytes: 571,
      oldest: oldest.record.started_at,
      pinned_count: 1,
      running_count: 1,
      retention_hours: 24,
      sources: [{ source: 'captures', file_count: 4, total_bytes: 571 }],
    });
    expect(stats.sessions.map((one) => one.session)).toEqual(['a', 'empty', 'b']);
    expect(stats.sessions[2]).toMatchObject({ file_count: 2, total_bytes: 570, pinned_count: 1 });
    expect(stats.sessions[1]).toMatchObject({ file_count: 0, total_bytes: 0, oldest: null, stored_bytes: 0 });
    const onDisk = filesBelow(home)
      .filter((file) => !file.endsWith('session.json'))
      .reduce((sum, file) => sum + statSync(join(capturesFolder(home), file)).size, 0);
    expect(stats.stored_bytes).toBe(onDisk);
  });

  test('of a home that is not there are zeros', async () => {
    remove();
    expect(await lifecycle.stats([])).toMatchObject({
      file_count: 0,
      total_bytes: 0,
      oldest: null,
      sessions: [],
    });
  });
});
