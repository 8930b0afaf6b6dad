/** JSON lines that a real program prints: ripgrep's, 15 MB of them, or 220 MB with `npm test -- --full`. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
import { RG_JSON_LINES as LINES } from '../../fixtures/sizes.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { sed } from '../fixtures/logs.ts';
import { gutter, isExact, LINE_PX, press } from './drawn-rows.ts';

const DEEP = LINES * (5 / 8);
const LAST = LINES - 10_000;
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

test('what ripgrep prints as JSON is shown as fields and unfolded in place', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'found.json');
  const find = `"$0" --json --sort path -uuu -g '*.{ts,js}' -e '[aeou]' "$1" | head -n ${LINES} > "$2"`;
  execFileSync('sh', ['-c', find, rgPath, PACKAGES, path]);
  expect(statSync(path).size).toBeGreaterThan(LINES * 400);
  const text = await inspector.open([path]);
  await text.counted(LINES);
  for (const place of [1, DEEP, LAST]) {
    await text.goTo(String(place));
    await expect(gutter(text, place)).toBeInViewport({ ratio: 1 });
    await isExact(text);
    const raw = sed(path, place, place)[0]!;
    const { type } = JSON.parse(raw);
    const drawn = await text.row(place).locator('[data-text]').textContent();
    // As printed, without the outer braces and the quotes around the type.
    const data = raw.slice(raw.indexOf('"data":') + 7, -1).slice(0, 200);
    expect(drawn?.slice(0, `type=${type} data=`.length + data.length)).toBe(`type=${type} data=${data}`);
  }
  const raw = sed(path, LAST, LAST)[0]!;
  await press(page, text, 'u');
  await expect(text.row(LAST).locator('[data-unfolded]')).toBeVisible();
  const lines = JSON.stringify(JSON.parse(raw), null, 2).split('\n').length;
  const unfolded = (await isExact(text)).find(({ line }) => line === LAST)!;
  expect(unfolded.height).toBe((lines + 1) * LINE_PX);
});
