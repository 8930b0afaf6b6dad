/**
 * MCP over a pair of byte streams, one JSON-RPC message a line: a socket, or standard input and output. It replaces the
 * SDK's transport, which copies its whole buffer for every chunk, does not answer unreadable lines, drops a connection
 * at 10 MiB, and keeps reading while its peer does not.
 *
 *   bytes -> LineFramer -> parseMessage -> Admission -> the server -> send
 *      ^                                       |                       |
 *      '- read little while too many wait, or while replies are unread-'
 */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, JSONRPCNotification, RequestId, Transport } from '@modelcontextprotocol/server';
import { INVALID_PARAMS, INVALID_REQUEST, isJSONRPCRequest } from '@modelcontextprotocol/server';
import { LF } from '../../../shared/text/codes.ts';
import { Admission } from './admission.ts';
import { type Parsed, parseMessage, type Refusal, refused } from './parse-message.ts';

/** Longest message that is read, in bytes. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** Unreadable messages in a row after which the connection is closed. */
export const MAX_UNREADABLE = 32;
/** How long a peer that has ended its side may leave replies unread. */
const UNREAD_MS = 2000;
/** How often to try whether a peer still reads, while the input cannot tell. */
const PROBE_MS = 500;
/** Most bytes to read ahead while no request may start: only reading tells that the peer has closed. */
const MOST_AHEAD_BYTES = 256 * 1024;
/** Notifications kept for a peer that does not read. */
const MAX_HELD = 1024;

interface LineTransportOptions {
  maxMessageBytes?: number;
  /** Ids of requests whose first reply is dropped: they were answered before this transport began. */
  answered?: ReadonlySet<RequestId> | undefined;
  /** Sees each message of the client as its turn comes. */
  observe?(message: JSONRPCMessage): void;
}

export class LineTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  /** Resolves when nothing more comes and nothing more is sent. */
  readonly closed: Promise<void>;

  #settleClosed!: () => void;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #maxBytes: number;
  readonly #framer: LineFramer;
  readonly #admission = new Admission((message) => {
    this.#observe?.(message);
    this.onmessage?.(message);
  });
  readonly #observe: ((message: JSONRPCMessage) => void) | undefined;
  readonly #answered: Set<RequestId>;
  readonly #held = new Map<string, JSONRPCMessage>();
  #frames: FramedLine[] = [];
  /** Bytes of input since the last time that none waited. */
  #aheadBytes = 0;
  #advancing = false;
  #ended = false;
  #closed = false;
  #unreadable = 0;
  #probing: NodeJS.Timeout | null = null;

  /** A socket serves as both. The streams' owner ends them once `closed` has resolved. */
  constructor(input: Readable, output: Writable, options: LineTransportOptions = {}) {
    const { maxMessageBytes = MAX_MESSAGE_BYTES } = options;
    this.#observe = options.observe;
    this.#answered = new Set(options.answered);
    this.#input = input;
    this.#output = output;
    this.#maxBytes = maxMessageBytes;
    this.#framer = new LineFramer(maxMessageBytes);
    this.closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
  }

  async start(): Promise<void> {
    const lost = () => void this.close();
    this.#output.on('drain', () => {
      this.#release();
      this.#advance();
    });
    this.#output.on('error', lost).on('close', lost);
    this.#input.on('error', lost).on('close', () => {
      if (!this.#ended) lost();
    });
    this.#input.on('end', () => {
      this.#ended = true;
      this.#endThoughUnread();
      this.#probe();
      const rest = this.#framer.end();
      if (rest !== null) this.#frames.push(rest);
      this.#advance();
    });
    this.#input.on('data', (chunk: Uint8Array) => {
      this.#aheadBytes += chunk.length;
      for (const frame of this.#framer.push(chunk)) this.#frames.push(frame);
      this.#advance();
    });
  }

  /** Resolves when the message was handed to the system, or kept for a peer that reads slowly. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    if ('method' in message && this.#output.writableNeedDrain && !('id' in message)) {
      this.#hold(message);
      return;
    }
    const repliesTo = 'method' in message ? undefined : message.id;
    if (repliesTo === undefined || !this.#answered.delete(repliesTo)) this.#write(message);
    if (repliesTo !== undefined) this.#admission.settle(repliesTo);
    this.#advance();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#probing ?? undefined);
    this.#frames = [];
    this.#held.clear();
    this.#admission.clear();
    this.#input.pause();
    this.onclose?.();
    this.#settleClosed();
  }

  /** Handles arrived lines while there is room for them, then reads more. */
  #advance(): void {
    // Handling a message may send its reply at once, which comes back here.
    if (this.#advancing) return;
    this.#advancing = true;
    let taken = 0;
    while (this.#canWork()) {
      this.#admission.next();
      const frame = this.#frames[taken];
      if (frame === undefined || this.#admission.full) break;
      taken += 1;
      this.#handle(frame);
    }
    this.#frames.splice(0, taken);
    this.#advancing = false;
    const isWaiting = this.#frames.length > 0 || !this.#canWork();
    if (!isWaiting) this.#aheadBytes = 0;
    if (this.#closed) return;
    if (this.#aheadBytes > MOST_AHEAD_BYTES) {
      this.#input.pause();
      this.#probe();
    } else if (!this.#ended) this.#input.resume();
    else if (!isWaiting && this.#admission.idle) void this.close();
  }

  /**
   * Tries now and then whether the peer still reads. It may have died after it ended its side, or while no input was
   * read: then only a write tells. An empty one fails like any other on a socket, and sends nothing.
   */
  #probe(): void {
    if (this.#probing !== null) return;
    const probe = () => {
      if (this.#output.writableLength === 0) this.#output.write('');
    };
    this.#probing = setInterval(probe, PROBE_MS).unref();
    probe();
  }

  /** Closes when the peer has ended its side and reads none of what waits for it. */
  #endThoughUnread(): void {
    let before = -1;
    const timer = setInterval(() => {
      const waiting = this.#output.writableLength;
      if (this.#closed || (waiting > 0 && waiting === before)) {
        clearInterval(timer);
        void this.close();
      }
      before = waiting;
    }, UNREAD_MS);
    timer.unref();
  }

  /** For a peer that does not read, keeps only the last notification of each kind: they may go on for ever. */
  #hold(message: JSONRPCNotification): void {
    const { progressToken, uri, _meta } = message.params ?? {};
    this.#held.set(JSON.stringify([message.method, progressToken, uri, _meta]), message);
    if (this.#held.size > MAX_HELD) this.#held.delete(this.#held.keys().next().value!);
  }

  #release(): void {
    for (const [key, message] of this.#held) {
      if (this.#output.writableNeedDrain) return;
      this.#held.delete(key);
      this.#write(message);
    }
  }

  /** A peer that does not read its replies gets no more work done. */
  #canWork(): boolean {
    return !this.#closed && !this.#output.writableNeedDrain;
  }

  #handle(frame: FramedLine): void {
    const parsed = frame.kind === 'line' ? parseLine(frame.text) : this.#tooLong(frame);
    if (parsed === null) return;
    if (parsed.kind === 'message') {
      this.#unreadable = 0;
      this.#admit(parsed.message);
      return;
    }
    const { refusal } = parsed;
    this.#write(refusal);
    this.onerror?.(new Error(refusal.error.message));
    // An agent may err as often as it likes.
    if (refusal.error.code !== INVALID_PARAMS) this.#unreadable += 1;
    if (this.#unreadable >= MAX_UNREADABLE) void this.close();
  }

  #admit(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && this.#admission.has(message.id)) {
      const problem =
        'Invalid request: a request of this id is not answered yet: give every request its own id';
      this.#write(refused(message.id, INVALID_REQUEST, problem).refusal);
      return;
    }
    this.#admission.offer(message);
  }

  #tooLong(frame: FramedLine & { kind: 'oversized' }): Parsed {
    const problem = `the message has ${frame.bytes} bytes, more than the ${this.#maxBytes} that are read`;
    return refused(frame.id, INVALID_REQUEST, `Invalid request: ${problem}: send less at once`);
  }

  #write(message: JSONRPCMessage | Refusal): void {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }
}

