/**
 * Tells paths from links among the arguments of a start, for the app and for `npm start`, which can read no TypeScript.
 * Desktops write files as `file://` URLs, and links as `spillway://` ones.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @param {readonly string[]} args without switches
 * @param {string} cwd base of relative paths
 * @returns {{ paths: string[], links: string[] }} `paths` are absolute
 */
export function namedBy(args, cwd) {
  const isLink = (/** @type {string} */ arg) => /^spillway:/i.test(arg);
  return {
    paths: args.filter((arg) => !isLink(arg)).map((arg) => resolve(cwd, pathOf(arg))),
    links: args.filter(isLink),
  };
}

/** @param {string} given */
function pathOf(given) {
  if (!/^file:\/\//i.test(given)) return given;
  try {
    return fileURLToPath(given);
  } catch {
    // A file of another machine is reported as missing, by this name.
    return given;
  }
}
