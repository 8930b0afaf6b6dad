/**
 * Entry point of the command line, `spillway`. It loads almost nothing itself: `run` and `terminal` have a file
 * of their own that starts fast, and an MCP client's first messages are answered before the program is loaded.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { answerOpening } from '../mcp/opening/answer-opening.ts';
import { keepDebuggerShut } from './debugger.ts';

keepDebuggerShut();
const args = process.argv.slice(2);
const [command = ''] = args;
const QUICK = ['run', 'record-on', 'terminal'];
// The launcher passes `--inherited=…` before `run`.
if (QUICK.includes(command) || command.startsWith('--inherited=')) {
  createRequire(import.meta.url)('./run.cjs');
} else {
  const opening = await answerOpening(args, fileURLToPath(new URL('./mcp-opening.json', import.meta.url)));
  const { main } = await import('./command-line.ts');
  await main(args, fileURLToPath(import.meta.url), opening);
}
