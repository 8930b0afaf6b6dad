/**
 * Which files of browser tests a run tries. They take half of the processor time of `npm test`, so it tries what people
 * do every day, and one in two of the other files: others with another seed. SPILLWAY_BROWSER_FILES says one in how
 * many; 1 means all, as for `npm test -- --full`, and for Playwright when it is started by itself.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isOnTurn } from '../fixtures/sizes.ts';

const ONE_IN = Number(process.env.SPILLWAY_BROWSER_FILES) || 1;

/** Tried in each run: reading, searching, filtering, following, selecting, failures, access, and hostile text. */
const EACH_RUN = [
  'failure.spec.ts',
  'filters/filters.spec.ts',
  'following/follow.spec.ts',
  'library/captures.spec.ts',
  'library/file.spec.ts',
  'library/list.spec.ts',
  'searching/search.spec.ts',
  'selecting/selection.spec.ts',
  'viewer/change.spec.ts',
  'viewer/real.spec.ts',
  'viewer/streams.spec.ts',
  'viewer/use.spec.ts',
  'window/accessible.spec.ts',
  'window/hostile-output.spec.ts',
];

/** Paths in this folder of the files that wait for another run. Call it once the seed is chosen. */
export function leftOut(): string[] {
  const specs = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.spec.ts'));
  const gone = EACH_RUN.filter((path) => !specs.includes(path));
  if (gone.length > 0)
    throw new Error(`test/e2e/turns.ts names files that are not there: ${gone.join(', ')}`);
  return specs
    .filter((path) => !EACH_RUN.includes(path))
    .sort()
    .filter((_, i) => !isOnTurn(i, ONE_IN));
}
