/** Random histories of captures, pins, sessions and cleanups, compared with a small model. */
import { readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordFile } from '../../../electron/store/format/names.ts';
import { thisProcess } from '../../../electron/store/format/owner.ts';
import { pinCapture, unpinCapture } from '../../../electron/store/format/pins.ts';
import { cleanUp } from '../../../electron/store/retention/cleanup.ts';
import { markEnded, useSession } from '../../../electron/store/retention/sessions.ts';
import { storageStats } from '../../../electron/store/retention/stats.ts';
import type { CleanupParams } from '../../../shared/lifecycle.ts';
import fc from '../../fixtures/fast-check.ts';
import {
  DEAD,
  HOUR,
  idsBelow,
  makeHome,
  type StoredCapture,
  storeCapture,
} from '../../fixtures/library/stored-captures.ts';
import { cases } from '../../fixtures/sizes.ts';

interface Modelled {
  stored: StoredCapture;
  session: string;
  ended: number;
  pinned: boolean;
  running: boolean;
  damaged: boolean;
}

const SESSIONS = ['default', 'a/b', 'a b', '../../x', '🙂', '🙃', 'x'.repeat(300)] as const;
const session = fc.constantFrom(...SESSIONS);
/** Which of the captures there are. */
const which = fc.nat(1000);
const age = fc.integer({ min: 0, max: 40 });

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('add' as const), session, age, size: fc.nat(3000), folded: fc.boolean() }) },
  fc.record({ type: fc.constant('start' as const), session, age, alive: fc.boolean() }),
  fc.record({ type: fc.constantFrom('finish' as const, 'pin' as const, 'unpin' as const, 'damage' as const), which }),
  fc.record({ type: fc.constantFrom('end' as const, 'use' as const), session }),
  fc.record({ type: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 12 }) }),
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('clean' as const),
      session: fc.option(session, { nil: undefined }),
      hours: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
      ids: fc.option(fc.array(which, { maxLength: 3 }), { nil: undefined }),
      keep: fc.option(fc.array(which, { maxLength: 3 }), { nil: undefined }),
      maxTotalBytes: fc.constantFrom(0, 4000, 20_000, 2 ** 40),
    }),
  },
); // biome-ignore format: one step a line

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const RETENTION_HOURS = 24;

/** Ids that must go by the rules of CONTRACT 3, 4 and 6. */
function mustGo(
  all: readonly Modelled[],
  params: CleanupParams,
  maxTotalBytes: number,
  now: number,
): Set<string> {
  const { session, older_than_hours: hours, artifact_ids: ids, keep } = params;
  const asked = all.filter((one) => session === undefined || one.session === session);
  const mayGo = (one: Modelled) =>
    !one.pinned && !one.running && !keep?.includes(one.stored.id) && (!one.damaged || ids !== undefined);
  const named = asked.filter((one) => mayGo(one) && (ids === undefined || ids.includes(one.stored.id)));
  const older = (one: Modelled, than: number) => than === 0 || one.ended <= now - than * HOUR;
  if (hours !== undefined) return idsOf(named.filter((one) => older(one, hours)));
  if (ids || (session !== undefined && keep)) return idsOf(named);
  const going = named.filter((one) => older(one, RETENTION_HOURS));
  if (session !== undefined) return idsOf(going);
  const rest = named
    .filter((one) => !going.includes(one))
    .sort((a, b) => a.ended - b.ended || (a.stored.id < b.stored.id ? -1 : 1));
  let total = all.filter((one) => !going.includes(one)).reduce((sum, one) => sum + bytesOf(one), 0);
  for (const one of rest) {
    if (total <= maxTotalBytes) break;
    going.push(one);
    total -= bytesOf(one);
  }
  return idsOf(going);
}

const idsOf = (all: readonly Modelled[]) => new Set(all.map((one) => one.stored.id));

