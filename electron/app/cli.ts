/**
 * Entry point of the command line, `spillway`. It loads almost nothing itself: `run` and `terminal` have a file
 * of their own that starts fast, and an MCP client's first messages are answered before the program is loaded.
 */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerOpening } from '../mcp/answer-opening.ts';
import { INHERITED_WORD } from '../recorder/command/inherited.ts';
import { cachedCode } from './cached-code.ts';
import { keepDebuggerShut } from './debugger.ts';
import { leaveStandardErrorAlone } from './leave.ts';

keepDebuggerShut();
leaveStandardErrorAlone();
const args = process.argv.slice(2);
const [command = ''] = args;
const require = createRequire(import.meta.url);
const QUICK = ['run', 'record-on', 'terminal'];
// The launcher passes a word of its own before `run`.
if (QUICK.includes(command) || command.startsWith(INHERITED_WORD)) {
  require('./run.cjs');
} else if (command === 'mask-output') {
  // Internal: the recorder of agents' commands starts it, and output waits for it.
  const load = cachedCode(dirname(fileURLToPath(import.meta.url)), require);
  await (load('mask-main.cjs') as typeof import('../agent-shell/mask-output.ts')).maskOutput(args[1]!);
} else {
  const file = fileURLToPath(import.meta.url);
  const folder = dirname(file);
  const opening = await answerOpening(args, `${folder}/mcp-opening.json`);
  const program = cachedCode(folder, require)('command-line.cjs') as typeof import('./command-line.ts');
  await program.main(args, file, opening);
}
