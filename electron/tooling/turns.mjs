/**
 * The seed of a run of `npm test`, and which test files the run tries: each time what people do every day and what must
 * never break, and one in four of the others, which another seed changes. SPILLWAY_TEST_FILES says one in how many; 1
 * means all, as for `npm test -- --full`, and for a runner that is started by itself.
 */
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './building/targets.mjs';

/** Files and folders whose tests each run tries; of the contract, all but its longest. */
const EACH_RUN = {
  contract: ['cli/', 'connection/', 'mcp/'],
  integration: [
    ...['fails-open', 'order', 'records', 'transparency'].map((name) => `agent-shell/${name}.test.ts`),
    ...['compare', 'failure', 'one-cause', 'search', 'start', 'time-bounds', 'views'].map(
      (name) => `cli/${name}.test.ts`,
    ),
    ...['opening', 'proxy', 'socket'].map((name) => `mcp/${name}.test.ts`),
    ...['background', 'killed', 'on-terminal', 'order'].map((name) => `recorder/${name}.test.ts`),
    'transparency/',
  ],
  e2e: [
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
  ],
};

/** They take turns, though they are below what each run tries. */
const LONG = ['mcp/attacks-crowds', 'mcp/conformance', 'mcp/pitfalls-messages', 'mcp/stalled-wait'];

/**
 * Returns the files of tests of that kind that wait for another run, as paths in its folder. The seed must be chosen.
 *
 * @param {keyof typeof EACH_RUN} kind
 */
export function leftOut(kind) {
  const oneIn = Number(process.env.SPILLWAY_TEST_FILES) || 1;
  const files = readdirSync(join(root, 'test', kind), { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => /\.(test|spec)\.tsx?$/.test(path));
  const named = [...EACH_RUN[kind], ...(kind === 'contract' ? LONG : [])];
  const gone = named.filter((start) => !files.some((path) => path.startsWith(start)));
  if (gone.length > 0)
    throw new Error(`electron/tooling/turns.mjs names files that are not there: ${gone.join(', ')}`);
  return files
    .filter((path) => !begins(path, EACH_RUN[kind]) || begins(path, LONG))
    .sort()
    .filter((_, i) => !isOnTurn(i, oneIn));
}

/** @param {string} path @param {readonly string[]} starts */
const begins = (path, starts) => starts.some((start) => path.startsWith(start));

/** Whether case `i` is tried in this run, if each run tries one in `of` of the cases. */
export function isOnTurn(/** @type {number} */ i, /** @type {number} */ of) {
  return (i + seedOfRun()) % of === 0;
}

/** The seed that was chosen, or else 1. */
export function seedOfRun() {
  return Number(process.env.SPILLWAY_SEED ?? process.env.SPILLWAY_RUN_SEED) || 1;
}

/** Chooses the seed and prints it, once, though each step and project asks for it. */
export default function chooseSeed() {
  if (process.env.SPILLWAY_SEED !== undefined || process.env.SPILLWAY_RUN_SEED !== undefined) return;
  const seed = randomInt(1, 2 ** 31);
  process.env.SPILLWAY_RUN_SEED = String(seed);
  console.log(`seed of this run: ${seed} (SPILLWAY_SEED=${seed} repeats it)`);
}
