/** Resolves an id or path, named by a person or an agent, to a file that may be read. */

import { basename, dirname, join } from 'node:path';
import { type Artifact, CAPTURES_SOURCE, type StreamName } from '../../../../shared/artifact.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { MAX_LIST_LIMIT } from '../../../../shared/limits.ts';
import { isFailure } from '../../../../shared/recording.ts';
import { shellWord } from '../../../../shared/text/escape.ts';
import { nearest, offerIds, theNearest } from '../../../../shared/text/nearest.ts';
import type { Target } from '../../../../shared/views.ts';
import type { Library } from '../../../library/library.ts';
import { sourceName } from '../../../library/source.ts';
import { pathNamed } from '../../../reader/bytes/path-text.ts';
import { farPathOf } from '../../../reader/disks/mounts.ts';
import { type Disk, diskHere, isUnanswered } from '../../../workers/disk.ts';
import type { Access, Host, RequestOptions } from '../../host.ts';

/** Streams of a file named by its path. */
const FILE_STREAMS: readonly StreamName[] = ['output'];

/** Returns the real path of a target. Throws `usage`, `not_found`, `not_a_file` or `no_permission`. */
export async function pathOfTarget(target: Target, access: Access, library: Library): Promise<string> {
  const { artifact_id: id, file_path: path } = target;
  if ((id === undefined) === (path === undefined)) {
    throw new SpillwayError('usage', 'name either an artifact_id or a file_path', 'list_outputs gives both');
  }
  if (id !== undefined)
    return access === 'agent' ? byAgentsId(id, target, library) : byId(id, target, library);
  const real = access === 'agent' ? await byAgentsPath(path!, library) : await byPersonsPath(path!, library);
  checkStream(target, FILE_STREAMS);
  return real;
}

/**
 * Returns the id that `last` or `last-failed` stands for, null for any other name. Watched files don't count. Throws
 * `not_found`.
 */
export async function newestNamed(
  given: string,
  host: Pick<Host, 'list'>,
  options?: RequestOptions,
): Promise<string | null> {
  if (given !== 'last' && given !== 'last-failed') return null;
  const { outputs } = await host.list({ limit: MAX_LIST_LIMIT }, options);
  const found = outputs.find(
    ({ kind, status }) => kind !== 'file' && (given === 'last' || isFailure(status)),
  );
  if (found) return found.artifact_id;
  throw new SpillwayError(
    'not_found',
    given === 'last' ? 'nothing is recorded yet' : 'no recorded command has failed',
    'record a command with `spillway run -- CMD`',
  );
}

/** Whether an agent may see an artifact. */
export function readableByAgents(library: Library): (artifact: Artifact) => boolean {
  const readable = new Set(library.sources.filter((source) => source.readableOverMcp).map(sourceName));
  readable.add(CAPTURES_SOURCE);
  return (artifact) => artifact.source !== null && readable.has(artifact.source);
}

function byId(
  id: string,
  target: Target,
  library: Library,
  allowed: (artifact: Artifact) => boolean = () => true,
): string {
  const artifact = library.catalogue.get(id);
  const path = artifact && allowed(artifact) ? artifact.streams[0]?.file_path : null;
  if (!artifact || !path) throw noSuchId(id, library, allowed);
  checkStream(
    target,
    artifact.streams.map((stream) => stream.name),
  );
  return path;
}

/** A folder above the file may have become a link since, which an agent does not follow. */
async function byAgentsId(id: string, target: Target, library: Library): Promise<string> {
  const allowed = readableByAgents(library);
  const path = byId(id, target, library, allowed);
  const place = await library.disk.place(path).catch((error: unknown) => {
    if (isUnanswered(error)) throw error;
    return null;
  });
  if (place?.real !== path)
    throw noSuchId(id, library, (artifact) => artifact.artifact_id !== id && allowed(artifact));
  return path;
}

function noSuchId(id: string, library: Library, allowed: (artifact: Artifact) => boolean): SpillwayError {
  const ids = library.catalogue.ids().filter((known) => allowed(library.catalogue.get(known)!));
  const todo = offerIds(id, ids, 'nothing is captured yet, capture or open something first');
  return new SpillwayError('not_found', `no artifact has the id ${quote(id)}`, todo);
}

function checkStream({ stream }: Target, names: readonly StreamName[]): void {
  if (stream === undefined || names.includes(stream)) return;
  throw new SpillwayError('usage', `this artifact has no stream ${stream}`, `it has ${names.join(', ')}`);
}

