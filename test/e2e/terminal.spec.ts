/** A recorded terminal in the window: what was typed there, and the last that failed, one key away. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { listTerminal, nameTerminal } from '../../electron/host/terminal/editor-terminals.ts';
import { cliEntry } from '../fixtures/cli.ts';
import { expect, test } from './fixtures/inspector.ts';

const hasBash =
  spawnSync('bash', ['-c', '((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404))']).status === 0;

/** Types the lines in a recorded bash; its id. */
function typeIn(home: string, folder: string, lines: readonly string[], session = ''): string {
  const user = join(folder, 'user');
  mkdirSync(user);
  writeFileSync(join(user, '.bashrc'), "PS1='$ '\n");
  const { status, stderr } = spawnSync(process.execPath, [cliEntry, 'terminal', '--', 'bash'], {
    cwd: folder,
    env: { ...process.env, HOME: user, SPILLWAY_HOME: home, SPILLWAY_SESSION: session },
    input: lines.map((line) => `${line}\n`).join(''),
    encoding: 'utf8',
  });
  const id = /this terminal is (\S+)/.exec(stderr)?.[1];
  if (!id) throw new Error(`the terminal ended with ${status}: ${stderr}`);
  return id;
}

test.skip(!hasBash, 'there is no bash 4.4 or newer');

test('a terminal that is recorded while something else is shown', async ({ inspector, page }) => {
  const { folder, home } = inspector;
  const file = join(folder, 'plain.log');
  writeFileSync(file, 'a line\n');
  await inspector.open([file]);
  await expect(page.getByText('a line', { exact: true })).toBeVisible();
  await test.step('commands are not offered of anything but a terminal', async () => {
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await expect(
      page.getByRole('toolbar', { name: 'Text' }).getByRole('button', { name: /Commands/ }),
    ).toBeHidden();
    expect(readdirSync(home)).not.toContain('captures');
  });

  typeIn(home, folder, ['seq 1000 1500', 'echo it is broken; (exit 3)', 'true', 'exit']);
  await test.step('a key leads to the last command that failed from anything else', async () => {
    await expect(async () => {
      await page.keyboard.press('x');
      await expect(page.getByRole('main').getByText('it is broken', { exact: true })).toBeVisible({
        timeout: 2000,
      });
    }).toPass();
    // Its output alone, as from within the terminal.
    await expect(page.locator('[data-status="range"]')).toContainText(/^Only line \d+/);
    await expect(page.getByRole('main').getByText('1500', { exact: true })).toBeHidden();
  });

  await test.step('lists the commands of a terminal, and shows the output of each', () =>
    listsCommands(page));
  await page.keyboard.press('k');
  await test.step('has all its buttons in view in a window of any width', async () => {
    const buttons = page.getByRole('toolbar', { name: 'Text' }).getByRole('button');
    await expect(buttons.filter({ hasText: 'Commands' })).toBeVisible();
    for (const width of [1600, 1360, 1340, 1280, 1160, 1120, 1000, 860, 720, 600, 500, 440]) {
      await page.setViewportSize({ width, height: 700 });
      await expect
        .poll(() => buttons.last().evaluate((button) => button.getBoundingClientRect().right <= innerWidth))
        .toBe(true);
    }
  });
});

async function listsCommands(page: Page): Promise<void> {
  await expect(
    page.getByRole('toolbar', { name: 'Text' }).getByRole('button', { name: /Commands/ }),
  ).toBeVisible();
  await page.keyboard.press('k');
  const panel = page.getByRole('complementary', { name: 'Commands' });
  const commands = panel.getByRole('listitem');
  await expect(commands).toHaveCount(4);
  await expect(commands.nth(1)).toContainText('true');
  await expect(commands.nth(1)).toContainText('succeeded');
  await expect(commands.nth(1)).toContainText('no output');
  await expect(commands.nth(2)).toContainText('echo it is broken; (exit 3)');
  await expect(commands.nth(2)).toContainText('failed (3)');
  await expect(commands.nth(2).getByText('it is broken', { exact: true })).toBeVisible();
  await expect(commands.nth(3)).toContainText('501 lines');
  await commands.nth(3).getByRole('button').click();
  const text = page.getByRole('main');
  await expect(text.getByText('1000', { exact: true })).toBeVisible();
  await expect(page.locator('[data-line]').filter({ hasText: 'it is broken' })).toHaveCount(0);
}

