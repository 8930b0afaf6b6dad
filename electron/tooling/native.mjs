/**
 * Packages with native parts, which can't be bundled: they lie beside the bundle as they are, so that dist/ is all that is
 * needed, in a package too (there they stay out of the archive, see electron-builder.yml).
 */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './targets.mjs';

const pty = '@lydell/node-pty';

/**
 * For this platform; nothing if it has none. Terminals then report it.
 * @param {string} folder @returns {string[]} a file of the package whose licence goes along
 */
export function copyNative(folder) {
  const names = [pty, `${pty}-${process.platform}-${process.arch}`];
  const source = (/** @type {string} */ name) => join(root, 'node_modules', name);
  if (!names.every((name) => existsSync(source(name)))) return [];
  for (const name of names) cpSync(source(name), join(folder, 'node_modules', name), { recursive: true });
  return [join(source(pty), 'package.json')];
}
