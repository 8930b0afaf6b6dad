/** Chooses the runs that a failed run is compared with, and finds its earlier failures. */

import { dirname, join } from 'node:path';
import type { Artifact } from '../../../shared/artifact.ts';
import type { SameFailure } from '../../../shared/comparison.ts';
import { isFailure } from '../../../shared/recording.ts';
import { shapeOf } from '../../reader/shapes/shape.ts';
import type { Disk } from '../../workers/disk.ts';

/** Runs that passed and are compared. */
export const MOST_BASELINES = 5;
/** Share of words that another command line must have in common. */
const NEAR_SHARE = 0.5;
const DAY_MS = 24 * 3600 * 1000;

interface ChosenBaselines {
  chosen: 'command' | 'nearest';
  /** The last one first. */
  runs: Artifact[];
}

/**
 * The last runs that passed of the same command line and directory; else of the same command line in another directory
 * of the repository; else of the command line that has most words in common. Null if there are none.
 */
export async function chooseBaselines(
  failed: Artifact,
  all: Iterable<Artifact>,
  disk: Pick<Disk, 'look'>,
): Promise<ChosenBaselines | null> {
  const before = [...all].filter((one) => hasPassed(one) && isBefore(one, failed)).sort(byLatest);
  const line = wordsOf(failed);
  if (line.length === 0) return null;
  const isSameLine = (one: Artifact) => wordsOf(one).join('\0') === line.join('\0');
  const same = before.filter((one) => one.cwd === failed.cwd && isSameLine(one));
  if (same.length > 0) return { chosen: 'command', runs: same.slice(0, MOST_BASELINES) };
  const repositories = new Repositories(disk);
  const root = await repositories.of(failed.cwd);
  const roots = root === null ? [] : await Promise.all(before.map(({ cwd }) => repositories.of(cwd)));
  const near = before.filter(({ cwd }, i) => cwd === failed.cwd || (root !== null && roots[i] === root));
  let best: Artifact | null = null;
  let most = NEAR_SHARE;
  for (const one of near) {
    const share = sharedWords(wordsOf(one), line);
    if (share <= most && !(best === null && share === most)) continue;
    best = one;
    most = share;
  }
  if (best === null) return null;
  const nearest = wordsOf(best).join('\0');
  const runs = near.filter((one) => one.cwd === best.cwd && wordsOf(one).join('\0') === nearest);
  return { chosen: 'nearest', runs: runs.slice(0, MOST_BASELINES) };
}

/** Returns the last earlier run of the command that failed with the same cause; null if none did. */
export function sameFailureBefore(failed: Artifact, all: Iterable<Artifact>): SameFailure | null {
  const { cause } = failed;
  if (cause === null) return null;
  const line = wordsOf(failed).join('\0');
  const shape = shapeText(cause.text);
  const earlier = [...all]
    .filter(
      (one) =>
        isFailure(one.status) &&
        one.cwd === failed.cwd &&
        isBefore(one, failed) &&
        one.cause !== null &&
        wordsOf(one).join('\0') === line &&
        shapeText(one.cause.text) === shape,
    )
    .sort(byLatest);
  const [last] = earlier;
  if (last === undefined) return null;
  const isOfWeek = (one: Artifact) => timeOf(failed) - timeOf(one) < 7 * DAY_MS;
  return {
    artifact_id: last.artifact_id,
    started_at: last.started_at,
    times_in_week: earlier.filter(isOfWeek).length + 1,
  };
}

export function sameFailureInWords(failed: Artifact, last: SameFailure): string {
  const often = last.times_in_week > 2 ? `, ${last.times_in_week} times within a week` : '';
  return `the same failure as ${ago(timeOf(failed) - timeOf(last))} before (${last.artifact_id})${often}`;
}

function hasPassed({ kind, status }: Artifact): boolean {
  return kind === 'cmd' && status === 'succeeded';
}

const timeOf = ({ started_at }: Pick<Artifact, 'started_at'>): number =>
  started_at === null ? 0 : Date.parse(started_at);
const byLatest = (a: Artifact, b: Artifact): number => timeOf(b) - timeOf(a);

function isBefore(one: Artifact, failed: Artifact): boolean {
  return one.artifact_id !== failed.artifact_id && timeOf(one) <= timeOf(failed);
}

/** The program and its arguments; of a shell's line, its words. */
function wordsOf({ command, args }: Artifact): string[] {
  if (command === null) return [];
  return args === null || args.length === 0 ? command.trim().split(/\s+/) : [command, ...args];
}

/** 0 to 1; 0 for another program. */
function sharedWords(a: readonly string[], b: readonly string[]): number {
  if (a[0] !== b[0]) return 0;
  const words = new Set(b);
  return (2 * a.filter((word) => words.has(word)).length) / (a.length + b.length);
}

/** Finds the repository of a folder. Asks for each folder once; one whose disk does not answer has none. */
class Repositories {
  readonly #disk: Pick<Disk, 'look'>;
  readonly #known = new Map<string, Promise<string | null>>();

  constructor(disk: Pick<Disk, 'look'>) {
    this.#disk = disk;
  }

  of(folder: string | null): Promise<string | null> {
    if (folder === null) return Promise.resolve(null);
    const found = this.#known.get(folder) ?? this.#find(folder);
    this.#known.set(folder, found);
    return found;
  }

  async #find(folder: string): Promise<string | null> {
    const look = await this.#disk.look(join(folder, '.git')).catch((error: Error) => error);
    if (!(look instanceof Error)) return folder;
    const above = dirname(folder);
    return above === folder ? null : this.of(above);
  }
}

function shapeText(text: string): string {
  const bytes = Buffer.from(text);
  return String.fromCharCode(...shapeOf(bytes, 0, bytes.length).codes);
}

function ago(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
