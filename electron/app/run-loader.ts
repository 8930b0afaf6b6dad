/** Loads `spillway run` and `terminal`, which have a bundle of their own. The launcher starts Node on this file. */
import { cachedCode } from './cached-code.ts';
import { keepDebuggerShut } from './debugger.ts';

declare const require: NodeJS.Require;
declare const __dirname: string;

keepDebuggerShut();
const load = cachedCode(__dirname, require);
const run = load('run-main.cjs') as typeof import('./run.ts');
void run.main(__dirname, async () => {
  const program = load('command-line.cjs') as typeof import('./command-line.ts');
  await program.main(process.argv.slice(2), `${__dirname}/cli.js`, null);
});
