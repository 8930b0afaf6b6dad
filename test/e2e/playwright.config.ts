/**
 * The tests in a real browser. `npm test -- e2e` finds one, names it in SPILLWAY_BROWSER, and runs tests with the tag
 * @measured one at a time, after the others.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { TEST_ENVIRONMENT } from '../../electron/tooling/machine/environment.mjs';
import chooseSeed, { leftOut } from '../../electron/tooling/turns.mjs';

// Before the workers start, which get both from the environment.
Object.assign(process.env, TEST_ENVIRONMENT);
chooseSeed();

const executablePath = process.env.SPILLWAY_BROWSER;
const asRoot = process.getuid?.() === 0;

const THRIFTY = [
  // One process for all pages of a worker, empty ones too: it keeps the compiled code of the interface.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  // Pages live for seconds: optimizing their code costs more than it saves.
  '--js-flags=--no-opt --no-maglev --always-sparkplug',
];

export default defineConfig({
  testDir: '.',
  testIgnore: leftOut('e2e').map((path) => `**/e2e/${path}`),
  globalSetup: fileURLToPath(new URL('fixtures/shared-folder.ts', import.meta.url)),
  outputDir: fileURLToPath(new URL('../../test-results', import.meta.url)),
  reporter: [['list'], ['./skip-reasons.ts'], ['./outcomes.ts']],
  // Tests wait for pages and hosts for a third of their time. With one fewer, `npm test` took as long.
  workers: availableParallelism() + 1,
  fullyParallel: true,
  timeout: 180_000,
  // A busy machine is slow, not wrong.
  expect: { timeout: 45_000 },
  // A test that passes only at its second try is listed as flaky at the end.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  use: {
    browserName: 'chromium',
    // A worker's tests share a page, emptied between them.
    reuseContext: true,
    viewport: { width: 1280, height: 800 },
    // An action that can't be done then says so, rather than the whole test that its time is over.
    actionTimeout: 60_000,
    // A trace of every test costs a fifth of the suite's time; `--trace retain-on-failure` asks for it.
    trace: 'off',
    // `inspector` takes one of a test that failed; Playwright would take one of each empty page.
    screenshot: 'off',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: THRIFTY,
      chromiumSandbox: !asRoot,
    },
  },
});
