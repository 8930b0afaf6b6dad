/** Sessions: made on demand by any process, with defaults and an end; ephemeral ones end with their owner. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordFile, sessionFolder } from '../../../electron/store/format/names.ts';
import { thisProcess } from '../../../electron/store/format/owner.ts';
import { capturesFolder } from '../../../electron/store/format/places.ts';
import { readSession } from '../../../electron/store/retention/sessions.ts';
import { Session } from '../../../shared/lifecycle.ts';
import { makePlace, runCli } from '../../fixtures/cli.ts';
import {
  DEAD,
  filesBelow,
  idsBelow,
  makeHome,
  storeCapture,
} from '../../fixtures/library/stored-captures.ts';
import { fileOf, home, lifecycle, remove, setUpLifecycle } from '../../fixtures/set-up/sessions-home.ts';

setUpLifecycle();

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

  test('keeps secrets of its environment in no file, and other values for all processes', async () => {
    const env = { API_KEY: 'hush', NODE_ENV: 'test' };
    await lifecycle.useSession({ session: 'build', env });
    expect(lifecycle.session('build')?.env).toEqual(env);
    const kept = JSON.parse(readFileSync(fileOf('build'), 'utf8'));
    expect(kept).toMatchObject({ env: { NODE_ENV: 'test' }, env_names: ['API_KEY', 'NODE_ENV'] });
    expect(JSON.stringify(kept)).not.toContain('hush');
    expect(statSync(fileOf('build')).mode & 0o777).toBe(0o600);
    expect(statSync(sessionFolder(home, 'build')).mode & 0o777).toBe(0o700);
    expect(JSON.stringify(await lifecycle.statsWith([]))).not.toContain('hush');
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

  test('is a different one for each name, even when two names give the same slug', async () => {
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

describe('statistics', () => {
  test('count a capture whose recorder died as interrupted', async () => {
    const { id, folder } = storeCapture(home, { recorder: DEAD, status: 'running' });
    expect(await lifecycle.statsWith([])).toMatchObject({ file_count: 1, running_count: 0 });
    const record = JSON.parse(readFileSync(join(folder, recordFile(id)), 'utf8'));
    expect(record).toMatchObject({ status: 'interrupted', recorder: null });
  });

  test('do not take another’s folder among the captures for a session', async () => {
    storeCapture(home, { session: 'mine' });
    mkdirSync(join(capturesFolder(home), 'holiday pictures'));
    writeFileSync(join(capturesFolder(home), 'holiday pictures', 'beach.jpg'), '');
    expect((await lifecycle.statsWith([])).sessions.map(({ session }) => session)).toEqual(['mine']);
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
    const stats = await lifecycle.statsWith([]);
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
    expect(await lifecycle.statsWith([])).toMatchObject({
      file_count: 0,
      total_bytes: 0,
      oldest: null,
      sessions: [],
    });
  });
});
