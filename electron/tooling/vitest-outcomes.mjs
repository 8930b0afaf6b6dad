/** Notes tests that failed in Vitest, or passed only when tried again; prints what was held of each real agent. */
import { note } from './outcomes.mjs';

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
          error: errors?.[0]?.message ?? '',
        });
      }
    }
    printTable(modules.flatMap((module) => [...module.children.allTests()]));
    for (const { message } of unhandled)
      note({ test: 'outside of tests', outcome: 'failed', error: message });
  }
}

/**
 * Prints a row for each agent and a column for each thing that its tests noted (test/clients/driven.ts).
 *
 * @param {readonly import('vitest/node').TestCase[]} tests
 */
function printTable(tests) {
  /** @type {Map<string, Record<string, string>>} */
  const rows = new Map();
  for (const test of tests) {
    const { agent, held } = /** @type {{ agent?: string, held?: Record<string, string | null> }} */ (
      test.meta()
    );
    if (agent === undefined || held === undefined) continue;
    const row = rows.get(agent) ?? {};
    for (const [name, words] of Object.entries(held)) row[name] = words ?? 'NO';
    rows.set(agent, row);
  }
  if (rows.size > 0) console.table(Object.fromEntries([...rows].sort()));
}
