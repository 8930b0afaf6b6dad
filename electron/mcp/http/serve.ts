/**
 * MCP as Streamable HTTP on 127.0.0.1, for clients that speak nothing else: `POST /mcp` with a bearer token. In the
 * 2026-07-28 revision every request stands alone; 2025-11-25 has sessions.
 */

import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import {
  createMcpHandler,
  INVALID_PARAMS,
  isJSONRPCRequest,
  isJsonContentType,
  isLegacyRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpHttpHandler,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { SpillwayError } from '../../../shared/errors.ts';
import {
  foreignPart,
  isSame,
  limitConnections,
  listenLocally,
  MCP_POLICY,
} from '../../host/socket/local-http.ts';
import type { Agent } from '../agent.ts';
import { subscribedUris } from '../resources.ts';
import { Turns } from '../transport/admission.ts';
import { MAX_MESSAGE_BYTES } from '../transport/line-transport.ts';
import { type Parsed, parseMessage } from '../transport/parse-message.ts';
import { errorReply, sendReply, untilRead } from './reply.ts';
import { HttpSessions } from './sessions.ts';

interface McpHttpOptions {
  /** 0 takes a free one. */
  port: number;
  token: string;
  /** `standsAlone`: the one for all requests that nothing ties together. */
  createAgent(given: { standsAlone: boolean }): Agent;
  /** How long a session outlives its lost event stream, milliseconds. */
  lostMs?: number | undefined;
  onDefect?: ((error: unknown) => void) | undefined;
}

export interface McpHttp {
  /** Without the token. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 512;
/** Most stateless requests that are served at once. */
const MAX_AT_ONCE = 32;
const MAX_WAITING = 512;
const MAX_SUBSCRIPTIONS = 64;

/** Errors: `busy` when the port is in use, `no_permission`. */
export async function serveMcpHttp(options: McpHttpOptions): Promise<McpHttp> {
  const server = http.createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 5000,
    keepAliveTimeout: 65_000,
  });
  const connections = limitConnections(server, MAX_CONNECTIONS);
  const endpoint = new Endpoint(options);
  server.on('request', (request, response) => {
    response.on('error', () => {});
    endpoint.serve(request, response).catch((error) => {
      // A client that disconnected in the middle is not our defect.
      if (!response.destroyed && !request.destroyed) options.onDefect?.(error);
      response.destroy();
    });
  });
  const port = await listenLocally(server, options.port, PORT_USE);
  return {
    url: `http://127.0.0.1:${port}${MCP_PATH}`,
    port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await endpoint.close();
      connections.closeAll();
      await closed;
    },
  };
}

class Endpoint {
  readonly #options: McpHttpOptions;
  readonly #sessions: HttpSessions;
  /** Serves every stateless request: nothing tells their clients apart. */
  readonly #agent: Agent;
  readonly #handler: McpHttpHandler;
  readonly #turns = new Turns(MAX_AT_ONCE, MAX_WAITING);

