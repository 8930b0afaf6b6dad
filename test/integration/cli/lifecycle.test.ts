/** `stats`, `cleanup`, `delete`, `pin` and `unpin` through the built command, and automatic cleanup. */
import { chmodSync, existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TIDY_EVERY_MS } from '../../../electron/host/lifecycle/tidy-by-the-way.ts';
import { ownerOf } from '../../../electron/store/format/owner.ts';
import { CleanupResult, PinResult, StorageStats } from '../../../shared/lifecycle.ts';
import { finished, makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';
import { runCliCheaply } from '../../fixtures/cli-here.ts';
import {
  DEAD,
  filesBelow,
  HOUR,
  idsBelow,
  type StoredOptions,
  storeCapture,
} from '../../fixtures/library/stored-captures.ts';

let place: Place;

beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const put = (options: StoredOptions = {}) =>
  storeCapture(place.home, { ended: Date.now() - 48 * HOUR, ...options });
const run = (...args: string[]) => runCliCheaply(args, place);
const out = async (...args: string[]) => {
  const result = await run(...args);
  expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 0, stderr: '' });
  return result.stdout;
};

describe('delete', () => {
  test('removes the named captures, pinned or not, and no other', async () => {
    const [one, pinned, other] = [put(), put({ pinned: true }), put()];
    const result = CleanupResult.parse(JSON.parse(await out('delete', one.id, pinned.id, '--json')));
    expect(result).toMatchObject({ removed_count: 2, stayed: [], dry_run: false });
    expect(result.removed.map(({ artifact_id: id }) => id).sort()).toEqual([one.id, pinned.id].sort());
    expect(filesBelow(place.home).filter((name) => name.includes(pinned.id))).toEqual([]);
    expect(idsBelow(place.home)).toEqual([other.id]);
  });

  test('takes `last` and the beginning of an id', async () => {
    const [older, newer] = [put(), put({ ended: Date.now() })];
    expect(await out('delete', 'last')).toContain(newer.id);
    expect(await out('delete', older.id.slice(0, -2))).toContain('Removed 1 capture');
    expect(idsBelow(place.home)).toEqual([]);
  });

  test('leaves what runs, with its pin, and says so; an unknown id, too', async () => {
    const gone = put();
    const running = put({
      pinned: true,
      status: 'running',
      recorder: ownerOf(process.pid),
      ended: Date.now(),
    });
    const unknown = `${gone.id.slice(0, -6)}fffff0`;
    const { status, stdout, stderr } = await run('delete', running.id, gone.id, unknown);
    expect(status).toBe(2);
    expect(stdout).toContain('Removed 1 capture');
    expect(stderr).toContain(`${running.id} is running: stop the command first`);
    expect(stderr).toContain(`there is no capture ${unknown}`);
    expect(idsBelow(place.home)).toEqual([running.id]);
    expect(filesBelow(place.home).some((name) => name.endsWith('.pin'))).toBe(true);
  });

  test('refuses files of other programs, and no name at all', async () => {
    const id = 'file-app.log-2026-01-13T10-30-00-abc123';
    expect(await run('delete', id)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('remove the file itself'),
    });
    expect(await run('delete')).toMatchObject({ status: 2 });
  });
});

