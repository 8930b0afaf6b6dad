/**
 * The 2025-11-25 revision over HTTP: an `initialize` opens a session of its own, which later requests name in a
 * header. It has its own server object, and takes its agent with it when it ends: when it is deleted, its client has
 * lost its event stream and opens no other, or nothing was asked for long.
 */
import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import {
  INVALID_REQUEST,
  isInitializeRequest,
  isJSONRPCRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Agent } from '../agent.ts';
import { MAX_IN_FLIGHT, MAX_WAITING, Turns } from '../transport/admission.ts';
import { errorReply, untilRead } from './reply.ts';

const MAX_SESSIONS = 64;
/** A session without a request or an open stream for this long ends, milliseconds. */
const IDLE_MS = 30 * 60_000;
/** A client whose event stream broke has this long to ask for something before it counts as dead, milliseconds. */
const LOST_MS = 10_000;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly agent: Agent;
  readonly turns: Turns;
  /** Requests that are not answered yet: the same id again could not be told from them. */
  readonly unanswered: Set<RequestId>;
  /** Requests and streams that are open. */
  open: number;
  usedAt: number;
  /** Its event stream broke, and nothing was asked since. */
  isLost: boolean;
  /** Ends a lost session. */
  ending: NodeJS.Timeout | null;
}

export class HttpSessions {
  readonly #createAgent: () => Agent;
  readonly #lostMs: number;
  readonly #sessions = new Map<string, Session>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(createAgent: () => Agent, lostMs = LOST_MS) {
    this.#createAgent = createAgent;
    this.#lostMs = lostMs;
    this.#sweeping = setInterval(() => this.#sweep(), 60_000).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** `message`: of a POST, parsed. */
  async serve(request: Request, message: JSONRPCMessage | undefined): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      if (message === undefined || !isInitializeRequest(message)) {
        return errorReply(
          400,
          INVALID_REQUEST,
          'Invalid request: no Mcp-Session-Id: send `initialize` first',
        );
      }
      return this.#open(request, message);
    }
    const session = this.#sessions.get(id);
    if (session === undefined) {
      return errorReply(404, -32001, 'Session not found: it has ended, send `initialize` to begin another');
    }
    return this.#serveIn(session, request, message);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await Promise.all([...this.#sessions.values()].map((session) => session.transport.close()));
  }

  async #open(request: Request, message: JSONRPCMessage): Promise<Response> {
    if (this.#sessions.size >= MAX_SESSIONS && !this.#endOldest()) {
      return errorReply(503, -32000, 'Too many sessions are open: end one with DELETE, or retry later');
    }
    const agent = this.#createAgent();
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, session);
      },
    });
    const session: Session = {
      transport,
      agent,
      turns: new Turns(MAX_IN_FLIGHT, MAX_WAITING),
      unanswered: new Set(),
      open: 0,
      usedAt: performance.now(),
      isLost: false,
      ending: null,
    };
    const server = agent.createServer();
    const { onclose } = server.server;
    server.server.onclose = () => {
      onclose?.();
      clearTimeout(session.ending ?? undefined);
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      void agent.close();
    };
    await server.connect(transport);
    const response = await this.#serveIn(session, request, message);
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  async #serveIn(session: Session, request: Request, message: JSONRPCMessage | undefined): Promise<Response> {
    session.usedAt = performance.now();
    session.isLost = false;
    clearTimeout(session.ending ?? undefined);
    const asked = message !== undefined && isJSONRPCRequest(message) ? message : null;
    if (asked !== null && session.unanswered.has(asked.id)) {
      const problem =
        'Invalid request: a request of this id is not answered yet: give every request its own id';
      return errorReply(400, INVALID_REQUEST, problem, { id: asked.id });
    }
    if (asked !== null) session.unanswered.add(asked.id);
    session.open += 1;
    let giveBack: (() => void) | null = null;
    const done = (isBroken = false) => {
      giveBack?.();
      if (asked !== null) session.unanswered.delete(asked.id);
      session.open -= 1;
      session.usedAt = performance.now();
      if (isBroken && asked !== null) cancel(session, asked.id);
      if (isBroken && request.method === 'GET') session.isLost = true;
      if (session.isLost && session.open === 0) this.#endSoon(session);
    };
    try {
      if (asked !== null) {
        giveBack = await session.turns.take(request.signal);
        if (giveBack === null) {
          done();
          return errorReply(429, -32000, 'Too many requests wait: retry when some are answered', {
            id: asked.id,
          });
        }
      }
      const response = await session.transport.handleRequest(
        request,
        message === undefined ? {} : { parsedBody: message },
      );
      return untilRead(response, done);
    } catch (error) {
      done();
      throw error;
    }
  }

  #endSoon(session: Session): void {
    clearTimeout(session.ending ?? undefined);
    session.ending = setTimeout(() => {
      if (session.open === 0) void session.transport.close();
    }, this.#lostMs).unref();
  }

  #endOldest(): boolean {
    const [oldest] = [...this.#sessions.values()]
      .filter((session) => session.open === 0)
      .sort((a, b) => a.usedAt - b.usedAt);
    void oldest?.transport.close();
    return oldest !== undefined;
  }

  #sweep(): void {
    for (const session of this.#sessions.values()) {
      if (session.open === 0 && performance.now() - session.usedAt > IDLE_MS) void session.transport.close();
    }
  }
}

/** No other stream can bring the reply, so a request whose connection is lost counts as cancelled. */
function cancel({ transport }: Session, requestId: RequestId): void {
  const params = { requestId, reason: 'its connection was lost' };
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}
