/** Ids of files. Apart from other ids: starting a recorded command must not load `node:crypto`. */
import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { basename } from 'node:path';
import { artifactId, birthTime } from '../../store/format/ids.ts';

/**
 * Returns a file's id, the same in every process: its birth time, and a hash of its real path. When another file has
 * that id, `attempt` 1, 2, … give the next candidates (id-book.ts).
 */
export function fileArtifactId(realPath: string, stats: Pick<Stats, 'birthtimeMs'>, attempt = 0): string {
  const hashed = attempt === 0 ? realPath : `${realPath}\0${attempt}`;
  const hex = hash('sha256', hashed, 'hex').slice(0, 6);
  return artifactId('file', basename(realPath), birthTime(stats), hex);
}
