/** Names the tests that passed only when tried again. Each is a defect to look for. */

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
