/** A cleanup leaves what Spillway did not write: files, folders, links, records it cannot read. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ourFile, recordFile } from '../../../electron/store/format/names.ts';
import { capturesFolder } from '../../../electron/store/format/places.ts';
import { filesBelow, idsBelow } from '../../fixtures/library/stored-captures.ts';
import { clean, home, ids, now, put, reasonOf, setUpHome } from '../../fixtures/set-up/cleaned-home.ts';

setUpHome();

describe('what Spillway did not write', () => {
  test('stays, and its folder with it', async () => {
    const { id, folder } = put();
    const foreign = [
      'notes.txt',
      `${id}.notes.txt`,
      `${id}`,
      `${id}.stdout.log.bak`,
      `${id.slice(0, -1)}.stdout.log`,
      'cmd-x-2026-01-13T10-30-00-abc123.stdout.log',
      'session.json.bak',
    ];
    for (const name of foreign) writeFileSync(join(folder, name), 'mine');
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'sub', recordFile(id)), 'mine');
    const session = join(folder, 'session.json');
    utimesSync(session, now / 1000 - 3600, now / 1000 - 3600);
    const { mtimeMs } = statSync(session);
    const result = await clean({ older_than_hours: 0 });
    expect(ids(result.removed)).toEqual([id]);
    expect(statSync(session).mtimeMs).toBe(mtimeMs);
    expect(readdirSync(folder).sort()).toEqual([...foreign, 'session.json', 'sub'].sort());
    expect(result.removed_sessions).toEqual([]);
  });

  test('a link in place of a stream’s file keeps the whole artifact, and its target', async () => {
    const { id, path } = put();
    const target = join(home, 'precious.log');
    writeFileSync(target, 'mine');
    rmSync(path!);
    symlinkSync(target, path!);
    const result = await clean({ older_than_hours: 0 });
    expect(reasonOf(result, id)).toBe('foreign');
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(idsBelow(home)).toEqual([id]);
  });

  test('a folder in place of a stream’s file keeps the artifact', async () => {
    const { id, path } = put();
    rmSync(path!);
    mkdirSync(path!);
    expect(reasonOf(await clean({ older_than_hours: 0 }), id)).toBe('foreign');
  });

  test('a session’s folder that is a link is not entered', async () => {
    const { id, folder } = put();
    const elsewhere = join(home, 'elsewhere');
    renameSync(folder, elsewhere);
    symlinkSync(elsewhere, folder);
    expect((await clean({ older_than_hours: 0 })).removed).toEqual([]);
    expect((await clean({ older_than_hours: 0, session: 'default' })).removed).toEqual([]);
    expect(existsSync(join(elsewhere, recordFile(id)))).toBe(true);
  });

  test('captures that are a link are not entered', async () => {
    const { id, folder } = put();
    const elsewhere = join(home, 'elsewhere');
    renameSync(capturesFolder(home), elsewhere);
    symlinkSync(elsewhere, capturesFolder(home));
    expect((await clean({ older_than_hours: 0 })).removed).toEqual([]);
    expect((await clean({ older_than_hours: 0, session: 'default' })).removed).toEqual([]);
    expect(existsSync(join(folder, recordFile(id)))).toBe(true);
  });

  test('a stream that has a second name elsewhere loses only the one here', async () => {
    const { path } = put();
    const second = join(home, 'second.log');
    linkSync(path!, second);
    await clean({ older_than_hours: 0 });
    expect(existsSync(path!)).toBe(false);
    expect(readFileSync(second, 'utf8')).toBe('one\ntwo\n');
  });

  test('a damaged record stays and says why, until it is named by its id', async () => {
    const { id, folder } = put();
    writeFileSync(join(folder, recordFile(id)), '{"version":1,"artif');
    utimesSync(join(folder, recordFile(id)), 0, 0);
    const result = await clean({ older_than_hours: 0 });
    expect(result.stayed).toEqual([
      { artifact_id: id, session: 'default', reason: 'damaged', detail: expect.stringContaining('damaged') },
    ]);
    expect(filesBelow(home)).toHaveLength(4);
    expect((await clean({ session: 'default', keep: [] })).removed).toEqual([]);
    expect(ids((await clean({ artifact_ids: [id] })).removed)).toEqual([id]);
    expect(idsBelow(home)).toEqual([]);
  });

  test('a record that is of another artifact counts as damaged', async () => {
    const { id, folder } = put();
    const { record } = put();
    writeFileSync(join(folder, recordFile(id)), JSON.stringify(record));
    expect(reasonOf(await clean({ older_than_hours: 0 }), id)).toBe('damaged');
  });

  test('a record of a newer version stays, even when it is named by its id', async () => {
    const { id, folder, record } = put();
    writeFileSync(join(folder, recordFile(id)), JSON.stringify({ ...record, version: 2 }));
    expect(reasonOf(await clean({ older_than_hours: 0 }), id)).toBe('newer');
    expect(reasonOf(await clean({ artifact_ids: [id] }), id)).toBe('newer');
    expect(idsBelow(home)).toEqual([id]);
  });

  test.each([
    ['cmd-x-2026-01-13T10-30-00-abc123.meta.json', 'meta.json'],
    ['cmd-x-2026-01-13T10-30-00-abc123.stdout.log.gz', 'stdout.log.gz'],
    ['cmd-x-2026-01-13T10-30-00-abc123.stderr.log.tail.1073741824.12', 'stderr.log.tail.1073741824.12'],
    ['capture-x-2026-01-13T10-30-00-abc123.json', 'json'],
    ['terminal-x-2026-01-13T10-30-00-abc123.commands', 'commands'],
    ['cmd-x-2026-01-13T10-30-00-abc123.explained', 'explained'],
    ['cmd-x-2026-01-13T10-30-00-abc123.stdout.log.gz.0123abcd.tmp', 'stdout.log.gz.0123abcd.tmp'],
    ['terminal-x-2026-01-13T10-30-00-abc123.log.0123abcd.tmp', 'log.0123abcd.tmp'],
    // A label may look like an id: the longest is meant.
    ['cmd-a-2026-01-13T10-30-00-abc123.b-2026-01-13T10-30-00-abc124.log', 'log'],
    ['file-x-2026-01-13T10-30-00-abc123.log', null],
    ['cmd-x-2026-01-13T10-30-00-abc123.exe', null],
    ['cmd-x-2026-01-13T10-30-00-abc123.pin.gz', null],
    ['cmd-x-2026-01-13T10-30-00-abc123.log.gz.gz', null],
    ['cmd-x-2026-01-13T10-30-00-abc123', null],
    ['session.json', null],
  ])('of %s Spillway knows it as %s', (name, suffix) => {
    expect(ourFile(name)?.suffix ?? null).toBe(suffix);
  });

  test('an artifact whose id begins with another’s id is not taken for it', async () => {
    const short = put({ id: 'cmd-a-2026-01-13T10-30-00-abc123' });
    const long = put({ id: 'cmd-a-2026-01-13T10-30-00-abc123.b-2026-01-13T10-30-00-abc124', ended: now });
    expect(ids((await clean()).removed)).toEqual([short.id]);
    expect(readFileSync(long.path!, 'utf8')).toBe('one\ntwo\n');
  });
});
