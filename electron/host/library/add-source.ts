/** Adds a path to the library as a source. */
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Library } from '../../library/library.ts';
import { directoryOf, type Source, singleFile } from '../../library/sources/source.ts';
import { isWithin } from '../../reader/bytes/path-text.ts';
import { missingPath } from '../documents/targets/missing-path.ts';

/** Most artifacts of an opened directory to return; the list has the rest. */
const OPENED_MAX = 100;

interface AddedSource {
  /** Real path. */
  readonly path: string;
  /** Resolves when all files in it are listed. */
  readonly listed: Promise<void>;
}

/**
 * Resolves as soon as the source is known, before its files are listed. Throws `not_found`, `not_a_file`, or `stalled`
 * when its file system does not answer.
 *
 * @param readability gets the real path and whether it is a file; returns a function that tells whether agents may read
 *   it
 * @param wanted for a directory: its name in the list, and a glob for its files
 * @param isPutOff list its files only on request
 */
export async function addSource(
  library: Library,
  path: string,
  readability: (real: string, isFile: boolean) => () => boolean,
  wanted: { name?: string | undefined; pattern?: string | undefined } = {},
  isPutOff = false,
): Promise<AddedSource> {
  const { disk } = library;
  const { real, stats } = await disk.place(path).catch(async (error: NodeJS.ErrnoException) => {
    throw await missingPath(disk, path, path, error);
  });
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new SpillwayError(
      'not_a_file',
      `${path} is neither a file nor a folder`,
      'name a file or a folder',
    );
  }
  const kind = stats.isDirectory() ? directoryOf(wanted.pattern) : singleFile;
  const isReadable = readability(real, stats.isFile());
  const source: Source = {
    path: real,
    kind,
    name: stats.isDirectory() ? wanted.name : undefined,
    get readableOverMcp() {
      return isReadable();
    },
  };
  const listed = library.addSource(source, isPutOff);
  return { path: real, listed };
}

/** Returns artifacts of files in the source, newest first. */
export function artifactsIn(library: Library, { path }: AddedSource): Artifact[] {
  return library.catalogue.list({ limit: OPENED_MAX }, ({ streams }) => {
    const file = streams[0]?.file_path ?? null;
    return file !== null && isWithin(file, path);
  }).outputs;
}
