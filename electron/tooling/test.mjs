/**
 * `npm test [-- [--full] [STEP…]]`: runs the checks and tests, each step under its heading, then prints a summary.
 * Works on a fresh clone: installs, builds, and gets a browser if there is none. `--full` runs the expensive tests
 * at full size (test/fixtures/sizes.ts).
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from './building/targets.mjs';
import { announceInstall, headlessShell, obtainBrowser } from './machine/browser.mjs';
import { ensure } from './machine/ensure.mjs';
import { followParent } from './machine/environment.mjs';
import { nodeVersions } from './machine/node-versions.mjs';
import { fail, Problem } from './machine/progress.mjs';
import { obtainVsCode } from './machine/vscode.mjs';
import { inWords, runAll } from './run-steps.mjs';
import chooseSeed, { leftOut } from './turns.mjs';
import { collectIn, noted } from './vitest-outcomes.mjs';

/** Whether a test installs packages. */
let downloads = false;

/** @typedef {import('./run-steps.mjs').Step} Step */
/** @typedef {import('./run-steps.mjs').Output} Output */
/** @typedef {import('./run-steps.mjs').Outcome} Outcome */
/** @typedef {import('./run-steps.mjs').Result} Result */

const FULL = '--full';
/** The tag of end-to-end tests that run one at a time. */
const MEASURED = '@measured';

const bin = (/** @type {string} */ path) => join(root, 'node_modules', path);

/** @type {Step[]} */
const steps = [
  {
    name: 'lint',
    what: 'format and lint',
    run: (_, output) => node(output, bin('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings'),
  },
  { name: 'types', what: 'types', run: (_, output) => checkTypes(output), beside: true },
  {
    name: 'boundaries',
    what: 'which room may import which',
    run: (_, output) => node(output, 'electron/tooling/boundaries/check.mjs'),
    beside: true,
  },
  { name: 'build', what: 'build', run: build },
  { name: 'unit', what: 'unit tests', run: vitest },
  { name: 'integration', what: 'integration tests', run: vitest, needs: 'build' },
  { name: 'contract', what: 'contract tests', run: vitest, needs: 'build' },
  {
    name: 'e2e',
    what: 'end-to-end tests in a browser',
    run: (_, output) => endToEnd(output, '--grep-invert', MEASURED),
    // In a folder of their own, as each run empties its folder: pictures of tests that failed before must stay.
    alone: () =>
      endToEnd(undefined, '--grep', MEASURED, '--workers', '1', '--output', 'test-results/measured'),
    needs: 'build',
    // Either leaves a third of the processors idle, waiting for processes and pages.
    beside: true,
  },
  { name: 'torture', what: 'torture tests', run: vitest, needs: 'build', extra: true },
  {
    name: 'clients',
    what: 'real agents from the npm registry, with a fake model',
    run: vitest,
    needs: 'build',
    extra: true,
  },
  {
    name: 'distributed',
    what: 'the archive on a real Ceph, with a real ClickHouse',
    run: onCeph,
    needs: 'build',
    extra: true,
  },
  {
    name: 'node',
    what: 'unit and contract tests with each supported Node.js, from the npm registry',
    run: onEachNode,
    needs: 'build',
    extra: true,
  },
  {
    name: 'packages',
    what: 'the packages, built around a stand-in for the runtime',
    run: vitest,
    needs: 'build',
    extra: true,
  },
  {
    name: 'vscode',
    what: 'the extension in a real VS Code from the npm registry',
    run: inVsCode,
    needs: 'build',
    extra: true,
  },
];

followParent();
const folder = mkdtempSync(join(tmpdir(), 'spillway-test-'));
try {
  collectIn(join(folder, 'outcomes'));
  const chosen = choose(process.argv.slice(2));
  chooseSeed();
  await ensure({ only: 'packages' });
  if (chosen.some(({ name }) => name === 'e2e')) await announceInstall();
  downloads = process.env.SPILLWAY_FULL === '1' || chosen.some(({ extra }) => extra);
  const results = await runAll(chosen);
  if (!summarise(results)) process.exitCode = 1;
} catch (error) {
  fail(error);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string[]} args @returns {Step[]} */
function choose(args) {
  if (args.includes(FULL)) process.env.SPILLWAY_FULL = '1';
  // Here, not in turns.mjs: a runner that is started by itself tries each file it is given.
  process.env.SPILLWAY_TEST_FILES ??= process.env.SPILLWAY_FULL === '1' ? '1' : '4';
  const names = args.filter((arg) => arg !== FULL);
  const known = steps.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown)
    throw new Problem(`there is no step ${unknown}`, `name some of ${known.join(', ')}; or ${FULL}`);
  if (names.length === 0) return steps.filter(({ extra }) => !extra);
  const needed = steps.flatMap(({ name, needs }) => (needs && names.includes(name) ? [needs] : []));
  return steps.filter(({ name }) => names.includes(name) || needed.includes(name));
}

