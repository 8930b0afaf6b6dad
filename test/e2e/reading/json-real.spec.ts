/** JSON lines that a real program prints: ripgrep's, hundreds of MB of them. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
import { expect, test } from '../fixtures/inspector.ts';
import { sed } from '../fixtures/logs.ts';
import { gutter, isExact, LINE_PX, press } from './drawn-rows.ts';

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

test('what ripgrep prints as JSON, 220 MB of it, is shown as fields and unfolded in place', async ({
  inspector,
  page,
}) => {
  const path = join(inspector.folder, 'found.json');
  const find = `"$0" --json --sort path -uuu -g '*.{ts,js}' -e '[aeou]' "$1" | head -n 320000 > "$2"`;
  execFileSync('sh', ['-c', find, rgPath, PACKAGES, path]);
  expect(statSync(path).size).toBeGreaterThan(200 * 1024 * 1024);
  const text = await inspector.open([path]);
  await text.counted(320_000);
  for (const place of [1, 200_000, 310_000]) {
    await text.goTo(String(place));
    await expect(gutter(text, place)).toBeInViewport({ ratio: 1 });
    await isExact(text);
    const raw = sed(path, place, place)[0]!;
    const { type } = JSON.parse(raw);
    const drawn = await text.row(place).locator('[data-text]').textContent();
    // As it is printed, without the outer braces and the quotes around the type.
    const data = raw.slice(raw.indexOf('"data":') + 7, -1).slice(0, 200);
    expect(drawn?.slice(0, `type=${type} data=`.length + data.length)).toBe(`type=${type} data=${data}`);
  }
  const raw = sed(path, 310_000, 310_000)[0]!;
  await press(page, text, 'u');
  await expect(text.row(310_000).locator('[data-unfolded]')).toBeVisible();
  const lines = JSON.stringify(JSON.parse(raw), null, 2).split('\n').length;
  const unfolded = (await isExact(text)).find(({ line }) => line === 310_000)!;
  expect(unfolded.height).toBe((lines + 1) * LINE_PX);
});