test('groups the terminals of an editor by workspace, with their names there', async ({
  inspector,
  page,
}) => {
  await inspector.open([]);
  const { home, folder } = inspector;
  const id = typeIn(home, folder, ['true', 'exit'], 'shop');
  const [session = ''] = readdirSync(join(home, 'captures')).filter((name) => name.startsWith('shop'));
  nameTerminal({ folder: join(home, 'captures', session), artifactId: id }, 'dev server');
  const { pid } = process;
  const { artifactId } = listTerminal(home, { session: 'shop', name: 'build', pid, cwd: null });
  listTerminal(home, { session: 'site', name: 'docs', pid, cwd: null });
  const item = (name: RegExp) => page.getByRole('treeitem', { name });
  await expect(item(/^shop 1 running 2 items/)).toBeVisible();
  await expect(item(/^site 1 running 1 item/)).toBeVisible();
  await expect(item(/^dev server terminal .*finished/)).toBeVisible();
  await expect(item(/^docs terminal .*running/)).toBeVisible();
  await expect(item(/^build terminal .*running Incomplete .*0 B/)).toBeVisible();
  await inspector.spillway('open', artifactId);
  await expect(
    page.getByRole('heading', { name: 'What this terminal prints is not recorded' }),
  ).toBeVisible();
  await expect(page.getByText('Open a new terminal to record it')).toBeVisible();
});

test('the failures of a terminal', async ({ inspector, page }) => {
  await inspector.open([]);
  const fail = (first: number, cause: string, status: number) =>
    `seq ${first} ${first + 400}; echo "cannot open ${cause}"; seq ${first + 500} ${first + 900}; (exit ${status})`;
  const id = typeIn(inspector.home, inspector.folder, [
    fail(3000, 'a.toml', 5),
    fail(5000, 'b.toml', 6),
    'echo first failure; (exit 3)',
    'echo second failure; (exit 4)',
    'seq 1000 1500',
    'exit 0',
  ]);
  await inspector.spillway('open', id);
  const main = page.getByRole('main');
  await test.step('shows the output of the last command that failed, at a key', async () => {
    await expect(page.getByRole('button', { name: /Commands/ })).toBeVisible();
    await page.keyboard.press('t');
    await expect(main.getByText('1500', { exact: true })).toBeVisible();
    await page.keyboard.press('x');
    await expect(main.getByText('second failure', { exact: true })).toBeVisible();
    await expect(main.getByText('1500', { exact: true })).toBeHidden();
    await expect(page.getByText('exit status 4')).toBeVisible();
  });

  await test.step('goes on to the failure before, at the same key', async () => {
    for (const [output, status] of [
      ['first failure', 3],
      ['5000', 6],
      ['3000', 5],
      ['second failure', 4],
    ] as const) {
      await page.keyboard.press('x');
      await expect(main.getByText(output, { exact: true })).toBeVisible();
      await expect(page.getByRole('status').filter({ hasText: `exit status ${status}` })).toBeVisible();
    }
  });

  await test.step('steps through the lines that explain the failed command whose output is shown', async () => {
    await page.keyboard.press('k');
    const panel = page.getByRole('complementary', { name: 'Commands' });
    const text = page.locator('[data-line]');
    for (const cause of ['a.toml', 'b.toml']) {
      await panel
        .getByRole('listitem')
        .filter({ hasText: `open ${cause}"` })
        .getByRole('button')
        .click();
      await expect(page.locator('[data-status="range"]')).toBeVisible();
      await expect(text.filter({ hasText: `cannot open ${cause}` })).toBeHidden();
      await expect(async () => {
        await page.keyboard.press('e');
        await expect(text.filter({ hasText: `cannot open ${cause}` })).toBeVisible({ timeout: 2000 });
      }).toPass();
    }
  });
});