/** @param {Result[]} results */
function summarise(results) {
  console.log('\n=== summary ===');
  for (const { steps, outcome, seconds, why } of results) {
    const detail =
      why ?? (outcome === 'not run' ? `because ${steps[0]?.needs} did not pass` : `${seconds.toFixed(1)} s`);
    console.log(`${outcome.padEnd(8)} ${inWords(steps)}, ${detail}`);
  }
  for (const { test, outcome, error } of noted()) {
    console.log(`${outcome === 'flaky' ? 'passed only when tried again' : 'FAILED'}: ${test}`);
    console.log(error.replace(/^/gm, '    '));
  }
  for (const kind of /** @type {const} */ (['contract', 'integration', 'e2e'])) {
    const ran = results.some(({ steps }) => steps.some(({ name }) => name === kind));
    const files = ran ? leftOut(kind) : [];
    if (files.length > 0)
      console.log(`not in this run (npm test -- --full tries all): test/${kind}/{${files.join(',')}}`);
  }
  const count = (/** @type {Outcome} */ outcome) =>
    results.flatMap((result) => (result.outcome === outcome ? result.steps : [])).length;
  const notRun = count('not run') > 0 ? `, ${count('not run')} not run` : '';
  const skipped = count('SKIPPED') > 0 ? `, ${count('SKIPPED')} SKIPPED: nothing of it was tested` : '';
  console.log(`steps: ${count('passed')} passed, ${count('failed')} failed${notRun}${skipped}`);
  return results.every(({ outcome }) => outcome === 'passed' || outcome === 'SKIPPED');
}

/** @param {Output} [output] */
async function checkTypes(output) {
  let passed = true;
  for (const room of ['shared', 'electron', 'renderer', 'test']) {
    passed = (await node(output, bin('typescript/bin/tsc'), '-p', room)) && passed;
  }
  return passed;
}

/** @param {string[]} projects @param {Output} [output] */
function vitest(projects, output) {
  // With those of its files that have a process of their own.
  const chosen = projects.flatMap((project) => ['--project', `${project}*`]);
  return node(output, bin('vitest/vitest.mjs'), 'run', ...chosen, '--passWithNoTests');
}

async function build() {
  try {
    await ensure({ verbose: true });
    return true;
  } catch (error) {
    console.error(error instanceof Problem ? error.message : error);
    return false;
  }
}

/** @param {Output | undefined} output @param {string[]} args */
async function endToEnd(output, ...args) {
  try {
    process.env.SPILLWAY_BROWSER = headlessShell() ?? (await obtainBrowser());
  } catch (error) {
    console.error(error instanceof Problem ? error.message : error);
    return false;
  }
  (output ?? process.stdout).write(`in ${process.env.SPILLWAY_BROWSER}\n`);
  const config = ['--config', 'test/e2e/playwright.config.ts', '--pass-with-no-tests'];
  return node(output, bin('@playwright/test/cli.js'), 'test', ...config, ...args);
}

/** Skipped if no registry answers. Each version starts the command with itself. */
async function onEachNode() {
  let versions;
  try {
    versions = nodeVersions();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(`SKIPPED, NO OTHER NODE.JS WAS TRIED: ${error.message}`);
    return { skipped: error.message };
  }
  let passed = true;
  for (const { name, program } of versions) {
    console.log(`--- with ${name}`);
    const given = ['run', '--project', 'unit', '--project', 'contract'];
    passed = (await run(undefined, program, bin('vitest/vitest.mjs'), ...given)) && passed;
  }
  return passed;
}

/** Skipped if VS Code can't be installed. */
async function inVsCode() {
  try {
    process.env.SPILLWAY_BROWSER = await obtainBrowser();
    const { node: runtime, server } = obtainVsCode();
    process.env.SPILLWAY_VSCODE_NODE = runtime;
    process.env.SPILLWAY_VSCODE_SERVER = server;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(`SKIPPED, NOTHING WAS TESTED IN VS CODE: ${error.message}`);
    return { skipped: error.message };
  }
  return node(
    undefined,
    bin('@playwright/test/cli.js'),
    'test',
    '--config',
    'test/vscode/playwright.config.ts',
  );
}

/**
 * Skipped without the programs that test/distributed/ceph.sh starts.
 * @param {string[]} projects @param {Output} [output]
 */
async function onCeph(projects, output) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const started = ['ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'curl'];
  const missing = started.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  if (missing.length === 0) return vitest(projects, output);
  const why = `there is no ${missing.join(', ')}: apt-get install ceph-mon ceph-osd radosgw ceph-common curl`;
  console.error(`SKIPPED, NOTHING WAS TESTED ON CEPH: ${why}`);
  return { skipped: why };
}

/** @param {Output | undefined} output @param {string[]} args */
function node(output, ...args) {
  return run(output, process.execPath, ...args);
}

/**
 * Leaves out NODE_EXTRA_CA_CERTS, unless a test installs packages. Node.js 20 reads those certificates at each start,
 * which takes 90 ms of processor time, and tests start thousands of processes.
 */
function environment() {
  const { NODE_EXTRA_CA_CERTS: _, ...others } = process.env;
  return downloads ? process.env : others;
}

/**
 * Runs a tool. Resolves with whether it exited with 0.
 * @param {Output | undefined} output
 * @param {string} program a Node.js
 * @param {string[]} args
 * @returns {Promise<boolean>}
 */
function run(output, program, ...args) {
  const child = spawn(program, args, {
    cwd: root,
    env: environment(),
    stdio: output ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  for (const stream of [child.stdout, child.stderr]) if (output) stream?.pipe(output, { end: false });
  /** @type {NodeJS.Signals | undefined} */
  let passedOn;
  const passOn = (/** @type {NodeJS.Signals} */ signal) => {
    passedOn = signal;
    child.kill(signal);
    process.exitCode = 1;
  };
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, passOn);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const name of signals) process.off(name, passOn);
      // Vitest and Playwright exit with a status of their own; nothing else is to start.
      const endedBy = signal ?? passedOn;
      if (endedBy) reject(new Problem(`ended by ${endedBy}`, 'run it again'));
      else resolve(code === 0);
    });
  });
}
