/** The official conformance suite against a server on Spillway's own MCP stack (`npm run conformance`). */
import { expect, test } from 'vitest';
import { REVISIONS } from '../../fixtures/mcp/client.ts';
import { runConformance, scoredScenarios } from '../../fixtures/mcp/conformance/run.ts';
import { isOnTurn } from '../../fixtures/sizes.ts';

/** One revision in each run, the other in the next: a run of the suite starts a process for each scenario. */
const revisions = REVISIONS.filter((_, i) => isOnTurn(i, REVISIONS.length));

test.each(revisions)('no scored scenario of revision %s fails', { timeout: 180_000 }, async (revision) => {
  const scored = scoredScenarios(revision);
  expect(scored.length).toBeGreaterThan(25);
  const checks = await runConformance(revision);
  const ran = new Set(checks.map((check) => check.scenario));
  expect(scored.filter((scenario) => !ran.has(scenario))).toEqual([]);
  const failed = checks.filter((check) => check.status === 'FAILURE' && scored.includes(check.scenario));
  const said = failed.map((check) => `${check.scenario}: ${check.id}: ${check.errorMessage}`);
  expect(said.join('\n')).toBe('');
  if (process.env.SPILLWAY_SHOW_CHECKS) console.log(tally(checks, scored));
});

function tally(checks: { scenario: string; status: string }[], scored: string[]): string {
  const count = (status: string) => checks.filter((check) => check.status === status).length;
  const unscored = checks.filter((check) => check.status === 'FAILURE' && !scored.includes(check.scenario));
  return `${count('SUCCESS')} passed, ${count('FAILURE')} failed, of these not scored: ${[...new Set(unscored.map((check) => check.scenario))].join(', ')}`;
}
