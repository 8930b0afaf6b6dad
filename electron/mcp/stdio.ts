/** MCP on standard input and output, for the client that started this process. */
import { spawn } from 'node:child_process';
import type { Agent } from './agent.ts';
import type { Opening } from './answer-opening.ts';
import { serveClient } from './connection.ts';

/**
 * Resolves at the end of input, when everything asked for has been answered; and when the client has gone, or reads
 * no more.
 */
export async function serveMcpStdio(agent: Agent, opening: Opening | null): Promise<void> {
  const { input, answered } = opening ?? { input: process.stdin };
  const connection = serveClient(agent, { input, output: process.stdout, answered });
  let stopWatching: (() => void) | null = null;
  const watch = () => {
    stopWatching ??= onReaderGone(() => void connection.close());
  };
  // While the input is read, its end tells.
  input.once('end', watch).once('pause', watch);
  await connection.closed;
  input.off('end', watch).off('pause', watch);
  (stopWatching as (() => void) | null)?.();
}

const PARENT_EVERY_MS = 500;

/**
 * Perl gets standard output to watch as descriptor 3: as 1, Node would make it blocking, and then a write that nobody
 * reads would stop us. Its input is a pipe from us, since it must end with us: as long as it has our output open, the
 * reader waits for more.
 */
const WATCH = `open my $out, '>&=', 3 or exit 2; my $poll = IO::Poll->new;
  $poll->mask($out => POLLHUP | POLLERR); $poll->mask(*STDIN => POLLIN | POLLHUP);
  $poll->poll(-1); exit($poll->events(*STDIN) ? 1 : 0)`;

/**
 * Calls back once, at most, when nobody is left to read standard output, unless the returned function is called before.
 * A write would tell, but a command may run for hours before there is something to say. Node can't ask the system for
 * that, Perl can; without Perl, the end of our parent tells. Never throws.
 */
function onReaderGone(gone: () => void): () => void {
  const parent = process.ppid;
  const perl = spawn('perl', ['-MIO::Poll=POLLIN,POLLHUP,POLLERR', '-e', WATCH], {
    stdio: ['pipe', 'ignore', 'ignore', 1],
  });
  const stop = () => {
    clearInterval(timer);
    perl.kill('SIGKILL');
  };
  const tell = () => {
    stop();
    gone();
  };
  const timer = setInterval(() => process.ppid !== parent && tell(), PARENT_EVERY_MS);
  // Without Perl, or where it can't watch, its status is another.
  perl.once('error', () => {}).once('exit', (status) => status === 0 && tell());
  perl.stdin?.on('error', () => {});
  return stop;
}
