/** The controls above the list, the groups they make, and the columns of a wide list. */
import type { Artifact } from '../../../shared/artifact.ts';
import { dress } from '../fixtures/dressed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';
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

test('runs are listed by command, and a wide list shows a cause over two lines', async ({
  inspector,
  page,
}) => {
  const cause =
    'src/server/handlers/sessions.ts(45,18): error TS2345: Argument of type string is not assignable to Session';
  const asRun = (artifact: Artifact): Artifact => {
    const number = Number.parseInt(artifact.label, 10);
    const failed = number % 2 === 1;
    return {
      ...artifact,
      ...{
        kind: 'cmd',
        source: 'captures',
        command: number === 3 ? 'make' : 'npm',
        args: ['test'],
        cwd: '/w',
      },
      ...{ status: failed ? 'failed' : 'succeeded', exit_code: failed ? 2 : 0, duration_ms: 12_300 },
      cause: failed ? { stream: 'stdout', line_number: 3, text: cause } : null,
    };
  };
  await dress(page, { artifact: asRun });
  await inspector.open([logFolder(inspector.folder, 'runs', ['0.log', '1.log', '2.log', '3.log', '5.log'])]);
  const list = new ListPage(page);
  await list.groupBy('By command');
  const runs = list.heading('npm test');
  await expect(runs).toHaveText(/npm test.*2 failed4 runs/);
  await expect(list.items).toHaveCount(1);
  await expect(list.items).toContainText('make test');
  await runs.click();
  await expect(list.items).toHaveCount(5);
  await list.groupBy('By day');
  await expect(list.heading('Today')).toHaveText(/Today.*5/);

  await page.setViewportSize({ width: 1400, height: 700 });
  const failed = list.items.filter({ hasText: 'TS2345' }).first();
  const causeLines = () =>
    failed.getByText('TS2345').evaluate((element) => Math.round(element.getBoundingClientRect().height / 18));
  expect(await causeLines()).toBe(1);
  await keep(page, 'list-by-day');
  await page.getByRole('separator', { name: 'Width of the list' }).press('End');
  await expect.poll(causeLines).toBe(2);
  const edges = await list.items.evaluateAll((items) =>
    items.map((item) => item.querySelector('time')!.getBoundingClientRect().right),
  );
  expect(new Set(edges).size).toBe(1);
  await keep(page, 'list-columns');
});