/** Size of its files on disk. */
function bytesOf({ stored: { id, folder } }: Modelled): number {
  const names = readdirSync(folder).filter((name) => name.startsWith(`${id}.`));
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

class History {
  readonly home: string;
  readonly remove: () => void;
  all: Modelled[] = [];
  #now = Date.now();

  constructor() {
    ({ home: this.home, remove: this.remove } = makeHome());
  }

  async take(step: Step): Promise<void> {
    switch (step.type) {
      case 'add':
        return this.#add(step.session, step.age, step.folded ? null : 'x'.repeat(step.size));
      case 'start':
        return this.#start(step.session, step.age, step.alive);
      case 'end':
        return void markEnded(this.home, step.session, new Date(this.#now));
      case 'use':
        return void useSession(this.home, { session: step.session, env: { A: '1' } });
      case 'pass':
        this.#now += step.hours * HOUR;
        return;
      case 'clean':
        return this.#clean(step);
      default:
        return this.#change(step.type, this.#pick(step.which));
    }
  }

  #pick(which: number): Modelled | undefined {
    return this.all[which % Math.max(1, this.all.length)];
  }

  async #add(session: string, age: number, text: string | null): Promise<void> {
    const ended = this.#now - age * HOUR;
    const stored = storeCapture(this.home, { session, text, ended });
    this.all.push({ stored, session, ended, pinned: false, running: false, damaged: false });
  }

  async #start(session: string, age: number, alive: boolean): Promise<void> {
    const ended = this.#now - age * HOUR;
    const stored = storeCapture(this.home, { session, ended, recorder: alive ? thisProcess() : DEAD });
    this.all.push({ stored, session, ended, pinned: false, running: alive, damaged: false });
  }

  async #change(type: 'finish' | 'pin' | 'unpin' | 'damage', one: Modelled | undefined): Promise<void> {
    if (!one) return;
    const { id, folder, record } = one.stored;
    if (type === 'pin') {
      await pinCapture(this.home, id);
      one.pinned = true;
    } else if (type === 'unpin') {
      unpinCapture(this.home, id);
      one.pinned = false;
    } else if (type === 'finish' && one.running) {
      const ended_at = new Date(this.#now).toISOString();
      writeFileSync(
        join(folder, recordFile(id)),
        JSON.stringify({ ...record, status: 'succeeded', ended_at, recorder: null }),
      );
      Object.assign(one, { running: false, ended: this.#now });
    } else if (type === 'damage' && !one.running && !one.pinned) {
      unlinkSync(join(folder, recordFile(id)));
      writeFileSync(join(folder, recordFile(id)), '{');
      one.damaged = true;
      // Without a record it ended when it was last written to.
      one.ended = Date.now();
    }
  }

  async #clean(step: Extract<Step, { type: 'clean' }>): Promise<void> {
    const ids = (list: readonly number[] | undefined) => list?.flatMap((n) => this.#pick(n)?.stored.id ?? []);
    const params: CleanupParams = {
      ...(step.session === undefined ? {} : { session: step.session }),
      ...(step.hours === undefined ? {} : { older_than_hours: step.hours }),
      ...(step.ids === undefined ? {} : { artifact_ids: ids(step.ids)! }),
      ...(step.keep === undefined ? {} : { keep: ids(step.keep)! }),
    };
    const settings = { retentionHours: RETENTION_HOURS, maxTotalBytes: step.maxTotalBytes };
    // The first process to look mends captures of dead recorders, which changes their size by some bytes.
    await cleanUp(this.home, settings, { dry_run: true }, this.#now);
    const expected = mustGo(this.all, params, step.maxTotalBytes, this.#now);
    const dry = await cleanUp(this.home, settings, { ...params, dry_run: true }, this.#now);
    expect(new Set(dry.removed.map((one) => one.artifact_id))).toEqual(expected);
    expect(idsBelow(this.home)).toEqual([...idsOf(this.all)].sort());
    const result = await cleanUp(this.home, settings, params, this.#now);
    expect({ ...result, dry_run: true }).toEqual(dry);
    this.all = this.all.filter(({ stored }) => !expected.has(stored.id));
    this.#checkStayed(result.stayed);
  }

  #checkStayed(stayed: readonly { artifact_id: string; reason: string }[]): void {
    for (const { artifact_id, reason } of stayed) {
      const one = this.all.find(({ stored }) => stored.id === artifact_id);
      if (reason === 'running') expect(one?.running).toBe(true);
      if (reason === 'pinned') expect(one?.pinned).toBe(true);
      if (reason === 'damaged') expect(one?.damaged).toBe(true);
      expect(reason).not.toBe('failed');
    }
  }

  async check(): Promise<void> {
    expect(idsBelow(this.home)).toEqual([...idsOf(this.all)].sort());
    const stats = await storageStats(this.home, { retentionHours: RETENTION_HOURS, maxTotalBytes: 0 });
    expect(stats).toMatchObject({
      file_count: this.all.length,
      pinned_count: this.all.filter((one) => one.pinned).length,
      running_count: this.all.filter((one) => one.running && !one.damaged).length,
    });
    const counts = new Map(stats.sessions.map((one) => [one.session, one.file_count]));
    for (const name of SESSIONS) {
      const modelled = this.all.filter((one) => one.session === name && !one.damaged).length;
      expect(counts.get(name) ?? 0).toBeGreaterThanOrEqual(modelled);
    }
  }
}

describe('cleaning up', () => {
  test('leaves exactly what the rules say, after any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async (steps) => {
        const history = new History();
        try {
          for (const step of steps) await history.take(step);
          await history.check();
        } finally {
          history.remove();
        }
      }),
      { numRuns: cases(100) },
    );
  });
});
