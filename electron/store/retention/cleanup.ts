/**
 * Cleans up captures: by the retention settings, or as a person or an agent asks.
 *
 *     look at the folders ─> judge (retention.ts) ─> remove one by one (removal.ts)
 *     ─> remove leftovers (removal.ts) ─> what went, what stayed
 *
 * Any number of processes may do it at once, while others record and pin.
 */
import type {
  CleanupParams,
  CleanupResult,
  Removed,
  RemovedReason,
  Stayed,
} from '../../../shared/lifecycle.ts';
import type { Settings } from '../../../shared/settings.ts';
import { plural } from '../../../shared/text/format.ts';
import { readFolders, type SessionFolder } from '../format/folder.ts';
import { sandboxOf, takeTurns } from '../format/places.ts';
import { mendFolder } from '../mend.ts';
import {
  finishRemovals,
  goesOnceRested,
  removeCapture,
  removeIfSpent,
  sweepPins,
  sweepStaleFiles,
  wouldGoAt,
} from './removal.ts';
import { type Judged, judge, type Rules } from './retention.ts';
import { noSuchSession } from './sessions.ts';
import { isWaiting } from './shipped.ts';

type CleanupSettings = Pick<Settings, 'retentionHours' | 'maxTotalBytes'> &
  Partial<Pick<Settings, 'archive'>>;

const HOUR_MS = 60 * 60 * 1000;
/** Removals at once: libuv's threads free large files. */
const PARALLEL_REMOVALS = 4;

/** Never throws for anything found in the home; a missing home is clean. `now`: milliseconds since the epoch. */
export function cleanUp(
  home: string,
  settings: CleanupSettings,
  params: CleanupParams = {},
  now = Date.now(),
): Promise<CleanupResult> {
  return alone(home, () => run(home, rulesFor(home, settings, params), settings, params, now));
}

/** Removes every capture of an ended session that may go. */
export function deleteSession(
  home: string,
  settings: CleanupSettings,
  session: string,
  now = Date.now(),
): Promise<CleanupResult> {
  const rules = { ...NO_RULES, all: true };
  return alone(home, () => run(home, rules, settings, { session }, now, 'session'));
}

const NO_RULES: Rules = {
  olderThanMs: null,
  maxTotalBytes: null,
  ids: null,
  keep: new Set(),
  all: false,
  abandoned: false,
};

/** Arguments replace the settings: an age, ids, or (with a session) ids to keep. */
function rulesFor(home: string, settings: CleanupSettings, params: CleanupParams): Rules {
  const { archive } = settings;
  const { session, older_than_hours: hours, artifact_ids: ids, keep } = params;
  const asked: Rules = {
    ...NO_RULES,
    ids: ids ? new Set(ids) : null,
    keep: new Set(keep),
    olderThanMs: hours === undefined ? null : hours * HOUR_MS,
  };
  if (hours !== undefined || ids) return asked;
  if (session !== undefined && keep) return { ...asked, all: true };
  return {
    ...asked,
    olderThanMs: settings.retentionHours * HOUR_MS,
    // The limit is for all sessions together.
    maxTotalBytes: session === undefined ? settings.maxTotalBytes : null,
    abandoned: true,
    spool: archive
      ? { isWaiting: (one) => isWaiting(home, one, archive), maxBytes: archive.maxSpoolBytes }
      : null,
  };
}

