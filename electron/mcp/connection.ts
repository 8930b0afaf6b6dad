/** One client of MCP: from its byte streams to a server of its own, in whichever protocol revision it opens with. */

import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpServer,
  type RequestId,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Agent } from './agent.ts';
import { subscribedUris } from './resources.ts';
import { cancelledId } from './transport/admission.ts';
import { LineTransport } from './transport/line-transport.ts';

/** Subscriptions one client may hold open. */
const MAX_SUBSCRIPTIONS = 16;

interface McpConnection {
  /**
   * Resolves when the client has disconnected, or has ended its input and got its replies, and the agent is closed.
   * Never rejects.
   */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

interface ClientStreams {
  input: Readable;
  output: Writable;
  /** Ids of requests in the input that were answered already. */
  answered?: ReadonlySet<RequestId> | undefined;
}

/** The caller ends the streams after `closed`. The agent is closed with the connection. */
export function serveClient(agent: Agent, streams: ClientStreams): McpConnection {
  let server: McpServer | null = null;
  const listening = new Listening(agent, (uri) => {
    void server?.server.sendResourceUpdated({ uri }).catch(() => {});
  });
  const transport = new LineTransport(streams.input, streams.output, {
    answered: streams.answered,
    observe: (message) => listening.observe(message),
  });
  const handle = serveStdio(
    () => {
      server = agent.createServer();
      return server;
    },
    { transport, maxSubscriptions: MAX_SUBSCRIPTIONS },
  );
  const closed = transport.closed.then(async () => {
    listening.close();
    await agent.close().catch(() => {});
  });
  return { closed, close: () => handle.close() };
}

/**
 * Tracks the resources that a 2026-07-28 client listens to: the SDK keeps its subscriptions and does not name the
 * resources.
 */
class Listening {
  readonly #agent: Agent;
  readonly #tell: (uri: string) => void;
  readonly #watches = new Map<RequestId, (() => void)[]>();

  constructor(agent: Agent, tell: (uri: string) => void) {
    this.#agent = agent;
    this.#tell = tell;
  }

  observe(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && message.method === 'subscriptions/listen') {
      if (this.#watches.size >= MAX_SUBSCRIPTIONS || this.#watches.has(message.id)) return;
      const uris = subscribedUris(message);
      this.#watches.set(
        message.id,
        uris.map((uri) => this.#agent.watch(uri, () => this.#tell(uri))),
      );
    }
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) this.#end(cancelled);
  }

  close(): void {
    for (const id of [...this.#watches.keys()]) this.#end(id);
  }

  #end(id: RequestId): void {
    for (const unwatch of this.#watches.get(id) ?? []) unwatch();
    this.#watches.delete(id);
  }
}

// MCP on standard input and output, for the client that started this process.

/**
 * Resolves at the end of input, when everything asked for has been answered; and when the client has gone, or reads
 * no more.
 */
export async function serveMcpStdio(
  agent: Agent,
  opening: { input: Readable; answered: ReadonlySet<RequestId> } | null,
): Promise<void> {
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
