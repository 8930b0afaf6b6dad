/** A person's steps in a text of many megabytes, each compared with grep or sed. */
import { expect, type Page } from '@playwright/test';
import { sed } from '../fixtures/logs.ts';
import { grepLines, type RealRun } from '../fixtures/real-run.ts';
import { SearchPage } from '../fixtures/search-page.ts';
import type { SeenRow, TextPage } from '../fixtures/text-page.ts';

/** Trailing blanks can't be seen, and a name with odd bytes is shown as far as it is text. */
const shown = (line: string) => line.replace(/\r$/, '').trimEnd();
export const printed = (run: RealRun, first: number, last: number) =>
  sed(run.stdout(), first, last).map(shown);
export const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
export const grouped = (count: number) => count.toLocaleString('en-US');

/** Drags down the numbers, turns the wheel while dragging, drags beyond the edge, scrolls away and copies. */
export async function selectPastTheEdge(text: TextPage, run: RealRun, lines: number): Promise<void> {
  const { page } = text;
  const first = Math.round(lines / 2);
  await text.goTo(String(first));
  await expect(text.row(first)).toHaveAttribute('data-selected', '');
  const box = (await text.row(first).locator('[data-gutter]').boundingBox())!;
  const view = (await text.scroller.boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 9);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, box.y + 60, { steps: 3 });
  await page.mouse.wheel(0, 18 * 2000);
  await expect.poll(() => text.firstWholeLine()).toBeGreaterThan(first + 1000);
  const turned = (await text.firstWholeLine())!;
  await page.mouse.move(box.x + 20, view.y + view.height + 40, { steps: 3 });
  await expect.poll(() => text.firstWholeLine()).toBeGreaterThan(turned + 20);
  await page.mouse.up();
  const [, last] = /[\d,]+–([\d,]+) /.exec(await text.selected.innerText())!;
  const end = Number(last!.replaceAll(',', ''));
  expect(end).toBeGreaterThan(turned + 20);
  await text.scroller.focus();
  await text.wheel(-18 * 40_000);
  await expect(text.row(first)).toHaveCount(0);
  await page.keyboard.press('Control+c');
  await expect(page.getByText(`Copied ${grouped(end - first + 1)} lines`)).toBeVisible();
  const wanted = printed(run, first, end).join('\n');
  expect((await copied(page)).split('\n').map(shown).join('\n') === wanted).toBe(true);
  await page.keyboard.press('Escape');
}

function countMarks(text: TextPage, rows: SeenRow[]): Promise<[number | null, number][]> {
  return text.scroller.evaluate(
    (scroller, lines) =>
      lines.map((line) => [line, scroller.querySelectorAll(`[data-line="${line}"] mark`).length]),
    rows.map(({ line }) => line),
  );
}

/** A highlighter marks its text in the middle of the log. It is freed again, as the next test has the same home. */
export async function highlightAWord(text: TextPage): Promise<void> {
  const { page } = text;
  const row = (await text.wholeRows()).find(({ text }) => /\w{3,}\s*$/.test(text ?? ''))!;
  const word = /(\w{3,})\s*$/.exec(row.text!)![1]!;
  await text.scroller.focus();
  await page.keyboard.press('Control+Shift+H');
  const dialog = page.getByRole('dialog', { name: 'Highlighters' });
  await dialog.getByRole('textbox', { name: 'yellow: text' }).fill(word);
  await expect(text.row(row.line!).locator('mark').last()).toHaveText(word);
  const rows = await text.wholeRows();
  const wanted = rows.map(({ line, text: own }) => [line, (own ?? '').split(word).length - 1]);
  await expect.poll(() => countMarks(text, rows)).toEqual(wanted);
  await dialog.getByRole('button', { name: 'Free yellow' }).click();
  await page.keyboard.press('Escape');
  await expect(text.scroller.locator('mark')).toHaveCount(0);
}

/** A click on the ruler goes to the match that is drawn there. */
export async function goByRuler(text: TextPage, run: RealRun, lines: number): Promise<void> {
  const { page } = text;
  const search = new SearchPage(page);
  const found = grepLines(run.stdout(), [run.words.few]).map(([line]) => line);
  await search.search(run.words.few);
  await search.found(found.length);
  const lane = page.locator('[data-mark="matches"]').first();
  const wanted = found[Math.floor(found.length / 2)]!;
  // The marks of a search that goes on are drawn a few at a time.
  const isDrawn = (svg: Element, part: number) => {
    const { y, height } = (svg as SVGSVGElement).viewBox.baseVal;
    return svg.querySelector('path')!.isPointInFill(new DOMPoint(0.5, y + height * part));
  };
  await expect.poll(() => lane.evaluate(isDrawn, (wanted - 0.5) / (lines + 1))).toBe(true);
  const [track, own] = [await page.locator('[data-ruler]').boundingBox(), await lane.boundingBox()];
  await page.mouse.click(own!.x + own!.width / 2, track!.y + (track!.height * wanted) / (lines + 1));
  const current = text.scroller.locator('[data-current]');
  await expect(current).toBeInViewport();
  const at = Number(await current.getAttribute('data-line'));
  expect(found).toContain(at);
  expect(Math.abs(at - wanted) / lines).toBeLessThan(0.01);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await text.scroller.focus();
  await page.keyboard.press('Home');
  await expect(text.row(1)).toBeInViewport();
}
