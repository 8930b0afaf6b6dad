import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from './fixtures/inspector.ts';
import { BIG_LOG_LINES } from './fixtures/logs.ts';
test('thirty million matches', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'many.log');
  execFileSync('sh', ['-c', `seq 1 30000000 > ${path}`]);
  const text = await inspector.open([path]);
  await text.counted(30_000_000);
  await page.keyboard.press('/');
  await page.getByRole('textbox', { name: 'Pattern' }).fill('.');
  await expect(page.locator('[data-search="count"]')).toHaveText('30,000,000 matching lines', { timeout: 30000 });
  const list = page.getByRole('grid', { name: 'Matching lines' });
  await list.focus();
  await page.keyboard.press('2');
  await page.keyboard.press('End');
  await expect(list.locator('[data-line="30000000"]').first()).toHaveAttribute('data-fetched', '');
  await page.keyboard.press('Enter');
  await expect(text.status).toHaveText('Line 30,000,000 of 30,000,000');
  await page.screenshot({ path: '/tmp/shots/many.png' });
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Home');
  await expect(list.locator('[data-line="1"]').first()).toHaveAttribute('data-fetched', '');
  const memory = await page.evaluate(() => (performance as any).memory.usedJSHeapSize / 1e6);
  console.log('heap MB', memory);
});
test('1 GiB first results', async ({ inspector, bigLog, page }) => {
  const path = join(inspector.folder, 'g.log');
  execFileSync('sh', ['-c', `for i in 1 2 3 4 5 6 7; do cat ${bigLog}; done > ${path}; ls -l ${path}`]);
  const text = await inspector.open([path]);
  await text.counted(BIG_LOG_LINES * 7);
  await page.keyboard.press('/');
  const times = await page.evaluate(async () => {
    const field = document.querySelector<HTMLInputElement>('search input')!;
    const out: number[] = [];
    for (const pattern of ['ERROR worker', 'took 77 ms', 'request 12 ', 'WARN.*worker-3']) {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!;
      const start = performance.now();
      set.call(field, pattern);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise<void>((resolve) => {
        const look = () => {
          const code = document.querySelector('section[aria-label="Results"] code');
          if (code?.textContent === pattern && document.querySelector('[role=grid] [role=row][data-fetched]')) resolve();
          else requestAnimationFrame(look);
        };
        look();
      });
      out.push(Math.round(performance.now() - start));
      await new Promise((r) => setTimeout(r, 1500));
    }
    return out;
  });
  console.log('ms from key to first rows', times);
});
