/** The build's targets and their inputs. Nothing here needs an installed package. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** @param {string[]} parts */
export const inDist = (...parts) => join(root, 'dist', ...parts);

/**
 * @typedef {'renderer' | 'node' | 'preload' | 'vscode'} TargetName
 * @typedef {object} Target
 * @property {TargetName} name also its folder in dist/
 * @property {string[]} inputs files and folders it is made from, relative to the project
 * @property {string[]} outputs files in its folder; without them the build is incomplete
 */

const always = ['package.json', 'package-lock.json', 'tsconfig.json', 'electron/tooling'];

/** @type {Target[]} */
export const targets = [
  { name: 'renderer', inputs: ['renderer', 'shared', ...always], outputs: ['index.html'] },
  {
    name: 'node',
    inputs: ['electron', 'shared', ...always],
    outputs: [
      'cli.js',
      'command-line.cjs',
      'run.cjs',
      'run-main.cjs',
      'mask-main.cjs',
      'main.cjs',
      'worker.cjs',
      'worker-main.cjs',
    ],
  },
  { name: 'preload', inputs: ['electron', 'shared', ...always], outputs: ['preload.cjs'] },
  {
    name: 'vscode',
    inputs: ['electron', 'shared', 'LICENSE', ...always],
    outputs: ['extension.cjs', 'uninstall.cjs', 'package.json'],
  },
];
