/** Calls a tool for a client: sends its progress, and turns what it throws into a reply that says what to do. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { toSpillwayError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets/mask.ts';
import { ensureMasked, whileMasking } from './redaction.ts';
import type { CallOptions, Progress, Tool } from './tools/tool.ts';

interface CallContext {
  readonly mcpReq: ProgressContext['mcpReq'] & { readonly signal: AbortSignal };
}

/** Never rejects. `onDefect` gets the errors that were not written for an agent; the reply does not show them. */
export async function callTool(
  tool: Tool,
  args: unknown,
  context: CallContext,
  { secrets, ...from }: Pick<CallOptions, 'client' | 'budget'> & { secrets: Secrets | null },
  onDefect?: ((error: unknown) => void) | undefined,
): Promise<CallToolResult> {
  return whileMasking(secrets, async () =>
    ensureMasked(await call(tool, args, context, { secrets, ...from }, onDefect)),
  );
}

async function call(
  tool: Tool,
  args: unknown,
  context: CallContext,
  { secrets, budget, client }: Pick<CallOptions, 'client' | 'budget'> & { secrets: Secrets | null },
  onDefect: ((error: unknown) => void) | undefined,
): Promise<CallToolResult> {
  const { signal } = context.mcpReq;
  const reports = new ProgressReports(context);
  const stopTicking = reports.tick();
  try {
    return await tool.call(args, {
      access: 'agent',
      signal,
      client,
      ...(secrets === null ? { budget } : { budget: withoutCount(budget), redact: secrets }),
      report: (progress) => reports.report(progress),
    });
  } catch (error) {
    const { code, what, todo } = toSpillwayError(error);
    if (code !== 'internal') return failure(`${what}: ${todo}`);
    if (!signal.aborted) onDefect?.(error);
    // A message of ours that was not written for an agent may hold paths.
    return failure(
      'Spillway failed at this, which is a defect of its own: try another mode or fewer lines, or read the file itself',
    );
  } finally {
    stopTicking();
    await reports.settle();
  }
}

/** `"redacted":1234,` */
const COUNT_BYTES = 16;

/** Leaves room for the count of what is masked. */
function withoutCount({ usualBytes, mostBytes }: CallOptions['budget']): CallOptions['budget'] {
  return { usualBytes: usualBytes - COUNT_BYTES, mostBytes: mostBytes - COUNT_BYTES };
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

// Progress of one call, as notifications: at most some a second, and never in the same breath as the result: a client
// forgets a call when its result arrives, and handles notifications later than results that come in the same chunk.

/** Least time between two notifications. */
const APART_MS = 250;
/** Time from the last notification to the result. */
const BEFORE_RESULT_MS = 50;
/** How often a call that reports nothing itself says that it goes on. */
const TICK_MS = 1000;

/** The parts of a request that progress needs. */
interface ProgressContext {
  readonly mcpReq: {
    readonly _meta?: { progressToken?: string | number | undefined } | undefined;
    notify(notification: {
      method: 'notifications/progress';
      params: Record<string, unknown>;
    }): Promise<void>;
  };
}

class ProgressReports {
  readonly #context: ProgressContext;
  readonly #token: string | number | undefined;
  #sentAt = -Infinity;
  #sent = -Infinity;

  constructor(context: ProgressContext) {
    this.#context = context;
    this.#token = context.mcpReq._meta?.progressToken;
  }

  report(progress: Progress): void {
    if (this.#token === undefined || performance.now() - this.#sentAt < APART_MS) return;
    // The protocol wants it to rise.
    if (progress.progress <= this.#sent) return;
    this.#sent = progress.progress;
    this.#sentAt = performance.now();
    const params = { progressToken: this.#token, ...progress };
    void this.#context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  }

  /** Reports every second that the call is under way, until the returned function is called. */
  tick(): () => void {
    if (this.#token === undefined) return () => {};
    const begun = performance.now();
    const timer = setInterval(() => {
      const seconds = (performance.now() - begun) / 1000;
      if (performance.now() - this.#sentAt >= TICK_MS - APART_MS)
        this.report({ progress: seconds, message: `${seconds.toFixed(0)} s so far` });
    }, TICK_MS);
    return () => clearInterval(timer);
  }

  /** Resolves when the result may be sent. */
  async settle(): Promise<void> {
    if (this.#sentAt === -Infinity) return;
    const wait = this.#sentAt + BEFORE_RESULT_MS - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
    // On a busy machine that time is over before anything was written: wait until the event loop has turned.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
