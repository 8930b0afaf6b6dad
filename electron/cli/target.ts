/** Resolves ID|PATH: a path, an id, the beginning of an id, `last` or `last-failed`. */
import { createReadStream, createWriteStream, fstat } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { ArtifactId } from '../../shared/artifact.ts';
import { isFileId } from '../../shared/artifact-names.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { MAX_LIST_LIMIT } from '../../shared/limits.ts';
import type { Target } from '../../shared/views.ts';
import type { Wanted } from '../archive/copies.ts';
import { newestNamed, typedPath } from '../host/documents/targets/path-of-target.ts';
import type { Host } from '../host/host.ts';
import { loadConfig } from '../host/settings/config.ts';
import { unfitHome } from '../host/settings/home.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { withHost } from './with-host.ts';

const fstatOf = promisify(fstat);

type Lister = Pick<Host, 'list'>;

/** Returns a path if a file of that name exists here, else an id. Throws `usage` and `not_found`. */
export async function targetOf(
  given: string,
  host: Lister,
): Promise<Pick<Target, 'artifact_id' | 'file_path'>> {
  if (given === '-') {
    throw new SpillwayError(
      'unsupported',
      'standard input cannot be read here',
      'write it to a file and name that, or record it with `spillway capture`',
    );
  }
  if (given === '') throw new SpillwayError('usage', 'the name is empty', 'give an id or a path');
  if (given.includes('\0'))
    throw new SpillwayError('usage', 'the path has a NUL character', 'give an id or a path');
  if ((await typedPath(given)).exists) return { file_path: given };
  const id = await idOf(given, host);
  return id === null ? { file_path: given } : { artifact_id: id };
}

/** Matches standard input, and the path that a shell puts in place of `<(…)`. */
const PIPE = /^\/(?:dev\/(?:stdin|fd\/(\d+))|proc\/self\/fd\/(\d+))$/;

/** Runs `work` on a file: a copy of what a pipe gives, if `given` names one; else `given` itself. */
export async function fromPipe<T>(given: string, work: (target: string) => Promise<T>): Promise<T> {
  const found = PIPE.exec(given);
  if (!found) return work(given);
  const fd = Number(found[1] ?? found[2] ?? 0);
  const isStream = await fstatOf(fd).then(
    (stat) => !stat.isFile(),
    () => false,
  );
  if (!isStream) return work(given);
  const folder = await mkdtemp(join(tmpdir(), 'spillway-'));
  try {
    const copy = join(folder, given.startsWith('/dev/stdin') ? 'stdin' : `fd-${fd}`);
    await pipeline(createReadStream('', { fd, autoClose: false }), createWriteStream(copy));
    return await work(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs `work` without a home of its own, or, for the id of a capture that only the archive has, with one that has what
 * `wanted` names.
 */
export async function withArchived<T>(
  given: string,
  wanted: () => Promise<Wanted>,
  work: (home?: string) => Promise<T>,
): Promise<T> {
  if (!ArtifactId.safeParse(given).success || isFileId(given)) return work();
  const home = resolveHome(process.env);
  if (loadConfig(home).settings.archive === null) return work();
  const { isElsewhere, readArchived } = await import('../host/archive/reader.ts');
  return isElsewhere(home, given) ? readArchived(home, [given], await wanted(), work) : work();
}

/** Completes a capture's id, for commands that take no paths. Returns `given` itself if no id is like that. */
export async function captureIdOf(given: string): Promise<string> {
  if (ArtifactId.safeParse(given).success) return given;
  return (await withHost((host) => idOf(given, host))) ?? given;
}

/** Returns null when no id begins with it or has it as its last part. Throws `usage` when several do. */
async function idOf(given: string, host: Lister): Promise<string | null> {
  if (ArtifactId.safeParse(given).success) return given;
  const newest = await newestNamed(given, host).catch((error: unknown) => {
    const problem = unfitHome(resolveHome(process.env));
    if (!problem || !(error instanceof SpillwayError)) throw error;
    throw new SpillwayError('not_found', `${error.what}, as ${problem.what}`, problem.todo);
  });
  if (newest !== null) return newest;
  if (!/^[a-z\d][\w.-]*$/.test(given)) return null;
  const { outputs } = await host.list({ limit: MAX_LIST_LIMIT });
  const all = outputs.map(({ artifact_id: id }) => id);
  const beginning = all.filter((id) => id.startsWith(given));
  // `list` shows the last part alone where the terminal is narrow.
  const ids = beginning.length > 0 ? beginning : all.filter((id) => id.endsWith(`-${given}`));
  if (ids.length > 1) throw ambiguous(given, ids, ids === beginning ? 'begin' : 'end');
  return ids[0] ?? null;
}

/** Most ids that an error suggests. */
const OFFERED_IDS = 3;

function ambiguous(given: string, ids: readonly string[], where: 'begin' | 'end'): SpillwayError {
  const some = ids.slice(0, OFFERED_IDS).join(', ');
  return new SpillwayError(
    'usage',
    `${ids.length} ids ${where} with ${JSON.stringify(given)}`,
    `give more characters of one: ${some}${ids.length > OFFERED_IDS ? ', …' : ''}`,
  );
}
