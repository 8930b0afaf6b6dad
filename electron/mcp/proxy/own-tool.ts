/** Answers calls of the proxy's own `inspect_output`. Creates a host at the first call. */
import { isObject } from '../../../shared/text/json-line.ts';
import type { AgentEntry } from '../../host/agents.ts';
import type { Host } from '../../host/host.ts';
import { loadConfig } from '../../host/settings/config.ts';
import { budgetFor } from '../budget.ts';
import { callTool } from '../call-tool.ts';
import { secretsForAgents } from '../redaction.ts';
import { inspectOutput } from '../tools/inspect-output.ts';
import type { Tool } from '../tools/tool.ts';
import { type Id, type ProxiedMessage, withElements, withoutKey } from './message.ts';

export const OWN_TOOL = 'inspect_output';

const ENVELOPE = 'io.modelcontextprotocol';

interface OwnToolOptions {
  home: string;
  /** Returns the client's name; null if it gave none. */
  clientName(): string | null;
  send(message: object): Promise<void>;
  onDefect(error: unknown): void;
  /** Where its calls are written down. */
  entry(): Promise<AgentEntry>;
  session(): string;
}

export class OwnTool {
  readonly #options: OwnToolOptions;
  readonly #calls = new Map<Id, AbortController>();
  #host: Promise<Host> | null = null;

  constructor(options: OwnToolOptions) {
    this.#options = options;
  }

  get calls(): number {
    return this.#calls.size;
  }

  /** Resolves once the reply is written, or the call is cancelled. Never rejects. */
  async answer(id: Id, { params }: ProxiedMessage): Promise<void> {
    const { home, send, onDefect } = this.#options;
    const cancelled = new AbortController();
    this.#calls.set(id, cancelled);
    try {
      const meta = isObject(params._meta) ? params._meta : {};
      const name = clientIn(params) ?? this.#options.clientName();
      const { settings } = loadConfig(home);
      const result = await callTool(
        await this.#tool(),
        params.arguments,
        {
          mcpReq: {
            _meta: meta,
            signal: cancelled.signal,
            notify: (notification) => send({ jsonrpc: '2.0', ...notification }),
          },
        },
        {
          client: name === null ? null : { name, version: '' },
          budget: budgetFor(name, settings),
          secrets: secretsForAgents(settings, name, null),
        },
        onDefect,
      );
      if (cancelled.signal.aborted) return;
      // In the 2026-07-28 revision, each result says whether it is complete.
      const isModern = meta[`${ENVELOPE}/protocolVersion`] !== undefined;
      await send({ jsonrpc: '2.0', id, result: isModern ? { resultType: 'complete', ...result } : result });
    } catch (error) {
      onDefect(error);
      const message = 'Spillway failed at this, a defect of its own';
      await send({ jsonrpc: '2.0', id, error: { code: -32603, message } });
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Returns true if the id belongs to a pending call. */
  cancel(id: Id): boolean {
    this.#calls.get(id)?.abort();
    return this.#calls.has(id);
  }

  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.abort();
    await (await this.#host?.catch(() => null))?.close();
  }

  async #tool(): Promise<Tool> {
    this.#host ??= createdHost(this.#options.home);
    this.#host.catch(() => {
      this.#host = null;
    });
    const { journaled, refusingMasks } = await import('../agent.ts');
    const { entry, session } = this.#options;
    return journaled(refusingMasks(inspectOutput(await this.#host)), await entry(), session);
  }
}

/** Loads the host on demand, so that starting the server does not wait for it. */
async function createdHost(home: string): Promise<Host> {
  const { createHost } = await import('../../host/create.ts');
  return createHost({ home, watch: true, threads: 1 });
}

/** Returns the client's name that a request of the 2026-07-28 revision gives; null for another. */
export function clientIn(params: Record<string, unknown>): string | null {
  return isObject(params._meta) ? nameIn(params._meta[`${ENVELOPE}/clientInfo`]) : null;
}

export function nameIn(clientInfo: unknown): string | null {
  return isObject(clientInfo) && typeof clientInfo.name === 'string' ? clientInfo.name.slice(0, 100) : null;
}

// Changes a server's list of tools: adds the proxy's `inspect_output`, and takes away what previews would break.

/** Inserts the tool into a JSON array. All other bytes stay. */
export function withOurs(list: string): string {
  const end = list.lastIndexOf(']');
  const isEmpty = list.slice(1, end).trim() === '';
  return `${list.slice(0, end)}${isEmpty ? '' : ','}${announced()}${list.slice(end)}`;
}

/** Removes each tool's `outputSchema`: clients refuse results without the structured content that one announces. */
export function withoutSchemas(list: string): string {
  return withElements(list, (tool) => withoutKey(tool, 'outputSchema'));
}

/** The definition alone needs no host. */
function announced(): string {
  return JSON.stringify(inspectOutput({} as Host).definition);
}
