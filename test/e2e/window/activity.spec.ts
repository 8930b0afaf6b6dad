/** Shows the lines that an agent read: in the text, on the ruler, in the details, and as a list of calls. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { connectClient, socketTransport } from '../../fixtures/mcp/client.ts';
import { LISTED_CALLS } from '../../fixtures/sizes.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';

test('the window shows what an agent read, as it reads', async ({ page, inspector }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const text = await inspector.open([]);
  const client = await connectClient(socketTransport(join(inspector.home, 'run', 'mcp.sock')), '2025-11-25');
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content } = (await client.callTool({ name, arguments: args })) as CallToolResult;
    return JSON.parse((content[0] as { text: string }).text);
  };
  const script =
    'for i in $(seq 1 20000); do echo "step $i of the build"; done; echo "error: step 777 broke"; exit 3';
  const { artifact_id } = await call('run_command', { command: script });
  await page.getByRole('treeitem', { name: /step/ }).first().click();
  await expect(page.getByText('error: step 777 broke').first()).toBeVisible();

  await text.page.keyboard.press('i');
  const readers = page.locator('[data-seen-by]');
  await expect(readers).toContainText('Unread: no agent got more of it than the preview.');
  const mark = page.locator('[role="treeitem"] [data-unread]');
  await expect(mark).toHaveCount(1);
  await keep(page, 'unread-mark');
  await call('inspect_output', { artifact_id, start_line: 100, end_line: 139 });
  await call('inspect_output', { artifact_id, pattern: 'step 777 ', context_lines: 0 });
  await expect(readers).toContainText(/test 1.* in 3 calls/);
  await expect(readers).not.toContainText('Unread');
  await expect(mark).toHaveCount(0);
  await keep(page, 'seen-details');

  await page.keyboard.press('Alt+a');
  const dialog = page.getByRole('dialog', { name: 'What agents did' });
  const calls = dialog.locator('[data-activity] button');
  await expect(calls).toHaveCount(3);
  await expect(calls.first()).toContainText('step 777');
  await keep(page, 'activity');
  await call('storage_stats', {});
  await expect(dialog).toContainText('storage_stats');
  await dialog.getByRole('searchbox').fill('777 grep');
  await expect(calls).toHaveCount(0);
  await dialog.getByRole('searchbox').fill('inspect range');
  await expect(calls).toHaveCount(0);
  await dialog.getByRole('searchbox').fill('inspect_output');
  await expect(calls).toHaveCount(2);
  await page.setViewportSize({ width: 480, height: 700 });
  await keep(page, 'activity-narrow');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(calls.last()).toContainText('100-139 · for_i_in');
  await calls.last().click();

  await expect(page.locator('[role="row"][data-line="110"]')).toHaveAttribute('data-seen', 'shown');
  await expect(page.locator('[role="row"][data-line="90"]')).toHaveAttribute('data-seen', 'searched');
  await expect(page.locator('[data-ruler] [data-mark="read"]')).toHaveCount(1);
  await keep(page, 'seen-lines');
  await client.close();
});

test('what a person copies is masked if the settings say so, with the rule that found it', async ({
  page,
  inspector,
  context,
}) => {
  const path = join(inspector.folder, 'deploy.log');
  writeFileSync(path, 'first\nDB_PASSWORD=tr0ub4dor and corp-1234\nlast\n');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const text = await inspector.open([path]);
  writeFileSync(
    join(inspector.home, 'config.json'),
    JSON.stringify({ redact: { copy: true, patterns: ['corp-\\d+'] } }),
  );
  await expect(page.getByText('DB_PASSWORD=tr0ub4dor')).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await expect(page.getByText(/Copied 3 lines; 2 secrets masked \(named, config\.json\)/)).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.replaceAll('\r', '')).toBe('first\nDB_PASSWORD=********* and *********\nlast');

  await text.row(2).getByRole('rowheader').click();
  await page.keyboard.press('M');
  await page.keyboard.press('Alt+m');
  await page.getByRole('button', { name: 'Copy all as Markdown' }).click();
  await expect(
    page.getByText('Copied 1 mark as Markdown; 2 secrets masked (named, config.json)'),
  ).toBeVisible();
  const marks = await page.evaluate(() => navigator.clipboard.readText());
  expect(marks).toContain('DB_PASSWORD=********* and *********');
  expect(marks).not.toContain('corp-1234');
});

test('very many calls are listed and filtered', async ({ page, inspector }) => {
  const run = join(inspector.home, 'run');
  mkdirSync(run, { recursive: true, mode: 0o700 });
  const entry = (i: number) =>
    JSON.stringify({
      at: new Date(Date.UTC(2026, 0, 1) + i).toISOString(),
      ...{ agent: null, session: 's', connection: '1', tool: 'list_outputs', what: `call-${i}-` },
      ...{ reads: [], bytes: 9, duration_ms: 1, ok: true },
    });
  for (let file = 0; file < 10; file += 1) {
    const lines = Array.from(
      { length: LISTED_CALLS / 10 },
      (_, i) => `${entry((file * LISTED_CALLS) / 10 + i)}\n`,
    );
    writeFileSync(join(run, `activity-1-${file}.jsonl`), lines.join(''));
  }
  const text = await inspector.open([]);
  await text.page.keyboard.press('Alt+a');
  const dialog = page.getByRole('dialog', { name: 'What agents did' });
  await expect(dialog).toContainText(`call-${LISTED_CALLS - 1}-`);
  await expect(dialog.getByRole('heading').last()).toContainText(
    `${LISTED_CALLS.toLocaleString('en')} calls`,
  );
  await dialog.getByRole('searchbox').fill('call-7-');
  await expect(dialog).toContainText('call-7-');
  await expect(dialog.getByRole('heading').last()).toContainText('1 call,');
});
