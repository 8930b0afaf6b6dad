/** Notes tests that failed in a browser, or passed only when tried again, for the end of `npm test`. */
import { relative } from 'node:path';
import type { FullResult, Reporter, Suite, TestCase, TestStep } from '@playwright/test/reporter';
import { note } from '../../electron/tooling/vitest-outcomes.mjs';

export default class Outcomes implements Reporter {
  #tests: () => TestCase[] = () => [];

  onBegin(_: unknown, suite: Suite): void {
    this.#tests = () => suite.allTests();
  }

  onEnd(_: FullResult): void {
    for (const test of this.#tests()) {
      const outcome = test.outcome();
      if (outcome !== 'unexpected' && outcome !== 'flaky') continue;
      const [, , , ...titles] = test.titlePath();
      const [result] = test.results;
      const path = [relative(process.cwd(), test.location.file), ...titles, ...failedSteps(result?.steps)];
      note({
        test: path.join(' › '),
        outcome: outcome === 'flaky' ? 'flaky' : 'failed',
        // The second error of a test that ran out of time names what it waited for.
        error: result?.errors.map(({ message }) => message).join('\n') ?? '',
      });
    }
  }

  printsToStdio(): boolean {
    return false;
  }
}

/** Titles of the step that failed, and of the steps within it. */
function failedSteps(steps: readonly TestStep[] = []): string[] {
  const failed = steps.find(({ error, category }) => error && category === 'test.step');
  return failed ? [failed.title, ...failedSteps(failed.steps)] : [];
}
