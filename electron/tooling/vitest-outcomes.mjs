/** Notes tests that failed in Vitest, or passed only when tried again; prints what was held of each real agent. */
import { appendFileSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export default class Outcomes {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<{ message: string }>} unhandled errors outside of tests
   */
  onTestRunEnd(modules, unhandled) {
    for (const module of modules) {
      const file = module.relativeModuleId;
      for (const { message } of module.errors()) note({ test: file, outcome: 'failed', error: message });
      for (const suite of module.children.allSuites()) {
        const name = `${file} › ${suite.fullName}`;
        for (const { message } of suite.errors()) note({ test: name, outcome: 'failed', error: message });
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        const isFlaky = test.diagnostic()?.flaky === true;
        if (state !== 'failed' && !isFlaky) continue;
        note({
          test: `${file} › ${test.fullName}`,
          outcome: state === 'failed' ? 'failed' : 'flaky',
          error: explained(errors?.[0]),
        });
      }
    }
    printTable(modules.flatMap((module) => [...module.children.allTests()]));
    for (const { message } of unhandled)
      note({ test: 'outside of tests', outcome: 'failed', error: message });
  }
}

/**
 * A message with the lines in which two values differ: `expected {…} to deeply equal {…}` alone does not tell.
 *
 * @param {{ message: string, diff?: string } | undefined} error
 */
function explained(error) {
  const differing = stripVTControlCharacters(error?.diff ?? '').match(/^[-+] .*$/gm) ?? [];
  return [error?.message ?? '', ...differing].join('\n');
}

/**
 * Prints a row for each agent and a column for each thing that its tests noted (test/clients/driven.ts), and what is
 * different in its newest version.
 *
 * @param {readonly import('vitest/node').TestCase[]} tests
 */
function printTable(tests) {
  /** @type {Map<string, Record<string, string>>} */
  const rows = new Map();
  /** @type {Map<string, string[]>} */
  const tools = new Map();
  for (const test of tests) {
    const meta = /** @type {{ agent?: string, held?: Record<string, string | null>, tools?: string[] }} */ (
      test.meta()
    );
    const { agent, held } = meta;
    if (agent === undefined || held === undefined) continue;
    if (meta.tools) tools.set(agent, meta.tools);
    const row = rows.get(agent) ?? {};
    for (const [name, words] of Object.entries(held)) row[name] = words ?? 'NO';
    rows.set(agent, row);
  }
  if (rows.size === 0) return;
  console.table(Object.fromEntries([...rows].sort()));
  for (const line of versionChanges(rows, tools)) console.log(line);
}

/**
 * Compares the versions of each agent, named `AGENT VERSION`, with its first.
 *
 * @param {ReadonlyMap<string, Record<string, string>>} rows
 * @param {ReadonlyMap<string, readonly string[]>} tools names of the tools that each offers its model
 */
export function versionChanges(rows, tools) {
  /** @type {Map<string, string>} */
  const first = new Map();
  /** @type {Map<string, string>} */
  const changes = new Map();
  for (const [name, row] of rows) {
    const [agent = '', version] = name.split(' ');
    const before = first.get(agent);
    if (before === undefined) {
      first.set(agent, name);
      changes.set(agent, `${name}: no other version was tried`);
      continue;
    }
    const old = rows.get(before) ?? {};
    const cells = [...new Set([...Object.keys(old), ...Object.keys(row)])]
      // Figures differ by chance.
      .filter((column) => old[column]?.replaceAll(/\d+/g, '') !== row[column]?.replaceAll(/\d+/g, ''))
      .map((column) => `${column} ${old[column] ?? '-'} → ${row[column] ?? '-'}`);
    const [had, has] = [tools.get(before) ?? [], tools.get(name) ?? []];
    const offered = [
      ...has.filter((tool) => !had.includes(tool)).map((tool) => `+ tool ${tool}`),
      ...had.filter((tool) => !has.includes(tool)).map((tool) => `- tool ${tool}`),
    ];
    const found = [...cells, ...offered].join(', ') || 'nothing changed';
    changes.set(agent, `${before} → ${version}: ${found}`);
  }
  return [...changes.values()];
}

/**
 * Tests that failed, or that passed only when tried again. The runners note them here, in a file named in
 * SPILLWAY_OUTCOMES, and `npm test` names them at its very end: a log that was cut still tells them.
 */
const FILE = 'SPILLWAY_OUTCOMES';
/** Lines that are kept of an error's start, and of its end: a program that failed says the reason last. */
const KEPT_LINES = 7;

/** @typedef {{ test: string, outcome: 'failed' | 'flaky', error: string }} Outcome `error`: its first and last lines */

/** Has the runners that are started from now on note their outcomes in `file`. @param {string} file */
export function collectIn(file) {
  process.env[FILE] = file;
}

/** Does nothing in a run that `npm test` did not start. @param {Outcome} outcome */
export function note({ test, outcome, error }) {
  const file = process.env[FILE];
  if (!file) return;
  const lines = stripVTControlCharacters(error).trimEnd().split('\n');
  if (lines.length > 2 * KEPT_LINES) lines.splice(KEPT_LINES, lines.length - 2 * KEPT_LINES, '…');
  appendFileSync(file, `${JSON.stringify({ test, outcome, error: lines.join('\n') })}\n`);
}

/** @returns {Outcome[]} the noted outcomes, in the order they were noted; none where nothing was */
export function noted() {
  try {
    const text = readFileSync(process.env[FILE] ?? '', 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
