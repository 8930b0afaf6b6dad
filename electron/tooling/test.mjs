/**
 * `npm test [-- [--full] [STEP…]]`: runs every check and test, each step under its heading, then prints a summary.
 * Works on a fresh clone: installs, builds, and gets a browser if there is none. `--full` runs the expensive tests
 * at full size (test/fixtures/sizes.ts).
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './building/targets.mjs';
import { obtainBrowser } from './machine/browser.mjs';
import { ensure } from './machine/ensure.mjs';
import { followParent } from './machine/parent.mjs';
import { fail, Problem } from './machine/progress.mjs';
import { obtainVsCode } from './machine/vscode.mjs';
import { collectIn, noted } from './outcomes.mjs';

/** @typedef {{ skipped: string }} Skipped why nothing was tested, and what to do, in a sentence */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} what
 * @property {(names: string[]) => Promise<boolean | Skipped>} run gets the names of all steps that it runs together
 * @property {string} [needs] the step that must pass first, if it runs
 * @property {true} [extra] runs only when it is named
 */

const FULL = '--full';
/** The tag of end-to-end tests that run one at a time. */
const MEASURED = '@measured';

const bin = (/** @type {string} */ path) => join(root, 'node_modules', path);

/** @type {Step[]} */
const steps = [
  {
    name: 'lint',
    what: 'format and lint',
    run: () => node(bin('@biomejs/biome/bin/biome'), 'ci', '--error-on-warnings'),
  },
  { name: 'types', what: 'types', run: checkTypes },
  {
    name: 'boundaries',
    what: 'which room may import which',
    run: () => node('electron/tooling/boundaries/check.mjs'),
  },
  { name: 'build', what: 'build', run: build },
  { name: 'unit', what: 'unit tests', run: vitest },
  { name: 'integration', what: 'integration tests', run: vitest, needs: 'build' },
  { name: 'contract', what: 'contract tests', run: vitest, needs: 'build' },
  { name: 'e2e', what: 'end-to-end tests in a browser', run: endToEnd, needs: 'build' },
  { name: 'torture', what: 'torture tests', run: vitest, needs: 'build', extra: true },
  {
    name: 'clients',
    what: 'real agents from the npm registry, with a fake model',
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
  await ensure({ only: 'packages' });
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
  const names = args.filter((arg) => arg !== FULL);
  const known = steps.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown)
    throw new Problem(`there is no step ${unknown}`, `name some of ${known.join(', ')}; or ${FULL}`);
  if (names.length === 0) return steps.filter(({ extra }) => !extra);
  const needed = steps.flatMap(({ name, needs }) => (needs && names.includes(name) ? [needs] : []));
  return steps.filter(({ name }) => names.includes(name) || needed.includes(name));
}

/** @typedef {'passed' | 'failed' | 'not run' | 'SKIPPED'} Outcome */
/** @typedef {{ steps: Step[], outcome: Outcome, seconds: number, why?: string }} Result */

/** @param {Step[]} chosen */
async function runAll(chosen) {
  /** @type {Result[]} */
  const results = [];
  const lacks = (/** @type {Step} */ { needs }) =>
    results.some(({ steps, outcome }) => outcome !== 'passed' && steps.some(({ name }) => name === needs));
  for (const together of inOneStart(chosen)) {
    const blocked = together.filter(lacks);
    const steps = together.filter((step) => !blocked.includes(step));
    if (steps.length > 0) results.push(await runOne(steps));
    if (blocked.length > 0) results.push({ steps: blocked, outcome: 'not run', seconds: 0 });
  }
  return results;
}

/** Groups steps with the same runner, so that its workers stay busy. @param {Step[]} chosen */
function inOneStart(chosen) {
  /** @type {Step[][]} */
  const groups = [];
  for (const step of chosen) {
    const last = groups.at(-1);
    if (last?.[0]?.run === step.run) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** @param {Step[]} steps @returns {Promise<Result>} */
async function runOne(steps) {
  const names = steps.map(({ name }) => name);
  console.log(`\n=== ${inWords(steps)} (npm test -- ${names.join(' ')}) ===`);
  const started = Date.now();
  const passed = await steps[0]?.run(names);
  const seconds = (Date.now() - started) / 1000;
  if (typeof passed === 'object') return { steps, outcome: 'SKIPPED', seconds, why: passed.skipped };
  return { steps, outcome: passed ? 'passed' : 'failed', seconds };
}

/** @param {Step[]} steps */
function inWords(steps) {
  return steps.map(({ what }) => what).join(', ');
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
  const count = (/** @type {Outcome} */ outcome) =>
    results.flatMap((result) => (result.outcome === outcome ? result.steps : [])).length;
  const notRun = count('not run') > 0 ? `, ${count('not run')} not run` : '';
  const skipped = count('SKIPPED') > 0 ? `, ${count('SKIPPED')} SKIPPED: nothing of it was tested` : '';
  console.log(`steps: ${count('passed')} passed, ${count('failed')} failed${notRun}${skipped}`);
  return results.every(({ outcome }) => outcome === 'passed' || outcome === 'SKIPPED');
}

async function checkTypes() {
  let passed = true;
  for (const room of ['shared', 'electron', 'renderer', 'test']) {
    passed = (await node(bin('typescript/bin/tsc'), '-p', room)) && passed;
  }
  return passed;
}

/** @param {string[]} projects */
function vitest(projects) {
  const chosen = projects.flatMap((project) => ['--project', project]);
  return node(bin('vitest/vitest.mjs'), 'run', ...chosen, '--passWithNoTests');
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

async function endToEnd() {
  try {
    process.env.SPILLWAY_BROWSER = await obtainBrowser();
  } catch (error) {
    console.error(error instanceof Problem ? error.message : error);
    return false;
  }
  console.log(`in ${process.env.SPILLWAY_BROWSER}`);
  const config = ['--config', 'test/e2e/playwright.config.ts', '--pass-with-no-tests'];
  const playwright = (/** @type {string[]} */ ...args) =>
    node(bin('@playwright/test/cli.js'), 'test', ...config, ...args);
  const passed = await playwright('--grep-invert', MEASURED);
  // Tests that measure frames or memory must not share the machine.
  return (await playwright('--grep', MEASURED, '--workers', '1')) && passed;
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
  return node(bin('@playwright/test/cli.js'), 'test', '--config', 'test/vscode/playwright.config.ts');
}

/** Runs a tool. Resolves with whether it exited with 0. @param {string[]} args @returns {Promise<boolean>} */
function node(...args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const passOn = (/** @type {NodeJS.Signals} */ signal) => {
    child.kill(signal);
    process.exitCode = 1;
  };
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, passOn);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      for (const name of signals) process.off(name, passOn);
      if (signal) reject(new Problem(`ended by ${signal}`, 'run it again'));
      else resolve(code === 0);
    });
  });
}
