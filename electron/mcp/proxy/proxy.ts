/**
 * Forwards messages between a client and an MCP server. All bytes pass unchanged and in order, except long text results
 * and the list of tools.
 *
 *   client ── lines ──> calls of our inspect_output stay here ──> server
 *      ^                                 '-- answer, between the server's lines --.
 *      '-- lines as they are <── answers to tools/list and tools/call changed <── server
 *
 * Backpressure: while one side does not read, nothing is read from the other. At most one line is held for each.
 */
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Read } from '../../../shared/activity.ts';
import { isObject } from '../../../shared/text/json-line.ts';
import type { AgentEntry, AgentJournal } from '../../host/agents.ts';
import { ClientWriter, type PassedLine, PassingLines, writeOn } from './client-writer.ts';
import {
  AskedOfServer,
  type Id,
  type PendingRequest,
  type ProxiedMessage,
  readMessage,
  withoutKey,
  withValue,
} from './message.ts';
import { clientIn, nameIn, OWN_TOOL, OwnTool, withOurs, withoutSchemas } from './own-tool.ts';

/** Longer messages pass unchanged. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;
/** Limit on concurrent calls of the proxy's own tool. At the limit, reading from the client pauses. */
const MAX_CALLS = 8;

interface ProxyStreams {
  client: { input: Readable; output: Writable };
  server: { input: Writable; output: Readable };
}

interface ProxyOptions {
  home: string;
  /** The server's name until the server gives its own. */
  serverName: string;
  /** Limit for text that passes unchanged, in characters; the setting `inlineThresholdChars` by default. */
  threshold?: number | undefined;
  onDefect(error: unknown): void;
}

export class McpProxy {
  /** Resolves when the server has closed its output and all of it is written to the client. */
  readonly done: Promise<void>;

  readonly #streams: ProxyStreams;
  readonly #options: ProxyOptions;
  readonly #asked = new AskedOfServer();
  readonly #outlet: ClientWriter;
  readonly #own: OwnTool;
  readonly #serverGone = new AbortController();
  #clientName: string | null = null;
  #serverName: string;
  /** True if the server has a tool named `inspect_output` itself. */
  #isTheirs = false;
  #session: string | null = null;
  #journal: Promise<{ journal: AgentJournal; entry: AgentEntry }> | null = null;
  /** Ends the turn on the client's stream; null unless a line is passing in parts. */
  #release: (() => void) | null = null;
  #working = false;

