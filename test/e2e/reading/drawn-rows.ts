/** Rows as they are drawn, each as high as its text: JSON lines may be unfolded, and lines may wrap. */
import { expect, type Page } from '@playwright/test';
import type { TextPage } from '../fixtures/text-page.ts';

export const LINE_PX = 18;

export interface DrawnRow {
  line: number;
  text: string;
  top: number;
  height: number;
  /** Pixels that its text takes. */
  drawn: number;
  /** The browser's own lines of its text. */
  lines: number;
}

/** The rows that touch the view, once all of them were fetched. */
export async function rowsOf({ scroller }: TextPage): Promise<DrawnRow[]> {
  let rows: DrawnRow[] = [];
  await expect
    .poll(async () => {
      const found = await scroller.evaluate((each) => {
        const view = each.getBoundingClientRect();
        return [...each.querySelectorAll<HTMLElement>('[role="row"]')]
          .map((row) => {
            const box = row.getBoundingClientRect();
            const cell = row.querySelector<HTMLElement>('[data-cell]');
            const text = row.querySelector('[data-text]');
            const tops = [...(text?.getClientRects() ?? [])].map(({ top }) => Math.round(top));
            return {
              line: Number(row.dataset.line),
              fetched: row.dataset.fetched !== undefined,
              text: text?.textContent ?? '',
              top: Math.round((box.top - view.top) * 100) / 100,
              height: box.height,
              drawn: cell ? cell.scrollHeight : 0,
              lines: new Set(tops).size,
            };
          })
          .filter(({ top, height }) => top + height > 0 && top < view.height)
          .sort((a, b) => a.top - b.top);
      });
      rows = found;
      return found.length > 0 && found.every(({ fetched }) => fetched);
    })
    .toBe(true);
  return rows;
}

/** Checks that rows follow each other in number and place, each as high as its content. */
export async function isExact(text: TextPage): Promise<DrawnRow[]> {
  const rows = await rowsOf(text);
  for (const [index, row] of rows.entries()) {
    expect(row.drawn, `line ${row.line}`).toBe(row.height);
    const next = rows[index + 1];
    if (next) expect([next.line, next.top]).toEqual([row.line + 1, row.top + row.height]);
  }
  return rows;
}

export async function press(page: Page, text: TextPage, key: string): Promise<void> {
  await text.scroller.focus();
  await page.keyboard.press(key);
}

/** Rows may be wider than the view. */
export const gutter = (text: TextPage, line: number) => text.row(line).locator('[data-gutter]');
