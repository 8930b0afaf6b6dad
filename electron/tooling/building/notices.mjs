/** Collects the licences of the bundled packages, which require a copy of their text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string[]} modules paths of all modules in a bundle @returns {string} empty if all are our own */
export function noticesOf(modules) {
  const folders = [...new Set(modules.flatMap((path) => packageFolder(path) ?? []))].sort();
  return folders.map(noticeOf).join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the folder of the innermost package that holds a module. @param {string} path */
function packageFolder(path) {
  return path.replaceAll('\\', '/').match(/^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1];
}

/** @param {string} folder */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `License: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}