  constructor(options: McpHttpOptions) {
    this.#options = options;
    this.#sessions = new HttpSessions(() => options.createAgent({ standsAlone: false }), options.lostMs);
    this.#agent = options.createAgent({ standsAlone: true });
    this.#handler = createMcpHandler(() => this.#agent.createServer(), {
      legacy: 'reject',
      maxSubscriptions: MAX_SUBSCRIPTIONS,
    });
  }

  async serve(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const refused = refusalOf(incoming, this.#options.token);
    if (refused !== null) {
      const headers = refused.status === 401 ? { 'www-authenticate': 'Bearer realm="Spillway"' } : {};
      incoming.resume();
      return sendReply(
        errorReply(refused.status, -32000, `Refused: ${refused.why}`, {
          headers: { ...headers, connection: 'close' },
        }),
        response,
      );
    }
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    await sendReply(await this.#answer(incoming, gone.signal), response);
  }

  async close(): Promise<void> {
    await Promise.all([this.#handler.close(), this.#sessions.close()]);
    await this.#agent.close();
  }

  async #answer(incoming: http.IncomingMessage, signal: AbortSignal): Promise<Response> {
    const method = incoming.method ?? 'GET';
    if (method !== 'GET' && method !== 'POST' && method !== 'DELETE') {
      return errorReply(405, -32000, 'Refused: only POST, GET and DELETE are known', {
        headers: { allow: 'POST, GET, DELETE', connection: 'close' },
      });
    }
    const request = new Request(`http://127.0.0.1${MCP_PATH}`, {
      method,
      headers: headersOf(incoming),
      signal,
    });
    if (method !== 'POST') return this.#serveInSession(request, undefined);
    if (!isJsonContentType(request.headers.get('content-type'))) {
      return errorReply(415, -32000, 'Refused: the content type must be application/json', CLOSE);
    }
    const text = await readBody(incoming, MAX_MESSAGE_BYTES);
    if (text === null) {
      return errorReply(
        413,
        -32600,
        `Invalid request: more than the ${MAX_MESSAGE_BYTES} bytes that are read`,
        CLOSE,
      );
    }
    const parsed: Parsed = parseMessage(text, 'body');
    if (parsed.kind === 'refused') {
      const isRequest = parsed.refusal.error.code === INVALID_PARAMS;
      return Response.json(parsed.refusal, { status: isRequest ? 200 : 400 });
    }
    const { message } = parsed;
    if (await isLegacyRequest(request, message)) return this.#serveInSession(request, message);
    return this.#serveAlone(request, message);
  }

  /** The session's own refusal of a revision would name those with sessions alone. */
  async #serveInSession(request: Request, message: JSONRPCMessage | undefined): Promise<Response> {
    const asked = request.headers.get('mcp-protocol-version');
    if (asked === null || SUPPORTED_PROTOCOL_VERSIONS.includes(asked))
      return this.#sessions.serve(request, message);
    return errorReply(
      400,
      -32000,
      `Bad Request: Unsupported protocol version: ${asked} (supported versions: ${VERSIONS.join(', ')})`,
    );
  }

  async #serveAlone(request: Request, message: JSONRPCMessage): Promise<Response> {
    if (isJSONRPCRequest(message) && message.method === 'subscriptions/listen') {
      return this.#listen(request, message);
    }
    const giveBack = await this.#turns.take(request.signal);
    if (giveBack === null)
      return errorReply(429, -32000, 'Too many requests wait: retry when some are answered');
    try {
      return untilRead(await this.#handler.fetch(request, { parsedBody: message }), giveBack);
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Opens a stream for as long as the client listens. It takes no turn from other requests. */
  async #listen(request: Request, message: JSONRPCRequest): Promise<Response> {
    const response = await this.#handler.fetch(request, { parsedBody: message });
    if (response.headers.get('content-type') !== 'text/event-stream') return response;
    const watches = subscribedUris(message).map((uri) =>
      this.#agent.watch(uri, () => this.#handler.notify.resourceUpdated(uri)),
    );
    return untilRead(response, () => {
      for (const unwatch of watches) unwatch();
    });
  }
}

const PORT_USE = { purpose: ', for MCP over HTTP,', choose: '(`mcpHttp` in config.json, or --mcp-http)' };
/** The revisions that are served, the one without sessions first. */
const VERSIONS = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS];
const CLOSE = { headers: { connection: 'close' } };

function headersOf(incoming: http.IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

/** Returns null for a body of more than `most` bytes, and drops the rest of it. Rejects when the client disconnects. */
async function readBody(request: IncomingMessage, most: number): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > most) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Keep the connection open after a body that is too long, to answer that it is.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString('utf8');
}

/**
 * Decides which HTTP requests may enter. It refuses pages of other sites and made-up host names (DNS rebinding)
 * first, then requests without the token.
 */
const MCP_PATH = '/mcp';

interface Refused {
  status: 400 | 401 | 403 | 404;
  why: string;
}

/** Null lets the request in. */
function refusalOf(request: IncomingMessage, token: string): Refused | null {
  const foreign = foreignPart(request, MCP_POLICY);
  if (foreign !== null) return { status: 403, why: FOREIGN[foreign] };
  const bearer = bearerOf(request);
  if (bearer === undefined || !isSame(bearer, token)) {
    const fault = bearer === undefined ? 'it came without a token' : "its token is not this home's";
    return {
      status: 401,
      why: `${fault}: send the one in run/mcp-http.token of the home as \`Authorization: Bearer\``,
    };
  }
  if (pathOf(request) !== MCP_PATH) return { status: 404, why: `MCP is at ${MCP_PATH}` };
  return null;
}

const FOREIGN = {
  host: 'it was addressed to another host than this machine',
  origin: 'it was sent by a page of another origin',
  site: 'it was sent by a page of another site',
};

function bearerOf(request: IncomingMessage): string | undefined {
  const given = request.headersDistinct.authorization ?? [];
  return given.length === 1 ? /^bearer +([\w.~+/-]+=*) *$/i.exec(given[0]!)?.[1] : undefined;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0]!;
}

/** The token that clients of MCP over HTTP show: made once, kept in the home's `run` directory for this user alone. */
const FORM = /^[\w-]{32,}$/;

/** Returns the bearer token, made on first use. Errors: `home` when the token file is not a private file of ours. */
export async function httpToken(runDir: string): Promise<string> {
  await mkdir(runDir, { recursive: true, mode: 0o700 });
  const file = join(runDir, 'mcp-http.token');
  const token = randomBytes(32).toString('base64url');
  try {
    await writeFile(file, `${token}\n`, { flag: 'wx', mode: 0o600 });
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notOurs(file, error);
  }
  const stats = await lstat(file).catch((error) => {
    throw notOurs(file, error);
  });
  const ours = process.platform === 'win32' || stats.uid === process.getuid?.();
  if (!stats.isFile() || !ours || stats.size > 1024) throw notOurs(file);
  if ((stats.mode & 0o077) !== 0 && process.platform !== 'win32') await chmod(file, 0o600);
  const kept = (await readFile(file, 'utf8')).trim();
  if (!FORM.test(kept)) throw notOurs(file);
  return kept;
}

function notOurs(file: string, error?: unknown): SpillwayError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return new SpillwayError(
    'home',
    `${file} ${code ? `can't be used (${code})` : 'is not a token that Spillway wrote'}`,
    'look at it, then remove it: a new one is made',
  );
}
