/** Remembers the client's unanswered requests whose replies the proxy may change. */

export type Id = string | number;

export type PendingRequest =
  /** `initialize`: the reply names the server. */
  | { readonly kind: 'opening' }
  /** `isFirst`: asks for the first page. */
  | { readonly kind: 'tools'; readonly isFirst: boolean }
  | { readonly kind: 'call'; readonly tool: string };

/** Bounds the memory for a server that never replies. Replies to the oldest requests then pass unchanged. */
const MOST_REQUESTS = 10_000;

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
