/** `spillway`: the command line's entry point. Wires the commands to what only entry points may use. */
import { fileURLToPath } from 'node:url';
import { quietenStreams } from '../cli/print.ts';
import { runProgram } from '../cli/program.ts';
import { reportError } from '../cli/report-error.ts';
import type { Services } from '../cli/services.ts';
import { sayDefect } from './say-defect.ts';
import { version } from './version.ts';

const services: Services = {
  version,
  entry: fileURLToPath(import.meta.url),
  startInspector: async (options) =>
    (await import('./start-host.ts')).startInspector({
      ...options,
      shell: 'web',
      recorder: [process.execPath, services.entry, 'record-on'],
    }),
  startWebShell: async ({ inspector: { host, hello }, port }) => {
    const staticDir = fileURLToPath(new URL('../renderer', import.meta.url));
    return (await import('../web/shell.ts')).startWebShell({
      host,
      hello,
      port,
      staticDir,
      onDefect: sayDefect,
    });
  },
  askRunning: async (home, request) => (await import('./control.ts')).askRunning(home, request),
};

quietenStreams();
// What goes wrong outside of any command's own course (a broken socket, say) is told in the same words.
process.on('uncaughtException', async (error) => process.exit(await reportError(error)));
const status = await start(process.argv.slice(2)).catch(reportError);
// What was printed has been waited for; a handle that is still open must not hold the shell's prompt.
process.exit(status);

async function start(args: readonly string[]): Promise<number> {
  // Not for people: `spillway run` starts it for what background children still print.
  if (args[0] !== 'record-on') return runProgram(args, services);
  const { recordOn } = await import('../host/capturing.ts');
  await recordOn(process.stdin);
  return 0;
}
