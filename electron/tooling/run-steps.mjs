/** Runs the steps of `npm test`, some at the same time. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';

/** @typedef {import('node:stream').Writable} Output where to print; the terminal, if there is none */
/** @typedef {{ skipped: string }} Skipped why nothing was tested, and what to do, in a sentence */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} what
 * @property {(names: string[], output?: Output) => Promise<boolean | Skipped>} run gets the names of all steps that it
 *   runs together
 * @property {() => Promise<boolean>} [alone] its part that must not share the machine
 * @property {true} [beside] may run at the same time as the step before it; what it prints comes after
 * @property {string} [needs] the step that must pass first, if it runs
 * @property {true} [extra] runs only when it is named
 */

/** @typedef {'passed' | 'failed' | 'not run' | 'SKIPPED'} Outcome */
/** @typedef {{ steps: Step[], outcome: Outcome, seconds: number, why?: string }} Result */

/** More than any step prints. */
const HELD_BYTES = 64 * 1024 * 1024;

/** @param {Step[]} chosen */
export async function runAll(chosen) {
  /** @type {Result[]} */
  const results = [];
  const lacks = (/** @type {Step} */ { needs }) =>
    results.some(({ steps, outcome }) => outcome !== 'passed' && steps.some(({ name }) => name === needs));
  for (const groups of sideBySide(inOneStart(chosen))) {
    const blocked = groups.flat().filter(lacks);
    const free = groups.map((steps) => steps.filter((step) => !blocked.includes(step)));
    results.push(...(await runGroups(free.filter((steps) => steps.length > 0))));
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

/** Puts groups together that run at the same time. @param {Step[][]} groups */
function sideBySide(groups) {
  /** @type {Step[][][]} */
  const together = [];
  for (const group of groups) {
    const last = together.at(-1);
    const mayJoin = group.every(
      ({ beside, needs }) => beside && !last?.flat().some(({ name }) => name === needs),
    );
    if (last && mayJoin) last.push(group);
    else together.push([group]);
  }
  return together;
}

/**
 * Runs groups at the same time. The first prints as it runs; each other one when those before it have ended.
 * @param {Step[][]} groups
 */
async function runGroups(groups) {
  const outputs = groups.map((_, at) =>
    at === 0 ? undefined : new PassThrough({ highWaterMark: HELD_BYTES }),
  );
  const running = groups.map((steps, at) => runOne(steps, outputs[at]).finally(() => outputs[at]?.end()));
  // Until its turn comes, a failure waits too.
  for (const result of running) result.catch(() => {});
  /** @type {Result[]} */
  const results = [];
  for (const [at, result] of running.entries()) {
    const output = outputs[at];
    output?.pipe(process.stdout, { end: false });
    if (output) await once(output, 'end');
    results.push(await result);
  }
  for (const result of results) await runAlone(result);
  return results;
}

/** @param {Step[]} steps @param {Output} [output] @returns {Promise<Result>} */
async function runOne(steps, output) {
  const names = steps.map(({ name }) => name);
  (output ?? process.stdout).write(`\n=== ${inWords(steps)} (npm test -- ${names.join(' ')}) ===\n`);
  const started = Date.now();
  const passed = await steps[0]?.run(names, output);
  const seconds = (Date.now() - started) / 1000;
  if (typeof passed === 'object') return { steps, outcome: 'SKIPPED', seconds, why: passed.skipped };
  return { steps, outcome: passed ? 'passed' : 'failed', seconds };
}

/** Adds what must not share the machine. @param {Result} result */
async function runAlone(result) {
  for (const { what, alone } of result.steps) {
    if (!alone) continue;
    console.log(`\n=== ${what}: those that measure ===`);
    const started = Date.now();
    if (!(await alone())) result.outcome = 'failed';
    result.seconds += (Date.now() - started) / 1000;
  }
}

/** @param {Step[]} steps */
export function inWords(steps) {
  return steps.map(({ what }) => what).join(', ');
}
