/** Sessions end on request, and when their owner ends. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sessionFolder } from '../../../electron/store/format/names.ts';
import { type Owner, thisProcess } from '../../../electron/store/format/owner.ts';
import { capturesFolder } from '../../../electron/store/format/places.ts';
import { cleanUp } from '../../../electron/store/retention/cleanup.ts';
import { readSession, useSession } from '../../../electron/store/retention/sessions.ts';
import { EndSessionResult } from '../../../shared/lifecycle.ts';
import { DEAD, idsBelow, storeCapture } from '../../fixtures/library/stored-captures.ts';
import { home, lifecycle, SETTINGS, setUpLifecycle } from '../../fixtures/set-up/sessions-home.ts';

setUpLifecycle();

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
    await lifecycle.pinCapture({ artifact_id: id });
    storeCapture(home, { session: 'talk' });
    expect(await cleanUp(home, SETTINGS)).toMatchObject({ removed_count: 1, removed_sessions: [] });
    expect(idsBelow(home)).toEqual([id]);
  });

  test('is not collected by a request for something else', async () => {
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
