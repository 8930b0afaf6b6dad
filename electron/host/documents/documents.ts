/** The documents that are open: those a window watches, and a few that were asked for lately. */
import { closing, Document, type DocumentOptions } from './document.ts';

/** Documents that nobody needs just now, kept for the next request: each holds one or two descriptors and its index. */
const KEPT = 32;

export class Documents {
  readonly #open = new Map<string, Document>();
  #closed = false;

  /** Throws `cancelled` once all are closed. */
  get(key: string, path: string, options: () => DocumentOptions): Document {
    if (this.#closed) throw closing();
    let document = this.#open.get(key);
    if (!document) {
      document = new Document(path, { ...options(), onIdle: () => this.#trim() });
      this.#open.set(key, document);
    }
    document.lastUsed = Date.now();
    return document;
  }

  /** A watched document that showed the artifact before its file was replaced, if any. */
  watchedAt(path: string): boolean {
    return [...this.#open.values()].some((document) => document.watched && document.path === path);
  }

  closeAll(): void {
    this.#closed = true;
    for (const document of this.#open.values()) document.close();
    this.#open.clear();
  }

  #trim(): void {
    const idle = [...this.#open].filter(([, document]) => !document.needed);
    idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    for (const [key, document] of idle.slice(0, Math.max(0, idle.length - KEPT))) {
      document.close();
      this.#open.delete(key);
    }
  }
}
