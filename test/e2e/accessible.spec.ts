/** No state of the window has a serious problem that axe finds: wide and narrow, light and dark. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect, type Inspector, test } from './fixtures/inspector.ts';
import { logFolder, logLine, writeLines } from './fixtures/logs.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Problem {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Run by the debugger, as the page's policy allows no scripts but its own. */
async function problems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: Problem[];
  };
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .filter(({ html }) => !isKnown(id, html))
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
}

/** Rows of the list begin with the name that is seen, but say the rest in another order than it is drawn in. */
function isKnown(id: string, html: string): boolean {
  return id === 'label-content-name-mismatch' && html.includes('role="treeitem"');
}

/** Each state is reached from the text of the log. */
const states: Record<string, (page: Page, inspector: Inspector) => Promise<void>> = {
  'the text': async () => {},
  'a selection, with times': async (page) => {
    await page.keyboard.press('Shift+T');
    await page.keyboard.press('Control+a');
  },
  'a search with results': async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('request 1');
    await expect(page.getByRole('region', { name: 'Results' })).toContainText('matching lines');
  },
  'a search without results': async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('nowhere');
    await expect(page.getByRole('region', { name: 'Results' })).toContainText('No matching line');
  },
  'the summary': async (page) => {
    await page.keyboard.press('s');
    await expect(page.getByText('Most frequent shapes')).toBeVisible();
  },
  'the details': async (page) => {
    await page.keyboard.press('i');
    await expect(page.getByRole('complementary', { name: 'Details' })).toBeVisible();
  },
  'going to a line': async (page) => {
    await page.keyboard.press('g');
    await expect(page.getByRole('textbox', { name: 'Line' })).toBeVisible();
  },
  'a range': async (page) => {
    await page.keyboard.press('r');
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  following: async (page) => {
    await page.keyboard.press('f');
    await expect(page.getByText('Following')).toBeVisible();
  },
  'the keys': async (page) => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  },
  'the palette': async (page) => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('option').first()).toBeVisible();
  },
  'the opened sources': async (page) => {
    await page.keyboard.press('Shift+O');
    await expect(page.getByRole('dialog', { name: 'Opened files and folders' })).toContainText('files');
  },
  'the context menu': async (page) => {
    await page.locator('[data-line="5"]').click({ button: 'right' });
    await expect(page.getByRole('menuitem').first()).toBeVisible();
  },
  'the list': async (page) => {
    await page.keyboard.press('l');
    await expect(page.getByRole('searchbox', { name: 'Filter the list' })).toBeFocused();
  },
};

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1280, 420])
    test(`axe finds nothing serious, ${colorScheme} at ${width} pixels`, async ({ inspector, page }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const log = writeLines(inspector.folder, 'app.log', 20_000, logLine);
      const text = await inspector.open([log, logFolder(inspector.folder, 'logs', ['a.log', 'b.log'])]);
      for (const [name, reach] of Object.entries(states)) {
        await page.evaluate(() => localStorage.clear());
        await page.goto(inspector.url);
        await text.counted(20_000);
        await text.scroller.focus();
        await reach(page, inspector);
        expect.soft(await problems(page), name).toEqual([]);
      }
    });

test('axe finds nothing serious on the welcome screen', async ({ inspector, page }) => {
  await inspector.open([]);
  await expect(page.getByText('Read all of what commands print')).toBeVisible();
  expect(await problems(page)).toEqual([]);
});
