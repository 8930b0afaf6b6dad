/** A cleanup removes what may go, says what stays and why, and touches nothing else. */
import {
  chmodSync,
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
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ourFile } from '../../../electron/store/format/artifact-files.ts';
import { capturesFolder, pinFile, recordFile } from '../../../electron/store/format/names.ts';
import { thisProcess } from '../../../electron/store/format/owner.ts';
import { cleanUp } from '../../../electron/store/retention/cleanup.ts';
import { useSession } from '../../../electron/store/retention/sessions.ts';
import { CleanupResult } from '../../../shared/lifecycle.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import {
  DEAD,
  filesBelow,
  HOUR,
  idsBelow,
  makeHome,
  type StoredOptions,
  storeCapture,
} from '../../fixtures/stored-captures.ts';

let home: string;
let remove: () => void;
const NOW = Date.now();
const SETTINGS = { retentionHours: 24, maxTotalBytes: 2 ** 40 };

beforeEach(() => {
  ({ home, remove } = makeHome());
});
afterEach(() => remove());

const put = (options: StoredOptions = {}) => storeCapture(home, { ended: NOW - 48 * HOUR, ...options });
const clean = (params: Parameters<typeof cleanUp>[2] = {}, settings = SETTINGS) =>
  cleanUp(home, settings, params, NOW);
const ids = (list: readonly { artifact_id: string }[]) => list.map((one) => one.artifact_id).sort();
const reasonOf = (result: CleanupResult, id: string) =>
  [...result.removed, ...result.stayed].find((one) => one.artifact_id === id)?.reason;

describe('by the settings', () => {
  test('what ended longer ago than the retention goes with all its files, the rest stays', async () => {
    const old = put();
    const folded = put({ text: null });
    const edge = put({ ended: NOW - 24 * HOUR });
    const young = put({ ended: NOW - 24 * HOUR + 1000 });
    const result = CleanupResult.parse(await clean());
    expect(ids(result.removed)).toEqual([old.id, folded.id, edge.id].sort());
    expect(reasonOf(result, young.id)).toBe('recent');
    expect(idsBelow(home)).toEqual([young.id]);
    expect(filesBelow(home).every((file) => file.includes(young.id) || file.endsWith('session.json'))).toBe(
      true,
    );
    expect(result).toMatchObject({ removed_count: 3, stayed_count: 1, dry_run: false });
  });

  test('pinned ones stay, and so do those whose recorder is alive, whatever their status says', async () => {
    const pinned = put({ pinned: true });
    const running = put({ recorder: thisProcess() });
    const background = put({ recorder: thisProcess(), status: 'succeeded' });
    const result = await clean({ older_than_hours: 0 });
    expect(result.removed).toEqual([]);
    expect([pinned, running, background].map(({ id }) => reasonOf(result, id))).toEqual([
      'pinned',
      'running',
      'running',
    ]);
    expect(idsBelow(home)).toHaveLength(3);
  });

  test('what a dead recorder left counts as finished when it was last written to, and is mended when it stays', async () => {
    const old = put({ recorder: DEAD });
    const young = put({ recorder: DEAD, ended: NOW - HOUR });
    const result = await clean();
    expect(ids(result.removed)).toEqual([old.id]);
    expect(JSON.parse(readFileSync(join(young.folder, recordFile(young.id)), 'utf8'))).toMatchObject({
      status: 'interrupted',
      recorder: null,
    });
  });

  test('over the total size the oldest go first, counting what has to stay', async () => {
    const text = 'x'.repeat(10_000);
    const pinned = put({ text, pinned: true, ended: NOW - 20 * HOUR });
    const [oldest, middle, newest] = [3, 2, 1].map((hours) => put({ text, ended: NOW - hours * HOUR }));
    const result = await clean({}, { retentionHours: 24, maxTotalBytes: 25_000 });
    expect(ids(result.removed)).toEqual([oldest!.id, middle!.id].sort());
    expect(reasonOf(result, oldest!.id)).toBe('size');
    expect(idsBelow(home)).toEqual([pinned.id, newest!.id].sort());
  });

  test('a total size that fits exactly lets everything stay', async () => {
    put({ ended: NOW });
    const dry = await clean({ dry_run: true, older_than_hours: 0 });
    const settings = { retentionHours: 24, maxTotalBytes: dry.removed_bytes };
    expect((await clean({}, settings)).removed).toEqual([]);
    expect((await clean({}, { ...settings, maxTotalBytes: dry.removed_bytes - 1 })).removed_count).toBe(1);
  });

  test('equally old ones go by their ids, so that two processes would choose the same', async () => {
    const all = Array.from({ length: 6 }, () => put({ ended: NOW - HOUR, text: 'x'.repeat(1000) }).id).sort();
    const dry = await clean({ dry_run: true, older_than_hours: 0 });
    const settings = { retentionHours: 24, maxTotalBytes: dry.removed_bytes - 1 };
    expect(ids((await clean({}, settings)).removed)).toEqual([all[0]]);
  });
});