async function run(
  home: string,
  rules: Rules,
  settings: CleanupSettings,
  params: CleanupParams,
  now: number,
  reason?: RemovedReason,
): Promise<CleanupResult> {
  const folders: SessionFolder[] = [];
  for await (const folder of readFolders(home, params.session)) folders.push(folder);
  for (const folder of folders) mendFolder(folder);
  // Removing nothing is fine, but an unknown session may be a typing error.
  const isUnknown = params.session !== undefined && folders.length === 0;
  const warnings = isUnknown ? [noSuchSession(home, params.session!)] : [];
  const judged = judge(folders, rules, now);
  const report = new Report(params.dry_run ?? false, reason);
  const { archive } = settings;
  const dropped = archive
    ? judged.filter(({ verdict, capture }) => 'goes' in verdict && isWaiting(home, capture, archive)).length
    : 0;
  if (dropped > 0)
    warnings.push(
      `${report.dryRun ? 'would drop' : 'dropped'} ${plural(dropped, 'capture')} not shipped yet`,
    );
  if (report.dryRun) for (const one of judged) report.add(one);
  else {
    await finishRemovals(folders);
    await removeAll(judged, report);
    sweepStaleFiles(folders, now);
    if (params.session === undefined) sweepPins(home, folders, now);
  }
  // Ids to keep too: a dry run then shows a mistyped one before the capture it meant is removed.
  report.addUnknown(new Set([...(rules.ids ?? []), ...rules.keep]), folders);
  for (const folder of folders) {
    const gone = report.dryRun
      ? wouldGoAt(folder, report.went, retentionMs(settings), now)
      : removeIfSpent(folder, retentionMs(settings), now);
    // A session's captures from sandboxes lie in a folder of their own.
    if (!folder.session || sandboxOf(folder.path) !== null) continue;
    if (gone) report.sessions.push(folder.session.name);
    // Report these in a dry run too: a real one a minute later would remove them.
    else if (goesOnceRested(folder, report.went, retentionMs(settings), now)) {
      report.resting.push(folder.session.name);
    }
  }
  return { ...report.result(), warnings };
}

function retentionMs({ retentionHours }: CleanupSettings): number {
  return retentionHours * HOUR_MS;
}

async function removeAll(judged: readonly Judged[], report: Report): Promise<void> {
  const turn = takeTurns();
  const rest = judged.values();
  const work = async () => {
    for (const one of rest) {
      if ('stays' in one.verdict) report.add(one);
      else {
        const removal = await removeCapture(one.capture);
        if (removal === 'removed') report.add(one);
        else if (removal === 'pinned') report.add({ ...one, verdict: { stays: 'pinned' } });
        else if (removal !== 'went')
          report.add({ ...one, verdict: { stays: 'failed', detail: removal.failed } });
      }
      await turn();
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_REMOVALS }, work));
}

class Report {
  readonly dryRun: boolean;
  readonly went = new Set<string>();
  readonly sessions: string[] = [];
  readonly resting: string[] = [];
  readonly #reason: RemovedReason | undefined;
  readonly #removed: Removed[] = [];
  readonly #stayed: Stayed[] = [];
  #bytes = 0;

  constructor(dryRun: boolean, reason: RemovedReason | undefined) {
    this.dryRun = dryRun;
    this.#reason = reason;
  }

  add({ capture, session, verdict }: Judged): void {
    const { id: artifact_id, bytes } = capture;
    if ('stays' in verdict) {
      const { stays, detail } = verdict;
      this.#stayed.push({
        artifact_id,
        session,
        reason: stays,
        ...(detail === undefined ? {} : { detail }),
      });
      return;
    }
    this.went.add(artifact_id);
    this.#bytes += bytes;
    this.#removed.push({ artifact_id, session, reason: this.#reason ?? verdict.goes, bytes });
  }

  addUnknown(ids: ReadonlySet<string>, folders: readonly SessionFolder[]): void {
    const there = folders.flatMap(({ captures }) => captures.filter(({ gone }) => gone === null));
    const known = new Set(there.map(({ id }) => id));
    for (const id of ids) {
      if (!known.has(id)) this.#stayed.push({ artifact_id: id, session: null, reason: 'unknown' });
    }
  }

  result(): Omit<CleanupResult, 'warnings'> {
    return {
      dry_run: this.dryRun,
      removed_count: this.#removed.length,
      removed_bytes: this.#bytes,
      stayed_count: this.#stayed.length,
      removed: this.#removed,
      stayed: this.#stayed,
      removed_sessions: this.sessions,
      resting_sessions: this.resting,
    };
  }
}

/**
 * One cleanup at a time: two in one process would mistake each other's unfinished removals for a dead process's.
 */
const underWay = new Map<string, Promise<unknown>>();

function alone<T>(home: string, work: () => Promise<T>): Promise<T> {
  const before = underWay.get(home) ?? Promise.resolve();
  const mine = before.then(work, work);
  underWay.set(home, mine);
  const done = () => {
    if (underWay.get(home) === mine) underWay.delete(home);
  };
  mine.then(done, done);
  return mine;
}
