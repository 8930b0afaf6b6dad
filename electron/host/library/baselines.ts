/** Chooses the runs that a failed run is compared with, and finds its earlier failures. */
import { basename, dirname, join, resolve } from 'node:path';
import type { Artifact } from '../../../shared/artifact.ts';
import type { SameFailure } from '../../../shared/comparison.ts';
import { isFailure } from '../../../shared/recording.ts';
import { shownCommand } from '../../../shared/text/escape.ts';
import { formatDuration } from '../../../shared/text/format.ts';
import { shapeOf } from '../../reader/shapes/shape.ts';
import type { Disk, DiskFile } from '../../workers/disk.ts';

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
 * of the repository; else of the command line that has most words in common, such as `make all` of `CI=1 make test`. Null
 * if there are none.
 */
export async function chooseBaselines(
  failed: Artifact,
  all: Iterable<Artifact>,
  disk: Pick<Disk, 'stat'>,
): Promise<ChosenBaselines | null> {
  const before = [...all].filter((one) => hasPassed(one) && isBefore(one, failed)).sort(byLatest);
  const line = wordsOf(failed);
  if (line.length === 0) return null;
  const isSameLine = (one: Artifact) => wordsOf(one).join('\0') === line.join('\0');
  const same = before.filter((one) => one.cwd === failed.cwd && isSameLine(one));
  if (same.length > 0) return { chosen: 'command', runs: same.slice(0, MOST_BASELINES) };
  const repositoryOf = repositories(disk);
  const root = await repositoryOf(failed.cwd);
  const roots = root === null ? [] : await Promise.all(before.map(({ cwd }) => repositoryOf(cwd)));
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
  return `the same failure as ${formatDuration(timeOf(failed) - timeOf(last))} before (${last.artifact_id})${often}`;
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

/** The words of the line that a person would know the run by. */
function wordsOf({ command, args }: Artifact): string[] {
  return command === null
    ? []
    : shownCommand(command, args ?? [])
        .trim()
        .split(/\s+/);
}

/** 0 to 1; 0 where neither runs the program of the other. Paths of programs and `env` before them make no difference. */
function sharedWords([program = '', ...a]: readonly string[], [other = '', ...b]: readonly string[]): number {
  const [one, two] = [new Set([basename(program), ...a]), new Set([basename(other), ...b])];
  if (!two.has(basename(program)) && !one.has(basename(other))) return 0;
  const both = [...one].filter((word) => two.has(word)).length;
  return (2 * both) / (one.size + two.size);
}

/** Finds the repository of a folder. Asks for each folder once; one whose disk does not answer has none. */
function repositories(disk: Pick<Disk, 'stat'>) {
  const known = new Map<string, Promise<string | null>>();
  const find = async (folder: string): Promise<string | null> => {
    const entry = await disk.stat(join(folder, '.git')).catch((error: Error) => error);
    if (!(entry instanceof Error)) return folder;
    const above = dirname(folder);
    return above === folder ? null : of(above);
  };
  const of = async (folder: string | null): Promise<string | null> => {
    if (folder === null) return null;
    const found = known.get(folder) ?? find(folder);
    known.set(folder, found);
    return found;
  };
  return of;
}

function shapeText(text: string): string {
  const bytes = Buffer.from(text);
  return String.fromCharCode(...shapeOf(bytes, 0, bytes.length).codes);
}

// Finds the branch that a repository was on at some time, in Git's log of its HEAD. So no recorder has to ask Git, and
// runs of all recorders have one.

/** Bytes of the log that are read, from its end. */
const LOG_BYTES = 256 * 1024;

type BranchDisk = Pick<Disk, 'stat' | 'openReal'>;

/** Returns the branch of the repository around a folder at each time; null where it is not known. Never rejects. */
export async function branchesAt(
  folder: string,
  times: readonly (string | null)[],
  disk: BranchDisk,
): Promise<(string | null)[]> {
  try {
    const git = await gitFolder(folder, disk);
    if (git === null) return times.map(() => null);
    const endIn = (...names: string[]) => endOf(join(git, ...names), disk, LOG_BYTES);
    const [log, head] = [await endIn('logs', 'HEAD'), await endIn('HEAD')];
    return times.map((time) => (time === null ? null : branchAt(log, head, Date.parse(time))));
  } catch {
    return times.map(() => null);
  }
}

/** `log`: the end of a repository's `logs/HEAD`; `head`: its `HEAD`. */
export function branchAt(log: string, head: string, time: number): string | null {
  let before: string | null = null;
  for (const [, seconds, from, to] of log.matchAll(
    / (\d+) [+-]\d{4}\tcheckout: moving from (\S+) to (\S+)$/gm,
  )) {
    if (Number(seconds) * 1000 > time) return named(before ?? from!);
    before = to!;
  }
  return before === null ? (/^ref: refs\/heads\/(\S+)/.exec(head)?.[1] ?? null) : named(before);
}

/** Null for the hash of a commit. */
const named = (branch: string): string | null => (/^[\da-f]{40}$/.test(branch) ? null : branch);

async function gitFolder(folder: string, disk: BranchDisk): Promise<string | null> {
  const root = await repositories(disk)(folder);
  if (root === null) return null;
  const path = join(root, '.git');
  // A worktree has a file that names its folder.
  const link = /^gitdir: (.+)$/m.exec(await endOf(path, disk, LOG_BYTES))?.[1];
  return link === undefined ? path : resolve(root, link);
}

/** The end of a file; empty where it cannot be read. */
async function endOf(path: string, disk: Pick<Disk, 'openReal'>, bytes: number): Promise<string> {
  let file: DiskFile | null = null;
  try {
    file = await disk.openReal(path);
    return Buffer.from((await file.ends(bytes)).tail).toString('utf8');
  } catch {
    return '';
  } finally {
    file?.close();
  }
}

// Chooses the baselines of a file. For a CI job's log they are logs of its runs that passed, opened or beside it. For any
// other log it is the last rotation.

/** Bytes from the end of a log in which its exit status stands. */
export const VERDICT_BYTES = 16 * 1024;
/** Logs of a job whose ends are read. */
const MOST_LOOKED_AT = 50;

type FileDisk = Pick<Disk, 'entries' | 'openReal'>;

/** Paths, the newest first. Null if there are none. */
export async function chooseFiles(
  { streams }: Artifact,
  all: Iterable<Artifact>,
  disk: FileDisk,
): Promise<{ chosen: 'job' | 'rotation'; paths: string[] } | null> {
  const path = streams[0]?.file_path;
  if (!path) return null;
  const passed = await passedRuns(path, all, disk);
  if (passed.length > 0) return { chosen: 'job', paths: passed };
  const entries = await disk.entries(dirname(path)).catch(() => []);
  const rotated = lastRotation(
    basename(path),
    entries.map(({ name }) => name),
  );
  return rotated === null ? null : { chosen: 'rotation', paths: [join(dirname(path), rotated)] };
}

async function passedRuns(path: string, all: Iterable<Artifact>, disk: FileDisk): Promise<string[]> {
  const job = jobOf(path);
  const others = [...all]
    .filter(({ kind }) => kind === 'file')
    .flatMap(({ streams, started_at }) => {
      const other = streams[0]?.file_path;
      return other && other !== path && jobOf(other) === job ? [{ other, at: started_at ?? '' }] : [];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
  const paths = new Set([...others.map(({ other }) => other), ...(await runsBeside(path, disk))]);
  const passed: string[] = [];
  for (const other of [...paths].slice(0, MOST_LOOKED_AT)) {
    if (passed.length >= MOST_BASELINES) break;
    if (verdictOf(await endOf(other, disk, VERDICT_BYTES)) === 'passed') passed.push(other);
  }
  return passed;
}

/** Finds `build-7.log` beside `build-8.log`, then `7/build.log` beside `8/build.log`. Runs before it come first. */
async function runsBeside(path: string, disk: FileDisk): Promise<string[]> {
  const [folder, name] = [dirname(path), basename(path)];
  const sameIn = async (parent: string, own: string) => {
    const entries = /\d/.test(own) ? await disk.entries(parent).catch(() => []) : [];
    const others = entries
      .map((entry) => entry.name)
      .filter((one) => one !== own && jobOf(one) === jobOf(own));
    const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });
    const before = others.filter((one) => byNumber(one, own) < 0).sort((a, b) => byNumber(b, a));
    return [...before, ...others.filter((one) => byNumber(one, own) > 0).sort(byNumber)];
  };
  const files = await sameIn(folder, name);
  const folders = await sameIn(dirname(folder), basename(folder));
  return [
    ...files.map((other) => join(folder, other)),
    ...folders.map((other) => join(dirname(folder), other, name)),
  ];
}

/** Equal for the logs of one job: ids and numbers of runs differ. */
function jobOf(path: string): string {
  return path.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b(?=[\da-f]*\d)[\da-f]{7,}\b|\d+/gi, '#');
}