describe('as it is asked for', () => {
  test('0 hours is everything that ended, even where the clock was set back since', async () => {
    put({ ended: NOW + 5 * HOUR });
    put({ ended: NOW });
    expect((await clean({ older_than_hours: 0 })).removed_count).toBe(2);
  });

  test('an age replaces the settings, size included', async () => {
    const old = put({ ended: NOW - 3 * HOUR });
    put({ ended: NOW - HOUR });
    const result = await clean({ older_than_hours: 2 }, { retentionHours: 0, maxTotalBytes: 0 });
    expect(ids(result.removed)).toEqual([old.id]);
  });

  test('a session limits it to that session, however alike the names look', async () => {
    const [mine, other] = [put({ session: 'a/b' }), put({ session: 'a b' })];
    const result = await clean({ session: 'a/b', older_than_hours: 0 });
    expect(ids(result.removed)).toEqual([mine.id]);
    expect(idsBelow(home)).toEqual([other.id]);
  });

  test('with a session and a list of what to keep, everything else of it goes', async () => {
    const [kept, young, old] = [put({ ended: NOW }), put({ ended: NOW }), put()];
    const elsewhere = put({ session: 'other', ended: NOW });
    const result = await clean({ session: 'default', keep: [kept.id] });
    expect(ids(result.removed)).toEqual([young.id, old.id].sort());
    expect(reasonOf(result, kept.id)).toBe('kept');
    expect(idsBelow(home)).toEqual([kept.id, elsewhere.id].sort());
  });

  test('what is to be kept and is not there is named, before anything else goes', async () => {
    const [meant, kept] = [put(), put()];
    const slip = meant.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const result = await clean({ session: 'default', keep: [slip, kept.id], dry_run: true });
    expect(reasonOf(result, slip)).toBe('unknown');
    expect(reasonOf(result, kept.id)).toBe('kept');
    expect(ids(result.removed)).toEqual([meant.id]);
    expect(idsBelow(home)).toEqual([meant.id, kept.id].sort());
    const asked = await clean({ artifact_ids: [meant.id], keep: [kept.id] });
    expect(asked).toMatchObject({ removed: [{ artifact_id: meant.id }], stayed: [] });
  });

  test('without a session a list of what to keep only protects', async () => {
    const [kept, young, old] = [put(), put({ ended: NOW }), put()];
    const result = await clean({ keep: [kept.id] });
    expect(ids(result.removed)).toEqual([old.id]);
    expect(idsBelow(home)).toEqual([kept.id, young.id].sort());
  });

  test('ids are removed whatever their age, and those that nobody has are named', async () => {
    const [young, other] = [put({ ended: NOW }), put({ ended: NOW })];
    const nobody = `${young.id.slice(0, -6)}ffffff`;
    const result = await clean({ artifact_ids: [young.id, nobody] });
    expect(ids(result.removed)).toEqual([young.id]);
    expect(reasonOf(result, nobody)).toBe('unknown');
    expect(idsBelow(home)).toEqual([other.id]);
  });

  test('a dry run removes nothing and says the same as the run that follows', async () => {
    put();
    put({ session: 'ended', ended: NOW - 30 * HOUR });
    put({ pinned: true });
    put({ ended: NOW });
    const before = filesBelow(home);
    const { dry_run, ...dry } = await clean({ dry_run: true });
    expect(dry_run).toBe(true);
    expect(filesBelow(home)).toEqual(before);
    const { dry_run: _, ...wet } = await clean();
    expect(wet).toEqual(dry);
  });
});

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
    utimesSync(session, NOW / 1000 - 3600, NOW / 1000 - 3600);
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

  test('an artifact whose id begins with another’s is another', async () => {
    const short = put({ id: 'cmd-a-2026-01-13T10-30-00-abc123' });
    const long = put({ id: 'cmd-a-2026-01-13T10-30-00-abc123.b-2026-01-13T10-30-00-abc124', ended: NOW });
    expect(ids((await clean()).removed)).toEqual([short.id]);
    expect(readFileSync(long.path!, 'utf8')).toBe('one\ntwo\n');
  });
});

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
    utimesSync(session, NOW / 1000 - 3600, NOW / 1000 - 3600);
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
    const later = await cleanUp(home, SETTINGS, { older_than_hours: 0, dry_run }, NOW + 2 * 60_000);
    expect(later).toMatchObject({ removed_sessions: ['build'], resting_sessions: [] });
  });

  test('stays with its defaults until it has ended, or was not used for the retention time', async () => {
    const { folder } = put({ session: 'build' });
    useSession(home, { session: 'build', env: { A: 'b' } });
    const session = join(folder, 'session.json');
    utimesSync(session, NOW / 1000 - 3600, NOW / 1000 - 3600);
    expect(await clean({ older_than_hours: 0 })).toMatchObject({ removed_count: 1, removed_sessions: [] });
    utimesSync(session, NOW / 1000 - 25 * 3600, NOW / 1000 - 25 * 3600);
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
    const { id, folder } = put({ ended: NOW });
    const tmp = (name: string, age: number) => {
      writeFileSync(join(folder, name), 'x');
      utimesSync(join(folder, name), (NOW - age) / 1000, (NOW - age) / 1000);
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
    const { folder } = put({ ended: NOW });
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