function parseLine(text: string): Parsed | null {
  return text.trim() === '' ? null : parseMessage(text);
}

// Splits bytes into lines in linear time: keeps chunks in a list and joins them once, when their line ends. Does not
// keep a line over the limit, but scans it for the id that an error reply needs.

/** A line without its newline; or, for a line that was too long, its id and its length in bytes. */
export type FramedLine =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'oversized'; readonly bytes: number; readonly id: string | number | null };

export class LineFramer {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** The start and the end of the present line, once it is over the limit. */
  #oversized: { head: Buffer; tail: Buffer } | null = null;

  /** `maxBytes`: the longest line that is given whole. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes. The chunk must not be reused by its owner afterwards. */
  push(chunk: Uint8Array): FramedLine[] {
    const frames: FramedLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#keep(chunk.subarray(start, end));
      frames.push(this.#take());
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return frames;
  }

  /** Returns the unfinished last line when the stream ends; null when there is none. */
  end(): FramedLine | null {
    return this.#bytes === 0 ? null : this.#take();
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    this.#chunks.push(part);
    if (this.#oversized === null && this.#bytes <= this.#maxBytes) return;
    const text = Buffer.concat([this.#oversized?.tail ?? Buffer.alloc(0), ...this.#chunks]);
    const head = this.#oversized?.head ?? Buffer.from(text.subarray(0, ID_WITHIN_BYTES));
    this.#oversized = { head, tail: Buffer.from(text.subarray(-ID_WITHIN_BYTES)) };
    this.#chunks = [];
  }

  #take(): FramedLine {
    const frame: FramedLine =
      this.#oversized !== null
        ? { kind: 'oversized', bytes: this.#bytes, id: idOf(this.#oversized) }
        : { kind: 'line', text: Buffer.concat(this.#chunks, this.#bytes).toString('utf8') };
    this.#chunks = [];
    this.#bytes = 0;
    this.#oversized = null;
    return frame;
  }
}

const ID_WITHIN_BYTES = 512;
const ID = String.raw`"id"\s*:\s*("[^"\\]{1,256}"|-?\d{1,15})`;
/** Clients write the id before the long params, or as the last member. */
const FIRST_ID = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}\s*,`);
const LAST_ID = new RegExp(String.raw`,\s*${ID}\s*\}\s*$`);

/** The id that an error reply needs: without it the sender could not tell which of its requests was refused. */
function idOf({ head, tail }: { head: Buffer; tail: Buffer }): string | number | null {
  const [, id] = FIRST_ID.exec(head.toString('utf8')) ?? LAST_ID.exec(tail.toString('utf8')) ?? [];
  return id === undefined ? null : (JSON.parse(id) as string | number);
}