  constructor(streams: ProxyStreams, options: ProxyOptions) {
    this.#streams = streams;
    this.#options = options;
    this.#serverName = options.serverName;
    this.#outlet = new ClientWriter(streams.client.output);
    this.#own = new OwnTool({
      home: options.home,
      clientName: () => this.#clientName,
      send: (message) => this.#outlet.line(message),
      onDefect: options.onDefect,
      entry: async () => (await this.#activity()).entry,
      session: () => this.#sessionName(),
    });
    void this.#passToServer();
    this.done = this.#passToClient();
  }

  /** True if no byte of the server's is waiting here. */
  get isIdle(): boolean {
    return !this.#working && this.#own.calls === 0 && this.#streams.server.output.readableLength === 0;
  }

  /** Resolves when everything is written to the client. */
  flushed(): Promise<void> {
    return this.#outlet.flushed();
  }

  async close(): Promise<void> {
    await this.#own.close();
    const activity = await this.#journal?.catch(() => null);
    activity?.entry.left();
    activity?.journal.close();
  }

  /** Returns where calls are written down. Loaded on demand, so that starting the server does not wait for it. */
  #activity(): Promise<{ journal: AgentJournal; entry: AgentEntry }> {
    this.#journal ??= import('../../host/agents.ts').then(({ AgentJournal }) => {
      const journal = new AgentJournal(this.#options.home);
      return { journal, entry: journal.begin('stdio', this.#sessionName()) };
    });
    return this.#journal;
  }

  /** Writes down a call of the server's whose reply is a preview now. */
  async #note(
    { tool, client, begunMs }: Extract<PendingRequest, { kind: 'call' }>,
    got: { reads: Read[]; bytes: number },
  ): Promise<void> {
    const { entry } = await this.#activity();
    const name = client ?? this.#clientName;
    entry.is({ client: name === null ? null : { name, version: '' } });
    const artifactId = got.reads[0]?.artifact_id ?? null;
    entry.call(tool, '', artifactId, begunMs)({ ok: true, ...got });
  }

  async #passToServer(): Promise<void> {
    const { client, server } = this.#streams;
    const gone = this.#serverGone.signal;
    const leave = () => {
      this.#serverGone.abort();
      // The client's next write fails, as it would without the proxy.
      client.input.destroy();
    };
    server.input.once('close', leave).on('error', leave);
    const lines = new PassingLines(MAX_HELD_BYTES, () => true);
    const pass = async (piece: PassedLine) => {
      if (piece.kind === 'line' && (await this.#isOurs(piece.bytes))) return;
      await writeOn(server.input, piece.bytes, gone);
    };
    try {
      for await (const chunk of client.input) for (const piece of lines.push(chunk)) await pass(piece);
      const rest = lines.end();
      if (rest !== null) await pass(rest);
    } catch {
      // A broken pipe counts as the client's end of input.
    }
    server.input.end();
  }

  /** Notes requests whose replies may change. Returns true if the proxy answers the line itself. */
  async #isOurs(line: Buffer): Promise<boolean> {
    const message = readMessage(line)?.message;
    if (message?.method === undefined) return false;
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') return this.#cancel(params.requestId);
    if (id === undefined) return false;
    if (method === 'tools/call' && params.name === OWN_TOOL && !this.#isTheirs) {
      const answer = this.#own.answer(id, message);
      if (this.#own.calls >= MAX_CALLS) await answer;
      return true;
    }
    const asked = this.#askedBy(message);
    if (asked !== null) this.#asked.add(id, asked);
    return false;
  }

  #cancel(id: unknown): boolean {
    if (typeof id !== 'string' && typeof id !== 'number') return false;
    if (this.#own.cancel(id)) return true;
    this.#asked.take(id);
    return false;
  }

  #askedBy({ method, params }: ProxiedMessage): PendingRequest | null {
    switch (method) {
      case 'initialize':
      case 'server/discover':
        this.#clientName = nameIn(params.clientInfo);
        return { kind: 'opening' };
      case 'tools/list':
        return { kind: 'tools', isFirst: params.cursor === undefined };
      case 'tools/call':
        return {
          kind: 'call',
          tool: typeof params.name === 'string' ? params.name : 'tool',
          client: clientIn(params),
          begunMs: performance.now(),
        };
      default:
        return null;
    }
  }

  async #passToClient(): Promise<void> {
    const { output } = this.#streams.server;
    // The server's next write fails, as it would without the proxy.
    this.#outlet.gone.addEventListener('abort', () => output.destroy(), { once: true });
    const lines = new PassingLines(MAX_HELD_BYTES, () => this.#asked.any);
    try {
      for await (const chunk of output) {
        this.#working = true;
        for (const piece of lines.push(chunk)) await this.#pass(piece);
        this.#working = false;
      }
      this.#working = true;
      const rest = lines.end();
      if (rest !== null) await this.#pass(rest);
    } catch {
      // A broken pipe counts as the end of the server's output.
    }
    this.#release?.();
    this.#working = false;
    await this.#outlet.flushed();
  }

  async #pass(piece: PassedLine): Promise<void> {
    if (piece.kind === 'line') {
      const bytes = await this.#changed(piece.bytes);
      const release = await this.#outlet.take();
      await this.#outlet.write(bytes);
      release();
      return;
    }
    this.#release ??= await this.#outlet.take();
    await this.#outlet.write(piece.bytes);
    if (!piece.ends) return;
    this.#release();
    this.#release = null;
  }

  /** Returns the line for the client. After any error of the proxy's, that is the server's own line. */
  async #changed(line: Buffer): Promise<Buffer> {
    try {
      const read = readMessage(line);
      if (read === null || read.message.method !== undefined || read.message.id === undefined) return line;
      const { id, result } = read.message;
      const asked = this.#asked.take(id as Id);
      if (asked === null || result === undefined) return line;
      const change = await this.#changeOf(asked, result);
      const changed = change && withValue(read.text, 'result', change);
      return changed === null ? line : Buffer.from(changed);
    } catch (error) {
      this.#options.onDefect(error);
      return line;
    }
  }

  /** Returns what changes the text of the result; null if it passes unchanged. */
  async #changeOf(
    asked: PendingRequest,
    result: Record<string, unknown>,
  ): Promise<((result: string) => string | null) | null> {
    if (asked.kind === 'opening') {
      this.#serverName = serverNameIn(result) ?? this.#serverName;
      return null;
    }
    if (asked.kind === 'tools') {
      if (!Array.isArray(result.tools)) return null;
      const has = result.tools.some((tool) => isObject(tool) && tool.name === OWN_TOOL);
      this.#isTheirs = has || (this.#isTheirs && !asked.isFirst);
      const isLast = result.nextCursor === undefined;
      return (text) =>
        withValue(text, 'tools', (tools) =>
          isLast && !this.#isTheirs ? withOurs(withoutSchemas(tools)) : withoutSchemas(tools),
        );
    }
    // Loaded on demand, so that starting the server does not wait for it.
    const { capturedResult } = await import('./captured-result.ts');
    const captured = await capturedResult(result, asked.tool, {
      home: this.#options.home,
      session: this.#sessionName(),
      threshold: this.#options.threshold,
      client: asked.client ?? this.#clientName,
      canInspect: !this.#isTheirs,
    });
    if (captured === null) return null;
    const { content, keepsStructured, ...got } = captured;
    void this.#note(asked, got).catch(this.#options.onDefect);
    return (text) =>
      withValue(keepsStructured ? text : withoutKey(text, 'structuredContent'), 'content', () =>
        JSON.stringify(content),
      );
  }

  /** Returns the name of this connection's session, which contains the server's name. */
  #sessionName(): string {
    const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    this.#session ??=
      process.env.SPILLWAY_SESSION || `${this.#serverName}-${at}-${randomBytes(3).toString('hex')}`;
    return this.#session;
  }
}

/** One revision names the server in `initialize`, the other in each result. */
function serverNameIn(result: Record<string, unknown>): string | null {
  const meta = isObject(result._meta) ? result._meta : {};
  const info = result.serverInfo ?? meta['io.modelcontextprotocol/serverInfo'];
  return isObject(info) && typeof info.name === 'string' && info.name !== '' ? info.name.slice(0, 100) : null;
}
