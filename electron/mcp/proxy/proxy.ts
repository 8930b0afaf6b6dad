/**
 * Stands between a client and an MCP server. Every byte passes as it is, in its order, but for long text results and the
 * tools' list.
 *
 *   client ── lines ──> calls of our inspect_output stay here ──> server
 *      ^                                 '-- answer, between the server's lines --.
 *      '-- lines as they are <── answers to tools/list and tools/call changed <── server
 *
 * A side that does not read is waited for, and the other side waits with it: what is held is one line at most.
 */
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { type Asked, AskedOfServer, type Id } from './asked.ts';
import { spanOf } from './json-span.ts';
import { isObject, type Message, readMessage } from './message.ts';
import { Outlet, writeOn } from './outlet.ts';
import { nameIn, OWN_TOOL, OwnTool } from './own-tool.ts';
import { PassingLines, type Piece } from './passing-lines.ts';

/** Longer messages pass unchanged. */
export const MAX_HELD_BYTES = 32 * 1024 * 1024;
/** Calls of our own tool that are worked on at once; then nothing more is read. */
const MAX_CALLS = 8;

export interface ProxyStreams {
  client: { input: Readable; output: Writable };
  server: { input: Writable; output: Readable };
}

export interface ProxyOptions {
  home: string;
  /** What the server is called until it says so itself. */
  serverName: string;
  /** Most characters of text that pass unchanged; `inlineThresholdChars` when it is not given. */
  threshold?: number | undefined;
  onDefect(error: unknown): void;
}

export class McpProxy {
  /** Resolves when the server has ended its output and the client has all of it. */
  readonly done: Promise<void>;

  readonly #streams: ProxyStreams;
  readonly #options: ProxyOptions;
  readonly #asked = new AskedOfServer();
  readonly #outlet: Outlet;
  readonly #own: OwnTool;
  readonly #serverGone = new AbortController();
  #clientName: string | null = null;
  #serverName: string;
  /** The server has a tool of our tool's name. */
  #isTheirs = false;
  #session: string | null = null;
  /** Gives the client's turn back, in the middle of a line that passes. */
  #release: (() => void) | null = null;
  #working = false;

  constructor(streams: ProxyStreams, options: ProxyOptions) {
    this.#streams = streams;
    this.#options = options;
    this.#serverName = options.serverName;
    this.#outlet = new Outlet(streams.client.output);
    this.#own = new OwnTool({
      home: options.home,
      clientName: () => this.#clientName,
      send: (message) => this.#outlet.line(message),
      onDefect: options.onDefect,
    });
    void this.#passToServer();
    this.done = this.#passToClient();
  }

  /** Whether nothing that the server wrote waits here. */
  get isIdle(): boolean {
    return !this.#working && this.#own.calls === 0 && this.#streams.server.output.readableLength === 0;
  }

  /** Resolves when the client has all that was written for it. */
  flushed(): Promise<void> {
    return this.#outlet.flushed();
  }

  close(): Promise<void> {
    return this.#own.close();
  }

  async #passToServer(): Promise<void> {
    const { client, server } = this.#streams;
    const gone = this.#serverGone.signal;
    const leave = () => {
      this.#serverGone.abort();
      // Whoever writes to a server that reads no more is told so.
      client.input.destroy();
    };
    server.input.once('close', leave).on('error', leave);
    const lines = new PassingLines(MAX_HELD_BYTES, () => true);
    const pass = async (piece: Piece) => {
      if (piece.kind === 'line' && (await this.#isOurs(piece.bytes))) return;
      await writeOn(server.input, piece.bytes, gone);
    };
    try {
      for await (const chunk of client.input) for (const piece of lines.push(chunk)) await pass(piece);
      const rest = lines.end();
      if (rest !== null) await pass(rest);
    } catch {
      // The client's end of the pipe broke: that is its end.
    }
    server.input.end();
  }

  /** Notes what the answer to this line will be. Returns whether we answer it ourselves. */
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

  #askedBy({ method, params }: Message): Asked | null {
    switch (method) {
      case 'initialize':
      case 'server/discover':
        this.#clientName = nameIn(params.clientInfo);
        return { kind: 'opening' };
      case 'tools/list':
        return { kind: 'tools', isFirst: params.cursor === undefined };
      case 'tools/call':
        return { kind: 'call', tool: typeof params.name === 'string' ? params.name : 'tool' };
      default:
        return null;
    }
  }

  async #passToClient(): Promise<void> {
    const { output } = this.#streams.server;
    // A server that writes for nobody is told so.
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
      // The server's end of the pipe broke: that is its end.
    }
    this.#release?.();
    this.#working = false;
    await this.#outlet.flushed();
  }

  async #pass(piece: Piece): Promise<void> {
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

  /** Returns the line as the client gets it. Whatever goes wrong here, it gets the server's own. */
  async #changed(line: Buffer): Promise<Buffer> {
    try {
      const read = readMessage(line);
      if (read === null || read.message.method !== undefined || read.message.id === undefined) return line;
      const { id, result } = read.message;
      const asked = this.#asked.take(id as Id);
      if (asked === null || result === undefined) return line;
      const change = await this.#changeOf(asked, result);
      if (change === null) return line;
      const span = spanOf(read.text, ['result', change.key]);
      if (span === null) return line;
      const before = read.text.slice(span.start, span.end);
      return Buffer.from(read.text.slice(0, span.start) + change.replace(before) + read.text.slice(span.end));
    } catch (error) {
      this.#options.onDefect(error);
      return line;
    }
  }

  /** Returns which part of the result is replaced, and by what; null when it passes as it is. */
  async #changeOf(
    asked: Asked,
    result: Record<string, unknown>,
  ): Promise<{ key: string; replace(before: string): string } | null> {
    if (asked.kind === 'opening') {
      this.#serverName = serverNameIn(result) ?? this.#serverName;
      return null;
    }
    if (asked.kind === 'tools') {
      if (!Array.isArray(result.tools)) return null;
      const has = result.tools.some((tool) => isObject(tool) && tool.name === OWN_TOOL);
      this.#isTheirs = has || (this.#isTheirs && !asked.isFirst);
      const isLast = result.nextCursor === undefined;
      if (!isLast || this.#isTheirs) return null;
      const { toolsWithOurs } = await import('./tools-list.ts');
      return { key: 'tools', replace: toolsWithOurs };
    }
    if (!Array.isArray(result.content)) return null;
    // Loaded when the first result may be long, so that a server starts without waiting for it.
    const { capturedContent } = await import('./captured-result.ts');
    const content = await capturedContent(result.content, asked.tool, {
      home: this.#options.home,
      session: this.#sessionName(),
      threshold: this.#options.threshold,
      canInspect: !this.#isTheirs,
    });
    return content === null ? null : { key: 'content', replace: () => JSON.stringify(content) };
  }

  /** A session of this connection's own, called after the server. */
  #sessionName(): string {
    const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    this.#session ??=
      process.env.SPILLWAY_SESSION || `${this.#serverName}-${at}-${randomBytes(3).toString('hex')}`;
    return this.#session;
  }
}

/** One revision says it as it opens, the other with each result. */
function serverNameIn(result: Record<string, unknown>): string | null {
  const meta = isObject(result._meta) ? result._meta : {};
  const said = result.serverInfo ?? meta['io.modelcontextprotocol/serverInfo'];
  return isObject(said) && typeof said.name === 'string' && said.name !== '' ? said.name.slice(0, 100) : null;
}
