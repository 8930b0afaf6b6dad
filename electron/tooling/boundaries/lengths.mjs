/** Finds sources and tests that are too long for one idea. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './named-files.mjs';

const MOST_LINES = 300;
const SOURCE = /\.([cm]?[jt]sx?|css|wat|pl|sh|bash|zsh|fish)$/;

/** @param {string} root @returns {import('./named-files.mjs').Violation[]} in the order of files */
export function checkLengths(root) {
  return filesIn(root)
    .filter((file) => SOURCE.test(file))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
      if (lines <= MOST_LINES) return [];
      return [
        { file, line: MOST_LINES + 1, message: `has ${lines} lines: split it, ${MOST_LINES} are the most` },
      ];
    });
}
