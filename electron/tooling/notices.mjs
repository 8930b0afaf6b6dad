/** The licences of the packages that are bundled in: theirs ask to go along with every copy. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string[]} modules paths of everything in a bundle @returns {string} empty when nothing is others' */
export function noticesOf(modules) {
  const folders = [...new Set(modules.flatMap((path) => packageFolder(path) ?? []))].sort();
  return folders.map(noticeOf).join(`\n${'-'.repeat(80)}\n\n`);
}

/** The folder of the innermost package a module is in. @param {string} path */
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
