/** What the client asked the server for and has no answer to yet, as far as the answer may need a change. */

export type Id = string | number;

export type Asked =
  /** The answer says what the server is called. */
  | { readonly kind: 'opening' }
  /** `isFirst`: the first page. */
  | { readonly kind: 'tools'; readonly isFirst: boolean }
  | { readonly kind: 'call'; readonly tool: string };

/** A server that answers nothing must not make us grow: the answers to older requests pass unchanged. */
const MOST = 10_000;

export class AskedOfServer {
  readonly #asked = new Map<Id, Asked>();

  /** Whether any answer is waited for. */
  get any(): boolean {
    return this.#asked.size > 0;
  }

  add(id: Id, asked: Asked): void {
    this.#asked.delete(id);
    this.#asked.set(id, asked);
    if (this.#asked.size > MOST) this.#asked.delete(this.#asked.keys().next().value!);
  }

  /** Returns what an answer of this id is to, and forgets it. */
  take(id: Id): Asked | null {
    const asked = this.#asked.get(id) ?? null;
    this.#asked.delete(id);
    return asked;
  }
}