describe('cleanup', () => {
  test('alone applies the retention settings, and says in lines what went and what stayed', async () => {
    const [old, young, pinned] = [put(), put({ ended: Date.now() }), put({ pinned: true })];
    const said = await out('cleanup');
    const lines = said.split('\n');
    expect(lines[0]).toMatch(/^ID +SIZE +WHY +SESSION$/);
    expect(lines[1]).toContain(old.id);
    expect(said).toMatch(/^Removed 1 capture, \d+ B; 2 stay \(1 not old enough, 1 pinned\)$/m);
    expect(idsBelow(place.home)).toEqual([young.id, pinned.id].sort());
  });

  test('with settings of one’s own applies those', async () => {
    put({ ended: Date.now() - 2 * HOUR });
    writeFileSync(join(place.home, 'config.json'), JSON.stringify({ retentionHours: 1.5 }));
    expect(await out('cleanup')).toContain('Removed 1 capture');
  });

  test('says what it would do, and does not', async () => {
    const { id } = put();
    const said = await out('cleanup', '--older-than', '0', '--dry-run');
    expect(said).toContain(id);
    expect(said).toContain('Would remove 1 capture');
    expect(said).toContain(
      '1 session with nothing left would stay for now, as it was used within the last minute: default\n',
    );
    expect(idsBelow(place.home)).toEqual([id]);
  });

  test('with --json prints one document, nothing else', async () => {
    const { id } = put();
    const result = CleanupResult.parse(JSON.parse(await out('cleanup', '--older-than', '0.5', '--json')));
    expect(result).toMatchObject({
      dry_run: false,
      removed_count: 1,
      removed: [{ artifact_id: id, reason: 'age' }],
    });
  });

  test('of a session keeps what is listed, each by its own --keep', async () => {
    const [a, b, c, elsewhere] = [put({ ended: Date.now() }), put(), put(), put({ session: 'other' })];
    await out('cleanup', '--session', 'default', '--keep', a.id, '--keep', b.id);
    expect(idsBelow(place.home)).toEqual([a.id, b.id, elsewhere.id].sort());
    expect(existsSync(c.path!)).toBe(false);
  });

  test('of a session that is not there removes nothing, and names the nearest', async () => {
    const { id } = put({ session: 'release' });
    const result = await run('cleanup', '--older-than', '0', '--session', 'relaese');
    expect(result).toMatchObject({
      status: 0,
      stdout: 'Removed 0 captures, 0 B\n',
      stderr: 'spillway: there is no session "relaese": the nearest is release\n',
    });
    expect(idsBelow(place.home)).toEqual([id]);
    expect((await run('cleanup', '--session', 'release')).stderr).toBe('');
  });

  test('with an unknown id to keep removes nothing, and names the nearest', async () => {
    const { id } = put();
    const result = await run('cleanup', '--older-than', '0', '--keep', id.slice(1));
    expect(result).toMatchObject({ status: 2, stdout: '' });
    expect(result.stderr).toContain(id);
    expect(idsBelow(place.home)).toEqual([id]);
  });

  test.each(['-1', 'soon', '1e3', '', 'Infinity'])('does not take %j for an age', async (age) => {
    const { id } = put();
    const result = await run('cleanup', '--older-than', age);
    expect(result.status).toBe(2);
    expect(result.stderr).toMatch(/^spillway: --older-than .+: .+\n$/);
    expect(idsBelow(place.home)).toEqual([id]);
  });

  test('has nothing to do in a home that is not there, and does not make it', async () => {
    const result = await runCli(['cleanup'], place, { env: { SPILLWAY_HOME: join(place.files, 'nowhere') } });
    expect(result).toMatchObject({ status: 0, stdout: 'Removed 0 captures, 0 B\n', stderr: '' });
    expect(existsSync(join(place.files, 'nowhere'))).toBe(false);
  });
});

describe('pin and unpin', () => {
  test('keep a capture, and let it go again', async () => {
    const { id } = put();
    expect(await out('pin', id)).toBe(`${id} is pinned\n`);
    expect(await out('pin', id)).toBe(`${id} is pinned already\n`);
    expect(await out('cleanup', '--older-than', '0')).toContain('Removed 0 captures');
    expect(PinResult.parse(JSON.parse(await out('unpin', id, '--json')))).toMatchObject({
      pinned: false,
      changed: true,
    });
    expect(await out('unpin', id)).toBe(`${id} is not pinned\n`);
    expect(await out('cleanup', '--older-than', '0')).toContain('Removed 1 capture');
  });

  test('of what cannot be pinned say what to do', async () => {
    const { id } = put();
    const mistaken = await run('pin', id.replace('cmd', 'cdm'));
    expect(mistaken).toMatchObject({ status: 2, stdout: '' });
    expect(mistaken.stderr).toContain(id);
  });

  test('keep a copy of a watched file', async () => {
    writeFileSync(join(place.files, 'app.log'), 'x\n');
    const [file] = JSON.parse(await out('list', '--kind', 'file', '--json')).outputs;
    await out('pin', file.artifact_id);
    const { outputs } = JSON.parse(await out('list', '--json'));
    expect(outputs).toContainEqual(
      expect.objectContaining({ pinned: true, origin: join(place.files, 'app.log') }),
    );
  });
});

