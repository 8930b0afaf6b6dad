/** Reads a line as a JSON-RPC message: only the fields that the proxy needs. */
import { isObject } from '../../../shared/text/json/is-object.ts';

export interface ProxiedMessage {
  readonly id?: Id;
  readonly method?: string;
  readonly params: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
}

/** Returns null for a line that is not a message, or that can't be changed safely. Such a line passes unchanged. */
export function readMessage(line: Buffer): { message: ProxiedMessage; text: string } | null {
  try {
    // Decoding would change bytes that are not valid UTF-8.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    const { id, method, params, result } = value;
    return {
      text,
      message: {
        ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
        ...(typeof method === 'string' ? { method } : {}),
        params: isObject(params) ? params : {},
        ...(isObject(result) ? { result } : {}),
      },
    };
  } catch {
    return null;
  }
}

export type Id = string | number;

export type PendingRequest =
  /** `initialize`: the reply names the server. */
  | { readonly kind: 'opening' }
  /** `isFirst`: asks for the first page. */
  | { readonly kind: 'tools'; readonly isFirst: boolean }
  /** `client`: its name, if the request gives it. */
  | { readonly kind: 'call'; readonly tool: string; readonly client: string | null };

/** Bounds the memory for a server that never replies. Replies to the oldest requests then pass unchanged. */
const MOST_REQUESTS = 10_000;

/** Remembers the client's unanswered requests whose replies the proxy may change. */
export class AskedOfServer {
  readonly #asked = new Map<Id, PendingRequest>();

  /** True while a reply is pending. */
  get any(): boolean {
    return this.#asked.size > 0;
  }

  add(id: Id, asked: PendingRequest): void {
    this.#asked.delete(id);
    this.#asked.set(id, asked);
    if (this.#asked.size > MOST_REQUESTS) this.#asked.delete(this.#asked.keys().next().value!);
  }

  /** Returns the request with this id and forgets it; null if there is none. */
  take(id: Id): PendingRequest | null {
    const asked = this.#asked.get(id) ?? null;
    this.#asked.delete(id);
    return asked;
  }
}
