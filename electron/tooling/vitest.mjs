/** The tests that run in Node: `npx vitest run test/unit/reader/index.test.ts`. End-to-end tests are Playwright's. */
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { textPlugin, watPlugin } from './building/plugins.mjs';
import { TEST_ENVIRONMENT } from './machine/environment.mjs';
import { leftOut } from './turns.mjs';
import Outcomes from './vitest-outcomes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** How long a test waits for something before it fails; a busy machine is slow. */
const POLL_MS = 45_000;

/**
 * Integration tests whose files share a process and its modules: importing them for each file took 1.1 s of processor
 * time. Files with `alone` in their names have a process of their own, as they replace a module with `vi.mock`. So have
 * those of the recorder and of tooling, which were not tried often enough in a shared one. Tests that ran commands in a
 * shared process once did not see files after other tests. Why was not found, and it did not happen again. Two possible
 * causes are mended in test/fixtures/cli-here.ts.
 */
const SHARED = 'test/integration/!(recorder|tooling)/**/!(*.alone).test.ts';

/**
 * For tests of real processes, which meet in another order on each machine. Seeds stay the same, so what a generated
 * case found fails again; a test that passes only then is named at the end.
 */
const PROCESS_RETRIES = 1;

/**
 * @param {'unit' | 'integration' | 'contract' | 'torture' | 'clients' | 'distributed' | 'packages'} name
 * @param {{ testTimeout: number, retry?: number, isolate?: false, exclude?: string[] }} options `testTimeout` is in
 *   milliseconds. A test that failed is tried `retry` more times. With `isolate: false`, the files of a worker share its
 *   process and modules.
 */
function project(name, options) {
  return {
    extends: /** @type {const} */ (true),
    test: {
      name,
      include: [`test/${name}/**/*.test.{ts,tsx}`],
      hookTimeout: options.testTimeout,
      expect: { poll: { timeout: POLL_MS, interval: 40 } },
      ...options,
    },
  };
}

/** Integration tests, in two projects: files that share a process, and files that have one of their own. */
function integration() {
  const whole = project('integration', { testTimeout: 120_000, retry: PROCESS_RETRIES });
  const exclude = leftOut('integration').map((path) => `test/integration/${path}`);
  const shared = { ...whole.test, name: 'integration-shared', include: [SHARED], isolate: false, exclude };
  return [
    { ...whole, test: { ...whole.test, exclude: [SHARED, ...exclude] } },
    { ...whole, test: shared },
  ];
}

/** The longest files, longest first: a long file that starts last leaves the other workers idle. */
const LONGEST = [
  'test/integration/recorder/faults.test.ts',
  'test/integration/recorder/as-given.test.ts',
  'test/integration/tooling/start-fresh.test.ts',
  'test/integration/mcp/serve.test.ts',
  'test/integration/recorder/processes.test.ts',
  'test/unit/reader/failure/explain.test.ts',
  'test/integration/mcp/socket-load.test.ts',
  'test/contract/cli/run.test.ts',
  'test/integration/connect/connect.test.ts',
  'test/integration/cli/serve.test.ts',
  'test/integration/cli/grep.test.ts',
  'test/integration/recorder/terminal-jobs.test.ts',
  'test/contract/cli/capture.test.ts',
  'test/integration/agent-shell/transparency.test.ts',
  'test/integration/library/agent-rescue.test.ts',
  'test/integration/cli/failure.test.ts',
  'test/contract/mcp/pitfalls-messages.test.ts',
  'test/contract/search-oracle.test.ts',
  'test/integration/agent-shell/signals.test.ts',
  'test/integration/cli/lifecycle.test.ts',
  'test/integration/cli/views.test.ts',
  'test/contract/mcp/leaving.test.ts',
  'test/contract/views-oracle.test.ts',
  'test/contract/mcp/grep.test.ts',
  'test/integration/mcp/proxy.test.ts',
];

class LongestFirst extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const place = (/** @type {import('vitest/node').TestSpecification} */ { moduleId }) =>
      LONGEST.indexOf(relative(root, moduleId)) + 1 || LONGEST.length + 1;
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  root,
  plugins: [watPlugin(), textPlugin()],
  resolve: {
    // Requiring the real package would download the runtime.
    alias: { electron: fileURLToPath(new URL('../../test/fixtures/electron-stand-in.ts', import.meta.url)) },
  },
  test: {
    pool: 'forks',
    reporters: ['default', new Outcomes()],
    // Start threads cheaply.
    env: { ...TEST_ENVIRONMENT, SPILLWAY_WARM_UP: '0' },
    // Many tests mostly wait for processes they started.
    maxWorkers: availableParallelism() + 1,
    globalSetup: fileURLToPath(new URL('turns.mjs', import.meta.url)),
    sequence: { sequencer: LongestFirst },
    projects: [
      // A third of the time of unit tests was spent on importing the same modules again for each file.
      project('unit', { testTimeout: 60_000, isolate: false }),
      ...integration(),
      project('contract', {
        ...{ testTimeout: 60_000, isolate: false, retry: PROCESS_RETRIES },
        exclude: leftOut('contract').map((path) => `test/contract/${path}`),
      }),
      project('torture', { testTimeout: 600_000 }),
      project('clients', { testTimeout: 900_000 }),
      project('distributed', { testTimeout: 300_000 }),
      project('packages', { testTimeout: 120_000 }),
    ],
  },
});
