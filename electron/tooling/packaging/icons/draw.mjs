/**
 * `node electron/tooling/packaging/icons/draw.mjs`: draws renderer/icon.svg at every size the packages need, into this
 * folder.
 * The pictures are kept in the repository, so that packing needs no browser.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { root } from '../../building/targets.mjs';
import { headlessShell, obtainBrowser } from '../../machine/browser.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

/** @param {number[]} sizes @returns {Promise<Map<number, Buffer>>} */
async function draw(sizes) {
  const svg = readFileSync(join(root, 'renderer/icon.svg'), 'utf8');
  const browser = await chromium.launch({ executablePath: headlessShell() ?? (await obtainBrowser()) });
  const drawn = new Map();
  for (const size of sizes) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(
      `<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
    );
    drawn.set(size, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
  await browser.close();
  return drawn;
}

/** Windows' format: a table of pictures, then the pictures. @param {Map<number, Buffer>} drawn */
function ico(drawn) {
  const pictures = [...drawn].filter(([size]) => size <= 256);
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  for (const [index, [size, png]] of pictures.entries()) {
    const entry = 6 + 16 * index;
    // 256 is written as 0.
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  }
  return Buffer.concat([head, ...pictures.map(([, png]) => png)]);
}

/** Returns a macOS icon file: one chunk for each size, named by it; twice the points has another name. @param {Map<number, Buffer>} drawn */
function icns(drawn) {
  const names = { ic07: 128, ic08: 256, ic09: 512, ic10: 1024, ic11: 32, ic12: 64, ic13: 256, ic14: 512 };
  const chunks = Object.entries(names).flatMap(([name, size]) => {
    const png = drawn.get(size);
    return png ? [chunk(name, png)] : [];
  });
  return chunk('icns', Buffer.concat(chunks));
}

/** @param {string} name @param {Buffer} body */
function chunk(name, body) {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}

const drawn = await draw(SIZES);
for (const [size, png] of drawn) writeFileSync(join(folder, `${size}x${size}.png`), png);
writeFileSync(join(folder, 'icon.ico'), ico(drawn));
writeFileSync(join(folder, 'icon.icns'), icns(drawn));
