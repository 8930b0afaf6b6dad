/** Resolves an id or path, named by a person or an agent, to a file that may be read. */
import { type Artifact, CAPTURES_SOURCE, type StreamName } from '../../../../shared/artifact.ts';
import { SpillwayError } from '../../../../shared/errors.ts';
import { offerIds } from '../../../../shared/text/nearest.ts';
import { shellWord } from '../../../../shared/text/shell-words.ts';
import type { Target } from '../../../../shared/views.ts';
import type { Library } from '../../../library/library.ts';
import { sourceName } from '../../../library/sources/source.ts';
import { pathNamed } from '../../../reader/bytes/path-text.ts';
import { farPathOf } from '../../../reader/disks/mounts.ts';
import { isUnanswered } from '../../../workers/disk.ts';
import type { Access } from '../../host.ts';
import { missingPath, quote } from './missing-path.ts';

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
