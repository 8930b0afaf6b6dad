/**
 * `npm test [-- STEP…]`: every check and test, each step under its heading, and at the end what became of them. Works
 * as the first command on a fresh clone: installs and builds, and gets a browser where there is none.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { obtainBrowser } from './browser.mjs';
import { ensure } from './ensure.mjs';
import { followParent } from './parent.mjs';
import { fail, Problem } from './progress.mjs';
import { root } from './targets.mjs';

/** @typedef {{ name: string, what: string, run: () => Promise<boolean>, needs?: string, extra?: true }} Step `extra` ones run only when named */

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
    run: () => node('electron/tooling/boundaries.mjs'),
  },
  { name: 'build', what: 'build', run: build },
  { name: 'unit', what: 'unit tests', run: () => vitest('unit') },
  { name: 'integration', what: 'integration tests', run: () => vitest('integration'), needs: 'build' },
  { name: 'contract', what: 'contract tests', run: () => vitest('contract'), needs: 'build' },
  { name: 'e2e', what: 'end-to-end tests in a browser', run: endToEnd, needs: 'build' },
  { name: 'torture', what: 'torture tests', run: () => vitest('torture'), needs: 'build', extra: true },
];

followParent();
try {
  const chosen = choose(process.argv.slice(2));
  await ensure({ only: 'packages' });
  const results = await runAll(chosen);
  if (!summarise(results)) process.exitCode = 1;
} catch (error) {
  fail(error);
}

/** @param {string[]} names @returns {Step[]} */
function choose(names) {
  const known = steps.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) throw new Problem(`there is no step ${unknown}`, `the steps are ${known.join(', ')}`);
  if (names.length === 0) return steps.filter(({ extra }) => !extra);
  const needed = steps.flatMap(({ name, needs }) => (needs && names.includes(name) ? [needs] : []));
  return steps.filter(({ name }) => names.includes(name) || needed.includes(name));
}

/** @typedef {{ step: Step, outcome: 'passed' | 'failed' | 'not run', seconds: number }} Result */

/** @param {Step[]} chosen */
async function runAll(chosen) {
  /** @type {Result[]} */
  const results = [];
  for (const step of chosen) {
    const blocked = results.some((result) => result.step.name === step.needs && result.outcome !== 'passed');
    if (blocked) {
      results.push({ step, outcome: 'not run', seconds: 0 });
      continue;
    }
    console.log(`\n=== ${step.what} (npm test -- ${step.name}) ===`);
    const started = Date.now();
    const passed = await step.run();
    results.push({ step, outcome: passed ? 'passed' : 'failed', seconds: (Date.now() - started) / 1000 });
  }
  return results;
}

/** @param {Result[]} results */
function summarise(results) {
  console.log('\n=== summary ===');
  for (const { step, outcome, seconds } of results) {
    const detail = outcome === 'not run' ? `because ${step.needs} did not pass` : `${seconds.toFixed(1)} s`;
    console.log(`${outcome.padEnd(8)} ${step.what}, ${detail}`);
  }
  const count = (/** @type {Result['outcome']} */ outcome) =>
    results.filter((result) => result.outcome === outcome).length;
  const notRun = count('not run') > 0 ? `, ${count('not run')} not run` : '';
  console.log(`steps: ${count('passed')} passed, ${count('failed')} failed${notRun}`);
  return count('passed') === results.length;
}

async function checkTypes() {
  let passed = true;
  for (const room of ['shared', 'electron', 'renderer', 'test']) {
    passed = (await node(bin('typescript/bin/tsc'), '-p', room)) && passed;
  }
  return passed;
}

/** @param {string} project */
function vitest(project) {
  return node(bin('vitest/vitest.mjs'), 'run', '--project', project, '--passWithNoTests');
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
  return node(
    bin('@playwright/test/cli.js'),
    'test',
    '--config',
    'test/e2e/playwright.config.ts',
    '--pass-with-no-tests',
  );
}

/** Runs one of the tools; true when it is content. @param {string[]} args @returns {Promise<boolean>} */
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
