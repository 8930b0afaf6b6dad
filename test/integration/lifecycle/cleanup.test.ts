/** A cleanup removes expired captures, says which stay and why, and touches nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordFile } from '../../../electron/store/format/names.ts';
import { thisProcess } from '../../../electron/store/format/owner.ts';
import { CleanupResult } from '../../../shared/lifecycle.ts';
import { DEAD, filesBelow, HOUR, idsBelow } from '../../fixtures/library/stored-captures.ts';
import { clean, home, ids, now, put, reasonOf, setUpHome } from '../../fixtures/set-up/cleaned-home.ts';

setUpHome();

describe('by the settings', () => {
  test('what ended longer ago than the retention goes with all its files, the rest stays', async () => {
    const old = put();
    const folded = put({ text: null });
    const edge = put({ ended: now - 24 * HOUR });
    const young = put({ ended: now - 24 * HOUR + 1000 });
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
    const young = put({ recorder: DEAD, ended: now - HOUR });
    const result = await clean();
    expect(ids(result.removed)).toEqual([old.id]);
    expect(JSON.parse(readFileSync(join(young.folder, recordFile(young.id)), 'utf8'))).toMatchObject({
      status: 'interrupted',
      recorder: null,
    });
  });

  test('over the total size the oldest go first, counting what has to stay', async () => {
    const text = 'x'.repeat(10_000);
    const pinned = put({ text, pinned: true, ended: now - 20 * HOUR });
    const [oldest, middle, newest] = [3, 2, 1].map((hours) => put({ text, ended: now - hours * HOUR }));
    const result = await clean({}, { retentionHours: 24, maxTotalBytes: 25_000 });
    expect(ids(result.removed)).toEqual([oldest!.id, middle!.id].sort());
    expect(reasonOf(result, oldest!.id)).toBe('size');
    expect(idsBelow(home)).toEqual([pinned.id, newest!.id].sort());
  });

  test('a total size that fits exactly lets everything stay', async () => {
    put({ ended: now });
    const dry = await clean({ dry_run: true, older_than_hours: 0 });
    const settings = { retentionHours: 24, maxTotalBytes: dry.removed_bytes };
    expect((await clean({}, settings)).removed).toEqual([]);
    expect((await clean({}, { ...settings, maxTotalBytes: dry.removed_bytes - 1 })).removed_count).toBe(1);
  });

  test('equally old ones go by their ids, so that two processes would choose the same', async () => {
    const all = Array.from({ length: 6 }, () => put({ ended: now - HOUR, text: 'x'.repeat(1000) }).id).sort();
    const dry = await clean({ dry_run: true, older_than_hours: 0 });
    const settings = { retentionHours: 24, maxTotalBytes: dry.removed_bytes - 1 };
    expect(ids((await clean({}, settings)).removed)).toEqual([all[0]]);
  });
});

describe('as it is asked for', () => {
  test('0 hours is everything that ended, even where the clock was set back since', async () => {
    put({ ended: now + 5 * HOUR });
    put({ ended: now });
    expect((await clean({ older_than_hours: 0 })).removed_count).toBe(2);
  });

  test('an age replaces the settings, size included', async () => {
    const old = put({ ended: now - 3 * HOUR });
    put({ ended: now - HOUR });
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
    const [kept, young, old] = [put({ ended: now }), put({ ended: now }), put()];
    const elsewhere = put({ session: 'other', ended: now });
    const result = await clean({ session: 'default', keep: [kept.id] });
    expect(ids(result.removed)).toEqual([young.id, old.id].sort());
    expect(reasonOf(result, kept.id)).toBe('kept');
    expect(idsBelow(home)).toEqual([kept.id, elsewhere.id].sort());
  });

  test('what is to be kept and is not there is named, before anything else goes', async () => {
    const [meant, kept] = [put(), put()];
    // Not the next id, which `kept` has.
    const slip = meant.id.replace(/.$/, (last) => ((Number.parseInt(last, 16) + 8) % 16).toString(16));
    const result = await clean({ session: 'default', keep: [slip, kept.id], dry_run: true });
    expect(reasonOf(result, slip)).toBe('unknown');
    expect(reasonOf(result, kept.id)).toBe('kept');
    expect(ids(result.removed)).toEqual([meant.id]);
    expect(idsBelow(home)).toEqual([meant.id, kept.id].sort());
    const asked = await clean({ artifact_ids: [meant.id], keep: [kept.id] });
    expect(asked).toMatchObject({ removed: [{ artifact_id: meant.id }], stayed: [] });
  });

  test('without a session a list of what to keep only protects', async () => {
    const [kept, young, old] = [put(), put({ ended: now }), put()];
    const result = await clean({ keep: [kept.id] });
    expect(ids(result.removed)).toEqual([old.id]);
    expect(idsBelow(home)).toEqual([kept.id, young.id].sort());
  });

  test('ids are removed whatever their age, and those that nobody has are named', async () => {
    const [young, other] = [put({ ended: now }), put({ ended: now })];
    const nobody = `${young.id.slice(0, -6)}ffffff`;
    const result = await clean({ artifact_ids: [young.id, nobody] });
    expect(ids(result.removed)).toEqual([young.id]);
    expect(reasonOf(result, nobody)).toBe('unknown');
    expect(idsBelow(home)).toEqual([other.id]);
  });

  test('a dry run removes nothing and says the same as the run that follows', async () => {
    put();
    put({ session: 'ended', ended: now - 30 * HOUR });
    put({ pinned: true });
    put({ ended: now });
    const before = filesBelow(home);
    const { dry_run, ...dry } = await clean({ dry_run: true });
    expect(dry_run).toBe(true);
    expect(filesBelow(home)).toEqual(before);
    const { dry_run: _, ...wet } = await clean();
    expect(wet).toEqual(dry);
  });
});
