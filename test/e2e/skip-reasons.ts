/** Says at the end which tests were skipped, and why: what does not run must not look like what passes. */
import type { Reporter, TestCase } from '@playwright/test/reporter';

export default class SkipReasons implements Reporter {
  readonly #counts = new Map<string, number>();

  onTestEnd(test: TestCase): void {
    for (const { type, description } of test.annotations) {
      if (type !== 'skip' && type !== 'fixme') continue;
      const reason = description ?? 'without a reason';
      this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    }
  }

  onEnd(): void {
    for (const [reason, count] of this.#counts) console.log(`  ${count} skipped: ${reason}`);
  }

  printsToStdio(): boolean {
    return false;
  }
}
