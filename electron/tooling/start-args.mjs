/** Parses the arguments of `npm start`. Nothing here needs an installed package. */
// A namespace import: a named import would fail to load on an old Node.js, before its version can be reported.
import * as util from 'node:util';
import { namedBy } from '../shell/named.mjs';
import { Problem } from './machine/progress.mjs';

const usage = 'npm start -- [PATH…] [--web] [--port N] [--no-open]';

/**
 * @typedef {object} StartArgs
 * @property {string[]} paths absolute
 * @property {string[]} links as given
 * @property {boolean} web use the browser even if a window can be opened
 * @property {string | null} port null: the same one each time, if it is free
 * @property {boolean} open
 * @property {boolean} help
 */

/**
 * @param {string[]} args
 * @param {string} cwd base of relative paths
 * @returns {StartArgs}
 * @throws {Problem} that names the argument it did not understand
 */
export function parseStartArgs(args, cwd) {
  const { values, positionals } = parse(args);
  const port = values.port ?? null;
  if (port !== null && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new Problem(`${port} is no port`, 'give a number from 0 (any free one) to 65535');
  }
  return {
    ...namedBy(positionals, cwd),
    // Only the browser has a port.
    web: Boolean(values.web) || port !== null,
    port,
    open: !values['no-open'],
    help: Boolean(values.help),
  };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return util.parseArgs({
      args,
      allowPositionals: true,
      options: {
        web: { type: 'boolean' },
        port: { type: 'string' },
        'no-open': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch {
    throw new Problem(misunderstood(args), usage);
  }
}

/** @param {string[]} args */
function misunderstood(args) {
  const flags = ['--web', '--port', '--no-open', '--help', '-h'];
  const wrong = args.find((arg) => arg.startsWith('-') && !flags.includes(arg) && !arg.startsWith('--port='));
  return wrong ? `unknown option ${wrong}` : '--port needs a number';
}

export { usage };
