/** For the last line of a failed `run`: compares it with the last time its command passed. */
import { newSinceItPassed } from '../../host/views/new-since.ts';
import { withHost } from '../with-host.ts';

const MOST_CHARS = 200;
/** `run` gives up earlier. */
const MOST_MS = 30_000;

export function changesSinceItPassed(artifactId: string): Promise<string | null> {
  return withHost((host) => newSinceItPassed(host, artifactId, MOST_CHARS, {}, MOST_MS));
}
