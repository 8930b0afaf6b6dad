/** The controls above the list have room for their words at its usual width. */
import type { Artifact } from '../../../shared/artifact.ts';
import { dress } from '../fixtures/dressed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { logFolder } from '../fixtures/logs.ts';

/** Shows two files as what an agent runs and ran. */
function asAgents(artifact: Artifact): Artifact {
  const status = artifact.label.includes('one') ? 'running' : 'failed';
  const agent = { name: 'claude-code', project: '/srv/api', session: null, pid: null, truncated: null };
  return { ...artifact, kind: 'cmd', command: 'npm', args: ['test'], status, agent };
}

test('the agents are named beside the counts of what is running and failed', async ({ inspector, page }) => {
  await dress(page, { artifact: asAgents });
  await inspector.open([logFolder(inspector.folder, 'service', ['one.log', 'two.log'])]);
  const agents = page.getByRole('button', { name: 'All agents' });
  await expect(page.getByRole('button', { name: '1 running' })).toBeVisible();
  await expect(page.getByRole('button', { name: '1 failed' })).toBeVisible();
  const isCut = () =>
    agents.evaluate((button) => {
      const [label] = button.getElementsByTagName('span');
      return label!.scrollWidth > label!.clientWidth;
    });
  expect(await isCut()).toBe(false);
  await keep(page, 'list-controls');
});
