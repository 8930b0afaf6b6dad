/** Notes tests that failed in Vitest, or passed only when tried again. */
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
    for (const { message } of unhandled)
      note({ test: 'outside of tests', outcome: 'failed', error: message });
  }
}
