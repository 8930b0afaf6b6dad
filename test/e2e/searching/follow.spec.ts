/** Results that follow new matches, and running commands that are followed when opened at their end. */
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliEntry } from '../../fixtures/cli.ts';
import { dress } from '../fixtures/dressed.ts';
import { lines } from '../fixtures/followed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { SearchPage } from '../fixtures/search-page.ts';

test('results follow new matches', async ({ inspector, page }) => {
  const { path } = await inspector.openLog(30);
  const search = new SearchPage(page);

  await test.step('a few matches that all fit are followed when more come than fit', async () => {
    await search.search('request \\d*0 ');
    await search.found(3);
    appendFileSync(path, lines(31, 970));
    await expect.poll(async () => (await search.rows()).at(-1)?.[0]).toBe(1000);
  });

  await test.step('while their end is in view, and stay where they are otherwise', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await expect(search.list).toBeFocused();
    await page.keyboard.press('Home');
    await expect.poll(async () => (await search.rows())[0]?.[0]).toBe(10);
    // At its beginning, the list does not move.
    appendFileSync(path, lines(1001, 1000));
    await expect(search.results).toContainText('1 of 200');
    expect((await search.rows())[0]?.[0]).toBe(10);

    await page.keyboard.press('End');
    await expect.poll(async () => (await search.rows()).at(-1)?.[0]).toBe(2000);
    for (const from of [2001, 3001, 4001]) {
      appendFileSync(path, lines(from, 1000));
      await expect.poll(async () => (await search.rows()).at(-1)?.[0]).toBe(from + 999);
    }
    // Scrolling up ends it.
    const box = (await search.list.boundingBox())!;
    await page.mouse.move(box.x + 200, box.y + 50);
    await page.mouse.wheel(0, -400);
    await expect.poll(async () => (await search.rows()).at(-1)?.[0]).toBeLessThan(5000);
    const seen = (await search.rows())[0]?.[0];
    appendFileSync(path, lines(5001, 1000));
    await expect(search.results).toContainText(' of 600');
    expect((await search.rows())[0]?.[0]).toBe(seen);
  });
});

const FIRST_SEEN = [
  { when: 'at once', isLate: false },
  // A message is shown instead of the text from the first: the text has no height.
  { when: 'late', isLate: true },
];
for (const { when, isLate } of FIRST_SEEN) {
  test(`a running command without output so far, seen ${when}, is followed, however much comes first`, async ({
    inspector,
    page,
  }) => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await dress(page, { late: (name) => (isLate && name === 'document' ? released : null) });
    const text = await inspector.open([]);
    const go = join(inspector.folder, 'go');
    const script = join(inspector.folder, 'late.cjs');
    writeFileSync(
      script,
      `const fs = require('fs');
       const timer = setInterval(() => {
         if (!fs.existsSync(${JSON.stringify(go)})) return;
         clearInterval(timer);
         for (let i = 1; i <= 900; i++) console.log('line ' + i);
         setTimeout(() => {}, 60_000);
       }, 50)`,
    );
    const env = { ...process.env, SPILLWAY_HOME: inspector.home };
    const child = spawn(process.execPath, [cliEntry, 'run', '--', process.execPath, script], {
      env,
      stdio: 'ignore',
    });
    try {
      await page.getByRole('treeitem', { name: /late/ }).click();
      await expect(page.getByRole('treeitem', { name: /late/, selected: true })).toBeVisible();
      if (isLate) await expect(page.getByText('Opening…')).toBeVisible();
      release();
      await expect(text.scroller).toBeAttached();
      await expect(page.getByText('Nothing was printed yet')).toBeVisible();
      writeFileSync(go, '');
      await expect(text.row(900)).toBeInViewport();
    } finally {
      child.kill();
    }
  });
}

test('a running command is followed by itself when its end is in view, and not when it is not', async ({
  inspector,
  page,
}) => {
  const text = await inspector.open([]);
  const go = join(inspector.folder, 'go');
  const script = (first: number) =>
    `for (let i = 1; i <= ${first}; i++) console.log('line ' + i);
     const fs = require('fs'); let n = ${first};
     setInterval(() => { if (!fs.existsSync(${JSON.stringify(go)})) return; for (let i = 0; i < 200; i++) console.log('line ' + ++n); if (n > ${first} + 600) process.exit(0); }, 50)`;
  const run = (first: number) => {
    const path = join(inspector.folder, `first-${first}.cjs`);
    writeFileSync(path, script(first));
    const env = { ...process.env, SPILLWAY_HOME: inspector.home };
    return spawn(process.execPath, [cliEntry, 'run', '--', process.execPath, path], { env, stdio: 'ignore' });
  };
  // The first artifact is shown by itself, and can then be followed.
  const children = [run(10)];
  try {
    await expect(page.getByRole('treeitem', { name: /first-10\b.* 71 B/ })).toBeVisible();
    children.push(run(900));
    // Opened earlier, with less than a screen of output, its end would be in view.
    await page.getByRole('treeitem', { name: /first-900.* 7\.8 KiB/ }).click();
    await expect(text.row(1)).toContainText('line 1');
    await text.counted(900);
    await page.getByRole('treeitem', { name: /first-10\b.* 71 B/ }).click();
    await expect(text.row(10)).toContainText('line 10');
    writeFileSync(go, '');
    await expect.poll(async () => (await text.rows()).at(-1)?.text).toMatch(/^line (6|7|8)\d\d$/);
    await page.getByRole('treeitem', { name: /first-900/ }).click();
    await text.counted(1700);
    expect(await text.firstWholeLine()).toBe(1);
  } finally {
    for (const child of children) child.kill();
  }
});