const FAILED =
  /##\[error\]|^ERROR: Job failed|Finished: (?:FAILURE|ABORTED|UNSTABLE)|Your build exited with [1-9]|(?:exit(?:ed)?|returned)(?: with)?(?: an?)? ?(?:error )?(?:status|code):? ?-?[1-9]|\bBUILD FAILED\b/im;
/** Matches at the start of a line, after a CI's job, step, time and colours. A service's message does not match. */
const PASSED =
  /^(?:[^\t\n]*\t[^\t\n]*\t)?\ufeff?(?:\[?\d[\d:T.Z+-]*\]? +(?:\d\d[OE]\+? *)?)?(?:\x1b\[[\d;]*[mK])*(?:Job succeeded|Finished: SUCCESS|(?:Done\. )?Your build exited with 0|(?:The command |Process )?(?:exit(?:ed)?|returned)(?: with)?(?: an?)? ?(?:status|code):? ?0\b|Post job cleanup|Cleaning up orphan processes|(?:\[INFO\] )?BUILD SUCCESS(?:FUL)?\b)/im;

/** How a job ended, by the end of its log; null if it does not say. */
export function verdictOf(end: string): 'passed' | 'failed' | null {
  if (FAILED.test(end)) return 'failed';
  return PASSED.test(end) ? 'passed' : null;
}

/** `x.log.1`, `x.log.0.gz`, `x.log.old`, `x.log-20260113.gz`: the newest of them; null if there is none. */
export function lastRotation(name: string, names: readonly string[]): string | null {
  let last: { name: string; age: number } | null = null;
  for (const one of names) {
    if (!one.startsWith(name) || one === name) continue;
    const [, mark] =
      /^[.-](\d{1,3}|old|prev|\d{4}-?\d\d-?\d\d(?:[-_T]?\d{2,6})?)(?:\.gz)?$/.exec(one.slice(name.length)) ??
      [];
    if (mark === undefined) continue;
    // A date is the newer the later it is; a number, the smaller it is.
    const isDate = mark.length > 3 && mark !== 'prev';
    const age = isDate ? -Number(mark.replace(/\D/g, '').padEnd(14, '0')) : Number(mark) || 0;
    if (last === null || age < last.age) last = { name: one, age };
  }
  return last?.name ?? null;
}
