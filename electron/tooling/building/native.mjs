/**
 * Copies packages with native parts, which can't be bundled, beside the bundle, so that dist/ is complete. In a
 * packaged app they are kept outside the archive (electron-builder.yml).
 */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './targets.mjs';

const pty = '@lydell/node-pty';

/**
 * Copies the package for this platform, if it has one; without it, terminals report an error.
 * @param {string} folder
 * @returns {string[]} a file of the package whose licence must be included
 */
export function copyNative(folder) {
  const names = [pty, `${pty}-${process.platform}-${process.arch}`];
  const source = (/** @type {string} */ name) => join(root, 'node_modules', name);
  if (!names.every((name) => existsSync(source(name)))) return [];
  for (const name of names) cpSync(source(name), join(folder, 'node_modules', name), { recursive: true });
  return [join(source(pty), 'package.json')];
}
