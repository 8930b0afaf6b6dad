/**
 * Chooses what a file is compared with. The log of a CI job is compared with logs of its other runs, if those are open and
 * their last lines tell that they passed. Any other log is compared with its last rotation.
 */
import { basename, dirname, join } from 'node:path';
import type { Artifact } from '../../../shared/artifact.ts';
import type { Disk } from '../../workers/disk.ts';
import { MOST_BASELINES } from './baselines.ts';

/** Bytes from the end of a log in which its exit status stands. */
const END_BYTES = 16 * 1024;
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
  const passed: string[] = [];
  for (const { other } of others.slice(0, MOST_LOOKED_AT)) {
    if (passed.length >= MOST_BASELINES) break;
    if (verdictOf(await endOf(other, disk)) === 'passed') passed.push(other);
  }
  return passed;
}

/** Equal for the logs of one job: ids and numbers of runs differ. */
function jobOf(path: string): string {
  return path.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b(?=[\da-f]*\d)[\da-f]{7,}\b|\d+/gi, '#');
}

async function endOf(path: string, disk: FileDisk): Promise<string> {
  try {
    const file = await disk.openReal(path);
    try {
      return Buffer.from((await file.ends(END_BYTES)).tail).toString('utf8');
    } finally {
      file.close();
    }
  } catch {
    return '';
  }
}

const FAILED =
  /##\[error\]Process completed with exit code|^ERROR: Job failed|Finished: (?:FAILURE|ABORTED|UNSTABLE)|Your build exited with [1-9]|(?:exit(?:ed)?|returned)(?: with)?(?: an?)? ?(?:error )?(?:status|code):? ?-?[1-9]|\bBUILD FAILED\b/im;
const PASSED =
  /Job succeeded|Finished: SUCCESS|Your build exited with 0|(?:exit(?:ed)?|returned)(?: with)?(?: an?)? ?(?:status|code):? ?0\b|Post job cleanup|Cleaning up orphan processes|\bBUILD SUCCESS(?:FUL)?\b/i;

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
