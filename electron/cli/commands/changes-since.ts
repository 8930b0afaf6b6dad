/** What changed since a command that has just failed last passed, for the last line of `run`. */
import { newSinceItPassed } from '../../host/views/new-since.ts';
import { withHost } from '../with-host.ts';

const MOST_CHARS = 200;

export function changesSinceItPassed(artifactId: string): Promise<string | null> {
  return withHost((host) => newSinceItPassed(host, artifactId, MOST_CHARS));
}
