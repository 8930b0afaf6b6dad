/** The captures of every agent in one window: grouped, filtered, switched. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { AgentHome, SESSION, SLUG } from '../../fixtures/agents/homes.ts';
import { LAYOUTS } from '../../fixtures/agents/layouts.ts';
import { test as base, expect } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';

const test = base.extend<{ agents: AgentHome }>({
  agents: async ({ inspector }, use) => {
    const agents = new AgentHome();
    for (const layout of Object.values(LAYOUTS)) agents.lay(layout);
    inspector.env = agents.env;
    await use(agents);
    await inspector.stop();
    agents.remove();
  },
});

const firstScreen = 'Agents on this machine';

test('the captures of every agent', async ({ page, inspector, agents }) => {
  await inspector.open([]);
  await test.step('the first start lists the agents that were found and says what each switch means', () =>
    asksAtFirst(page, inspector.home));

  const list = new ListPage(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await test.step('the list is grouped by agent, project and session, says the commands, and filters by agent', async () => {
    await page.getByRole('button', { name: 'All agents' }).click();
    await page.getByRole('menuitemradio', { name: 'Claude Code' }).click();
    await expect(
      list.tree.getByRole('treeitem', { name: `Claude Code · acme-api session ${SESSION.slice(0, 6)}` }),
    ).toBeVisible();
    await expect(list.item('npm run slow')).toBeVisible();
    await expect(list.items).toHaveCount(4);
    await list.item('npm run slow').click();
    await expect(page.getByRole('main').getByText('failed (exit 4)')).toBeVisible();
    await expect(page.getByText('tick 2')).toBeVisible();
    await expect(page.getByText('[exited with code 4]')).toBeHidden();
    await keep(page, 'agents-list');

    const live = agents.write(`tmp/claude-1001/${SLUG}/${SESSION}/tasks/bliveone1.output`, 'on\n');
    await expect(list.items).toHaveCount(5);
    appendFileSync(live, '\n[exited with code 0]\n');
    await page.getByRole('button', { name: 'Claude Code' }).click();
    await page.getByRole('menuitemradio', { name: 'All, and your own' }).click();
    await keep(page, 'agents-all');
    await page.setViewportSize({ width: 420, height: 700 });
    await page.keyboard.press('Control+b');
    await keep(page, 'agents-narrow');
  });

  await page.setViewportSize({ width: 1280, height: 800 });
  await test.step('the switches open by a key and switch at once', async () => {
    await page.getByRole('button', { name: 'All agents' }).click();
    await page.getByRole('menuitemradio', { name: 'pi', exact: true }).click();
    await expect(list.items).toHaveCount(1);
    await page.getByRole('main').click();
    await page.keyboard.press('A');
    const dialog = page.getByRole('dialog', { name: 'Agents’ captures' });
    await dialog.getByRole('switch', { name: 'List captures of pi' }).click();
    await expect(list.items).toHaveCount(0);
    await dialog.getByRole('switch', { name: 'List captures of pi' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(list.items).toHaveCount(1);
  });
});

async function asksAtFirst(page: Page, home: string): Promise<void> {
  const screen = page.getByRole('dialog', { name: firstScreen });
  await expect(screen.getByText('Claude Code', { exact: true })).toBeVisible();
  await expect(screen.getByRole('listitem')).toHaveCount(Object.keys(LAYOUTS).length);
  await expect(screen.getByText('Spillway only reads', { exact: false })).toBeVisible();
  await keep(page, 'agents-first');
  await page.setViewportSize({ width: 420, height: 700 });
  await keep(page, 'agents-first-narrow');

  await screen.getByRole('switch', { name: 'List captures of Goose' }).click();
  await expect(screen.getByText('not listed')).toBeVisible();
  await screen.getByRole('button', { name: 'Done' }).click();
  await expect(screen).toBeHidden();
  const config = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'));
  await expect.poll(() => config().sources).toContainEqual({ kind: 'goose', enabled: false, mcp: false });
  await expect.poll(() => config().sources).toContainEqual({ kind: 'pi', enabled: true, mcp: false });

  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
  await expect(screen).toBeHidden();
}