describe('stats', () => {
  test('print what is stored by source and session, for people and for scripts', async () => {
    put({ session: 'build', pinned: true, text: 'x'.repeat(2000) });
    put({ session: '\u001b[31mred', recorder: DEAD });
    writeFileSync(join(place.files, 'app.log'), 'x\n');
    const stats = StorageStats.parse(JSON.parse(await out('stats', '--json')));
    expect(stats).toMatchObject({ file_count: 3, total_bytes: 2010, retention_hours: 24, pinned_count: 1 });
    expect(stats.sources).toMatchObject([
      { source: 'captures', file_count: 2, total_bytes: 2008 },
      { source: place.files, file_count: 1, total_bytes: 2 },
    ]);
    const said = await out('stats');
    expect(said).toMatch(/^SOURCE +OUTPUTS +SIZE +OLDEST$/m);
    expect(said).toMatch(/^build +1 +2 KiB +[\d.]+ KiB +2 d ago +1 pinned$/m);
    expect(said).toMatch(
      /^Captures take [\d.]+ KiB on the disk\. They are removed 24 hours after they end, or earlier, oldest first, above 10 GiB\. 1 is pinned\.$/m,
    );
    expect(said).not.toContain('\u001b');
  });

  test('agree with list on how many outputs there are', async () => {
    for (let i = 0; i < 3; i += 1) put({ ended: Date.now() });
    writeFileSync(join(place.files, 'app.log'), 'x\n');
    const { outputs } = JSON.parse(await out('list', '--json'));
    const stats = JSON.parse(await out('stats', '--json'));
    expect(stats.file_count).toBe(outputs.length);
  });
});

test('the inspector cleans up when it starts', async () => {
  const [old, young] = [put(), put({ ended: Date.now() })];
  const child = startCli(['serve'], place);
  const ended = finished(child);
  await expect.poll(() => idsBelow(place.home)).toEqual([young.id]);
  // Its record goes first.
  await expect.poll(() => existsSync(old.path!)).toBe(false);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ status: 0, stderr: '' });
});

test('an MCP server cleans up, too, where nothing else runs', async () => {
  const [old, young] = [put(), put({ ended: Date.now() })];
  const child = startCli(['mcp'], place);
  const ended = finished(child);
  await expect.poll(() => idsBelow(place.home)).toEqual([young.id]);
  // Its record goes first.
  await expect.poll(() => existsSync(old.path!)).toBe(false);
  child.stdin.end();
  expect(await ended).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

describe('where captures are only ever made', () => {
  const marker = () => join(place.home, 'run', 'tidied');
  const doneAgo = (ms: number) => {
    const then = new Date(Date.now() - ms);
    mkdirSync(join(place.home, 'run'), { mode: 0o700, recursive: true });
    writeFileSync(marker(), '');
    utimesSync(marker(), then, then);
  };
  const isYoung = () => Date.now() - statSync(marker()).mtimeMs < 60_000;

  test.each([
    [['run', '--', 'echo', 'hi'], ''],
    [['capture'], 'hi\n'],
    [['terminal', '--', '/bin/echo', 'hi'], ''],
  ])('%j has the home cleaned up behind it, ten minutes after the last time', async (command, input) => {
    const old = put();
    doneAgo(TIDY_EVERY_MS + 1000);
    const { status, stdout } = await runCli(command, place, { input });
    expect({ status, stdout: stdout.replaceAll('\r', '') }).toEqual({ status: 0, stdout: 'hi\n' });
    await expect.poll(() => idsBelow(place.home)).not.toContain(old.id);
    await expect.poll(() => existsSync(old.path!)).toBe(false);
    expect(idsBelow(place.home)).toHaveLength(1);
    expect(isYoung()).toBe(true);
  });

  test('it is not done before, nor in a home that is new', async () => {
    const old = put();
    await out('run', '--', 'true');
    expect(isYoung()).toBe(true);
    doneAgo(TIDY_EVERY_MS / 2);
    const before = statSync(marker()).mtimeMs;
    await out('run', '--', 'true');
    expect(statSync(marker()).mtimeMs).toBe(before);
    expect(idsBelow(place.home)).toContain(old.id);
  });

  test('a clock that was set back does not keep it from being done', async () => {
    const old = put();
    doneAgo(-24 * HOUR);
    await out('run', '--', 'true');
    await expect.poll(() => idsBelow(place.home)).not.toContain(old.id);
  });

  test('a home that is not private is left alone', async () => {
    const old = put();
    doneAgo(TIDY_EVERY_MS + 1000);
    chmodSync(place.home, 0o755);
    expect((await runCli(['run', '--', 'true'], place)).status).toBe(0);
    expect(isYoung()).toBe(false);
    expect(idsBelow(place.home)).toContain(old.id);
  });
});
