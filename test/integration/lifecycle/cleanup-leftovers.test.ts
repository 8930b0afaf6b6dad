/** A cleanup takes the folders of sessions and what broken-off processes left, once nobody needs them. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pinFile, recordFile } from '../../../electron/store/format/names.ts';
import { thisProcess } from '../../../electron/store/format/owner.ts';
import { capturesFolder } from '../../../electron/store/format/places.ts';
import { cleanUp } from '../../../electron/store/retention/cleanup.ts';
import { useSession } from '../../../electron/store/retention/sessions.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { HOUR, idsBelow } from '../../fixtures/library/stored-captures.ts';
import {
  clean,
  home,
  ids,
  now,
  put,
  reasonOf,
  remove,
  SETTINGS,
  setUpHome,
} from '../../fixtures/set-up/cleaned-home.ts';

setUpHome();

describe('what stands in the way', () => {
  test('a home that is not there is clean, and stays away', async () => {
    remove();
    expect(await clean({ older_than_hours: 0 })).toMatchObject({ removed: [], stayed: [] });
    expect(existsSync(home)).toBe(false);
  });

  test.runIf(process.getuid?.() !== 0)(
    'a file that the system will not remove is said, and its record stays',
    async () => {
      const { id, folder } = put();
      chmodSync(folder, 0o500);
      const result = await clean({ older_than_hours: 0 });
      chmodSync(folder, 0o700);
      expect(reasonOf(result, id)).toBe('failed');
      expect(idsBelow(home)).toEqual([id]);
    },
  );

  test('files in the place of folders are passed by', async () => {
    writeFileSync(capturesFolder(home), 'a file');
    expect(await clean({ older_than_hours: 0 })).toMatchObject({ removed: [], stayed: [] });
    rmSync(capturesFolder(home));
    const { id } = put();
    writeFileSync(join(capturesFolder(home), 'a file'), 'mine');
    expect(ids((await clean({ older_than_hours: 0 })).removed)).toEqual([id]);
  });
});

describe('a session’s folder', () => {
  test('goes with its last capture when it has no defaults, and nothing happened in it for a minute', async () => {
    const { folder } = put({ session: 'build' });
    const session = join(folder, 'session.json');
    expect(await clean({ dry_run: true })).toMatchObject({
      removed_sessions: [],
      resting_sessions: ['build'],
    });
    utimesSync(session, now / 1000 - 3600, now / 1000 - 3600);
    for (const dry_run of [true, false])
      expect(await clean({ dry_run })).toMatchObject({ removed_sessions: ['build'], resting_sessions: [] });
    expect(existsSync(folder)).toBe(false);
  });

  test.each([true, false])('that only has to rest is named, dry run: %j', async (dry_run) => {
    put({ session: 'build' });
    const { id } = put({ session: 'talk' });
    put({ session: 'talk', recorder: thisProcess() });
    put({ session: 'kept' });
    useSession(home, { session: 'kept', env: { A: 'b' } });
    const result = await clean({ older_than_hours: 0, dry_run });
    expect(ids(result.removed)).toContain(id);
    expect(result).toMatchObject({ removed_sessions: [], resting_sessions: ['build'] });
    const later = await cleanUp(home, SETTINGS, { older_than_hours: 0, dry_run }, now + 2 * 60_000);
    expect(later).toMatchObject({ removed_sessions: ['build'], resting_sessions: [] });
  });

  test('stays with its defaults until it has ended, or was not used for the retention time', async () => {
    const { folder } = put({ session: 'build' });
    useSession(home, { session: 'build', env: { A: 'b' } });
    const session = join(folder, 'session.json');
    utimesSync(session, now / 1000 - 3600, now / 1000 - 3600);
    expect(await clean({ older_than_hours: 0 })).toMatchObject({ removed_count: 1, removed_sessions: [] });
    utimesSync(session, now / 1000 - 25 * 3600, now / 1000 - 25 * 3600);
    expect((await clean()).removed_sessions).toEqual(['build']);
  });

  test('of a newer version stays', async () => {
    const { folder } = put({ session: 'build' });
    writeFileSync(join(folder, 'session.json'), JSON.stringify({ version: 2, name: 'build' }));
    utimesSync(join(folder, 'session.json'), 0, 0);
    expect(await clean()).toMatchObject({ removed_count: 1, removed_sessions: [] });
    expect(readdirSync(folder)).toEqual(['session.json']);
  });
});

describe('left-overs', () => {
  test('temporary files older than an hour go, of captures that are known; younger and unknown ones stay', async () => {
    const { id, folder } = put({ ended: now });
    const tmp = (name: string, age: number) => {
      writeFileSync(join(folder, name), 'x');
      utimesSync(join(folder, name), (now - age) / 1000, (now - age) / 1000);
    };
    tmp(`${recordFile(id)}.0123abcd.tmp`, 2 * HOUR);
    tmp('session.json.0123abcd.tmp', 2 * HOUR);
    tmp(`${recordFile(id)}.4567abcd.tmp`, HOUR / 2);
    tmp('notes.txt.0123abcd.tmp', 2 * HOUR);
    tmp('cmd-x-2026-01-13T10-30-00-abc123.meta.json.0123abcd.tmp', 2 * HOUR);
    await clean();
    expect(
      readdirSync(folder)
        .filter((name) => name.endsWith('.tmp'))
        .sort(),
    ).toEqual(
      [
        'cmd-x-2026-01-13T10-30-00-abc123.meta.json.0123abcd.tmp',
        `${recordFile(id)}.4567abcd.tmp`,
        'notes.txt.0123abcd.tmp',
      ].sort(),
    );
  });

  test('a pin of what is no more goes after an hour', async () => {
    const { folder } = put({ ended: now });
    const lost = join(folder, pinFile('cmd-x-2026-01-13T10-30-00-abc123'));
    writeFileSync(lost, '');
    await clean();
    expect(existsSync(lost)).toBe(true);
    utimesSync(lost, 0, 0);
    await clean();
    expect(existsSync(lost)).toBe(false);
  });

  test('nothing of what lies outside the captures is looked at', async () => {
    const outside = makeFolder();
    writeFileSync(join(home, 'config.json'), '{}');
    writeFileSync(join(outside, 'file.log'), 'mine');
    put();
    await clean({ older_than_hours: 0 });
    expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(outside, 'file.log'), 'utf8')).toBe('mine');
    removeFolder(outside);
  });
});
