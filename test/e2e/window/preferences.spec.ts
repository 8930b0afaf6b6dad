/** Preferences: changes reach config.json and the text at once, and follow the file when it is edited by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';

test('a setting is changed, refused, reset, and follows config.json', async ({ inspector, page }) => {
  const log = writeLines(inspector.folder, 'app.log', 200, logLine);
  const text = await inspector.open([log]);
  await text.counted(200);
  await text.scroller.focus();
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Preferences' });
  const where = (await dialog.getByText(/ are kept in /).textContent())!.split(' are kept in ')[1]!;
  const file = () => JSON.parse(readFileSync(where, 'utf8')) as Record<string, unknown>;
  expect(where.endsWith(join('', 'config.json'))).toBe(true);

  const find = dialog.getByRole('searchbox', { name: 'Find a preference' });
  await expect(find).toBeFocused();
  await find.fill('keep captures');
  await expect(dialog.locator('[data-preference]:visible')).toHaveCount(1);
  await find.fill('nonesuch');
  await expect(dialog.getByText('No preference has these words')).toBeVisible();
  await find.fill('');

  const keep = dialog.getByLabel('Keep captures for', { exact: true });
  await expect(keep).toHaveValue('24');
  await keep.fill('7 days');
  await keep.press('Enter');
  await expect(keep).toHaveValue('168');
  expect(file().retentionHours).toBe(168);

  const most = dialog.getByLabel('Most of one output', { exact: true });
  await most.fill('plenty');
  await most.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('It must be a whole number of 0 or more');
  expect(file()).not.toHaveProperty('maxStreamBytes');
  await most.fill('2 GiB');
  await most.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  expect(file().maxStreamBytes).toBe(2 * 1024 ** 3);

  await dialog.getByRole('button', { name: 'Reset Keep captures for' }).click();
  await expect(keep).toHaveValue('24');
  expect(file()).not.toHaveProperty('retentionHours');

  writeFileSync(where, JSON.stringify({ ...file(), editor: 'code -g {file}:{line}' }));
  await expect(dialog.getByLabel('Command of the editor', { exact: true })).toHaveValue(
    'code -g {file}:{line}',
  );
});

test('the desktop app, watched folders and exceptions of masking have their settings, and the window its defaults', async ({
  inspector,
  page,
}) => {
  const log = writeLines(inspector.folder, 'app.log', 20, logLine);
  const text = await inspector.open([log]);
  await text.counted(20);
  await text.scroller.focus();
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Preferences' });
  const where = (await dialog.getByText(/ are kept in /).textContent())!.split(' are kept in ')[1]!;
  const file = () => JSON.parse(readFileSync(where, 'utf8')) as Record<string, unknown>;

  await dialog.getByRole('button', { name: 'When the window is closed: quit' }).click();
  await page.getByRole('menuitemradio', { name: 'tray' }).click();
  await dialog.getByRole('switch', { name: 'Notify when a command ends' }).click();
  await expect.poll(file).toMatchObject({ whenClosed: 'tray', notifyEnded: true });
  await dialog.getByRole('button', { name: 'Reset When the window is closed' }).click();
  await expect.poll(file).not.toHaveProperty('whenClosed');

  const add = dialog.getByLabel('Path of another folder', { exact: true });
  await add.fill(inspector.folder);
  await add.press('Enter');
  const pattern = dialog.getByLabel(`Pattern of ${inspector.folder}`, { exact: true });
  await pattern.fill('*.log');
  await pattern.press('Enter');
  await expect.poll(file).toMatchObject({ sources: [{ path: inspector.folder, pattern: '*.log' }] });
  const clients = dialog.getByLabel('Agents whose replies are not masked', { exact: true });
  await clients.fill('codex');
  await clients.blur();
  await expect.poll(file).toMatchObject({ redact: { mcp: true, exceptClients: ['codex'] } });

  const wrap = dialog.getByRole('switch', { name: 'Wrap long lines' });
  await wrap.click();
  await dialog.getByRole('button', { name: 'Reset Wrap long lines' }).click();
  await expect(wrap).not.toBeChecked();
  await expect(dialog.getByText('Default: 12.5 pixels')).toBeVisible();
});

test('the size of the text changes its rows at once, where they are, and stays', async ({
  inspector,
  page,
}) => {
  const log = writeLines(inspector.folder, 'app.log', 200, logLine);
  const text = await inspector.open([log]);
  await text.counted(200);
  const row = page.locator('[data-line="150"]').first();
  await text.scroller.focus();
  await page.keyboard.press('g');
  await page.keyboard.type('150');
  await page.keyboard.press('Enter');
  await expect(row).toHaveCSS('height', '18px');
  await page.keyboard.press('Control+,');
  const size = page.getByRole('dialog', { name: 'Preferences' }).getByLabel('Text size', { exact: true });
  await size.fill('20');
  await size.press('Enter');
  await expect(row).toHaveCSS('height', '29px');
  await expect(row).toHaveCSS('font-size', '20px');
  const [first, second] = await Promise.all(
    [150, 151].map(async (line) => (await page.locator(`[data-line="${line}"]`).first().boundingBox())!.y),
  );
  expect(second! - first!).toBe(29);
  await page.reload();
  await expect(row).toHaveCSS('height', '29px');
});