async function byPersonsPath(given: string, library: Library): Promise<string> {
  const path = pathNamed(given);
  const { disk } = library;
  const { real, stats } = await disk.place(path).catch(async (error: NodeJS.ErrnoException) => {
    throw await missingPath(disk, path, given, error, library.catalogue.ids());
  });
  if (stats.isDirectory()) {
    throw new SpillwayError(
      'not_a_file',
      `${quote(given)} is a directory`,
      `name a file in it, or open it with \`spillway open ${shellWord(given)}\``,
    );
  }
  if (!stats.isFile()) {
    throw new SpillwayError(
      'not_a_file',
      `${quote(given)} is not a regular file`,
      'copy its content to a file first',
    );
  }
  return real;
}

/**
 * Accepts only files in sources that agents may read. The error for anything else does not tell whether the path
 * exists, except inside a readable source: that error says that it is a directory, or that its disk does not answer.
 */
async function byAgentsPath(given: string, library: Library): Promise<string> {
  const refused = new SpillwayError(
    'not_found',
    'no readable output has that path',
    'take an artifact_id, or the file_path of a file, from list_outputs. A person can let you read others with `spillway open --agents PATH`',
  );
  if (given.includes('\0')) throw refused;
  const path = pathNamed(given);
  const { real, stats } = await library.disk.place(path).catch((error: unknown) => {
    throw isUnanswered(error) && library.mayAgentsKnow(farPathOf(path)?.path ?? path) ? error : refused;
  });
  const source = library.sourceOf(real, stats);
  if (!source?.readableOverMcp) throw refused;
  if (stats.isDirectory() && real !== source.path) {
    throw new SpillwayError(
      'not_a_file',
      `${quote(given)} is a directory`,
      'name a file in it: list_outputs shows the paths',
    );
  }
  if (!stats.isFile()) throw refused;
  return real;
}

// Explains why a path that a person named cannot be opened: nothing is there, a link leads nowhere, no permission.

/** Most names that an error suggests. */
const NEAREST_NAMES = 3;

/**
 * Returns the error for a path that the system refused.
 *
 * @param given the path as it was named
 * @param knownIds all artifact ids; a shortened id looks like a name
 */
export async function missingPath(
  disk: Disk,
  path: string,
  given: string,
  refused: NodeJS.ErrnoException | SpillwayError,
  knownIds: readonly string[] = [],
): Promise<SpillwayError> {
  if (refused instanceof SpillwayError) return refused;
  const { code } = refused;
  if (code === 'EACCES') {
    return new SpillwayError(
      'no_permission',
      `no permission to read ${quote(given)}`,
      'change its permissions, or ask as its owner',
    );
  }
  const link = await linkProblem(disk, path, given, code);
  if (link) return link;
  const ids = given === basename(given) ? nearestIds(given, knownIds) : [];
  return new SpillwayError('not_found', `there is no file ${quote(given)}`, await nearestOf(disk, path, ids));
}

/** Explains a link without a target; null when nothing has that name. */
async function linkProblem(
  disk: Disk,
  path: string,
  given: string,
  code: string | undefined,
): Promise<SpillwayError | null> {
  if (code === 'ELOOP')
    return new SpillwayError(
      'not_found',
      `${quote(given)} is a link that leads back to itself`,
      'name a file',
    );
  const target = await disk.link(path).catch(() => null);
  if (target === null) return null;
  const what = `${quote(given)} is a link to ${quote(target)}, which does not exist`;
  return new SpillwayError('not_found', what, 'restore its target, or name another file');
}

/** Returns ids near a whole id, or else near the beginning of one. */
function nearestIds(given: string, ids: readonly string[]): string[] {
  const near = nearest(given, ids, NEAREST_NAMES);
  if (near.length > 0) return near;
  const beginnings = new Map(ids.map((id) => [id.slice(0, given.length), id]));
  return nearest(given, beginnings.keys(), NEAREST_NAMES).map((beginning) => beginnings.get(beginning)!);
}

async function nearestOf(disk: Disk, path: string, ids: readonly string[]): Promise<string> {
  const folder = dirname(path);
  const found = await disk.entries(folder).catch((error: NodeJS.ErrnoException) => error);
  const names = found instanceof Error ? [] : found.map(({ name }) => name);
  if (found instanceof Error && found.code === 'ENOENT' && ids.length === 0)
    return `there is no folder ${folder} either`;
  const paths = nearest(basename(path), names, NEAREST_NAMES).map((name) => join(folder, name));
  const near = [...ids, ...paths];
  return near.length > 0 ? theNearest(near) : 'check the path, or the id';
}

/** Returns a name in quotes, shortened. */
function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

// Finds the file or directory that a person typed the path of.

interface TypedPath {
  /** Absolute, and spelled as `path-text.ts` does. */
  path: string;
  exists: boolean;
}

/** Rejects with `stalled` when its file system does not answer. */
export async function typedPath(given: string): Promise<TypedPath> {
  const path = pathNamed(given);
  const exists = await diskHere()
    .place(path)
    .then(
      () => true,
      (error: unknown) => {
        if (isUnanswered(error)) throw error;
        return false;
      },
    );
  return { path, exists };
}
