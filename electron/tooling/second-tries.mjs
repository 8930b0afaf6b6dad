/** Names the tests that failed at first and passed when tried again: each is a defect to look for, of it or of the product. */

export default class SecondTries {
  /** @param {ReadonlyArray<import('vitest/node').TestModule>} modules */
  onTestRunEnd(modules) {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky),
    );
    if (flaky.length === 0) return;
    console.log(`\n  ${flaky.length} passed only when tried again:`);
    for (const test of flaky) console.log(`    ${test.module.relativeModuleId} › ${test.fullName}`);
  }
}
