/** The tests that run in Node: `npx vitest run test/unit/reader/index.test.ts`. End-to-end tests are Playwright's. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { textPlugin } from './text-plugin.mjs';
import { watPlugin } from './wat-plugin.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @param {'unit' | 'integration' | 'contract' | 'torture'} name @param {number} testTimeout milliseconds */
function project(name, testTimeout) {
  return {
    extends: /** @type {const} */ (true),
    test: {
      name,
      include: [`test/${name}/**/*.test.{ts,tsx}`],
      testTimeout,
      hookTimeout: testTimeout,
      expect: { poll: { timeout: 45_000, interval: 20 } },
    },
  };
}

export default defineConfig({
  root,
  plugins: [watPlugin(), textPlugin()],
  resolve: {
    // Requiring the real package tries to download the runtime.
    alias: { electron: fileURLToPath(new URL('../../test/fixtures/electron-stand-in.ts', import.meta.url)) },
  },
  test: {
    pool: 'forks',
    // One more than Vitest's default: many tests wait for processes of their own rather than for a processor.
    maxWorkers: availableParallelism(),
    projects: [
      project('unit', 60_000),
      project('integration', 120_000),
      project('contract', 60_000),
      project('torture', 600_000),
    ],
  },
});
