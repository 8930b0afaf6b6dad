/**
 * `npm run -s spillway -- ARGS`: makes the checkout ready, then runs its command line. It runs in this process and
 * in the user's directory, so that signals, terminal, stdin and exit status are exact.
 */
import { pathToFileURL } from 'node:url';
import { inDist, root } from './building/targets.mjs';
import { ensure } from './machine/ensure.mjs';
import { followParent, restore } from './machine/environment.mjs';
import { fail } from './machine/progress.mjs';

const cli = inDist('node', 'cli.js');
const cwd = process.env.INIT_CWD;
followParent();
let ready = false;
try {
  await ensure();
  restore(root);
  process.argv[1] = cli;
  if (cwd) process.chdir(cwd);
  ready = true;
} catch (error) {
  fail(error);
}
if (ready) await import(pathToFileURL(cli).href);
