/** The outline beside the text: its tree by keys and mouse, and the heading over the text. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tarOf } from '../../fixtures/reader/odd-files.ts';
import { problems } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/inspector.ts';

/** As GitHub Actions writes it. */
const at = (second: number) =>
  new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString().replace('Z', '0000Z');

/** A log of GitHub Actions of 400 lines a step, whose third step fails. */
function ciLog(): string {
  const steps = ['actions/checkout@v4', 'npm ci', 'npm test', 'npm run report'];
  const lines = steps.flatMap((step, i) => [
    `${at(i * 10)} ##[group]Run ${step}`,
    `${at(i * 10)} ##[endgroup]`,
    `${at(i * 10)} ##[group]Details of ${step}`,
    ...Array.from({ length: 395 }, (_, line) => `${at(i * 10 + 1)} output ${line} of ${step}`),
    `${at(i * 10 + 2)} ##[endgroup]`,
    i === 2 ? `${at(i * 10 + 3)} ##[error]Process completed with exit code 1.` : `${at(i * 10 + 3)} done`,
  ]);
  return `${lines.join('\n')}\n`;
}

test('sections are a tree beside the text, and the one at the top is named over it', async ({
  inspector,
  page,
}) => {
  const file = join(inspector.folder, 'ci.log');
  writeFileSync(file, ciLog());
  const text = await inspector.open([file]);
  await text.counted(1600);
  await page.keyboard.press('S');
  const panel = page.getByRole('complementary', { name: 'Outline' });
  const tree = panel.getByRole('tree', { name: 'Sections' });
  const item = (name: RegExp) => tree.getByRole('treeitem', { name });
  // The failed step is chosen and unfolded, the others are folded.
  await expect(item(/^Run npm test, failed, ?1 error, ?10 s, lines 801 to 1,200/)).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(tree.getByRole('treeitem')).toHaveCount(5);
  await expect(item(/^Details of npm test/)).toBeVisible();
  const heading = page.getByRole('navigation', { name: 'Section at the top' });
  await expect(heading.getByRole('button')).toHaveText(['Run actions/checkout@v4']);

  await expect(tree).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(text.scroller).toBeFocused();
  await tree.focus();
  await page.keyboard.press('Enter');
  await expect(text.row(801)).toBeInViewport();
  await expect(heading.getByRole('button')).toHaveText(['Run npm test']);
  await expect(item(/^Run npm test/)).toHaveAttribute('aria-current', 'location');

  // Fold, move, unfold, and go in.
  await page.keyboard.press('ArrowLeft');
  await expect(tree.getByRole('treeitem')).toHaveCount(4);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(item(/^Details of npm ci/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(heading.getByRole('button')).toHaveText(['Run npm ci', 'Details of npm ci']);
  await item(/^Run npm run report/).click();
  await expect(heading.getByRole('button').first()).toHaveText('Run npm run report');

  // The heading stays without the panel, and leads to where a section begins.
  await text.scroller.focus();
  await page.keyboard.press('S');
  await expect(panel).toHaveCount(0);
  await page.keyboard.press('Home');
  await expect(heading.getByRole('button')).toHaveText(['Run actions/checkout@v4']);
});

test('lines of a CI are shown without their job, step and time; the outline lists the longest pauses', async ({
  inspector,
  page,
}) => {
  const file = join(inspector.folder, 'ci.log');
  const printed = ciLog().replaceAll(/^(?=.)/gm, 'build\tUnit tests\t');
  writeFileSync(file, printed);
  const text = await inspector.open([file]);
  await text.counted(1600);
  const first = text.row(1).locator('[data-text]');
  await expect(first).toHaveText('##[group]Run actions/checkout@v4');
  await text.scroller.focus();
  await page.keyboard.press('J');
  await expect(first).toHaveText(printed.split('\n')[0]!.replaceAll('\t', ' '));
  await page.getByRole('button', { name: 'GitHub Actions' }).click();
  await page.getByRole('menuitemradio', { name: /^Their message/ }).click();
  await expect(first).toHaveText('##[group]Run actions/checkout@v4');
  // What is searched for is shown, wherever it is in the line.
  await page.keyboard.press('/');
  await page.keyboard.type('Unit');
  await expect(first.locator('mark')).toHaveText('Unit');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await page.keyboard.press('S');
  const panel = page.getByRole('complementary', { name: 'Outline' });
  await panel.getByText('Longest pauses').click();
  expect(await problems(page)).toEqual([]);
  await panel.getByRole('button', { name: /after line 800$/ }).click();
  await expect(text.row(800)).toHaveAttribute('data-selected', '');
  const back = page.getByRole('button', { name: 'Back to the line before the last jump' });
  await back.click();
  await expect(text.row(1)).toBeInViewport();
  await expect(back).toHaveCount(0);
});

test('a text without sections has its pauses and messages instead', async ({ inspector, page }) => {
  const file = join(inspector.folder, 'app.log');
  const lines = Array.from({ length: 300 }, (_, i) => `${at(i < 200 ? i : i + 90)} INFO served request ${i}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const text = await inspector.open([file]);
  await text.counted(300);
  await page.keyboard.press('S');
  const panel = page.getByRole('complementary', { name: 'Outline' });
  await panel.getByRole('button', { name: /after line 200$/ }).click();
  await expect(text.row(200)).toBeInViewport();
  await expect(panel.getByText('300 ×')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Section at the top' })).toHaveCount(0);
});

test('a member of an archive opens alone', async ({ inspector, page }) => {
  const file = join(inspector.folder, 'logs.tar');
  writeFileSync(
    file,
    tarOf([
      ['logs/app.log', 'INFO one\nERROR two\n'],
      ['other.log', 'three\n'],
    ]),
  );
  const text = await inspector.open([file]);
  await text.counted(5);
  await page.keyboard.press('S');
  const tree = page.getByRole('tree', { name: 'Sections' });
  const item = tree.getByRole('treeitem', { name: /^other.log/ });
  await item.getByTitle(/^Open .* alone/).click();
  await text.counted(1);
  await expect(text.row(1)).toHaveText(/three/);
  await page.goBack();
  await text.counted(5);
  await item.click();
  await tree.focus();
  await page.keyboard.press('Shift+Enter');
  await text.counted(1);
  await expect(text.row(1)).toHaveText(/three/);
});
