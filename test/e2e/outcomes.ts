/** Notes tests that failed in a browser, or passed only when tried again, for the end of `npm test`. */
import { relative } from 'node:path';
import type { FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { note } from '../../electron/tooling/outcomes.mjs';

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
      note({
        test: [relative(process.cwd(), test.location.file), ...titles].join(' › '),
        outcome: outcome === 'flaky' ? 'flaky' : 'failed',
        error: test.results[0]?.error?.message ?? '',
      });
    }
  }

  printsToStdio(): boolean {
    return false;
  }
}
