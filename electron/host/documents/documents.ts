/** Keeps documents open while a window watches them, and a few recently used ones. */
import { closing } from '../../../shared/errors.ts';
import { Document, type DocumentOptions } from './document.ts';

/** Unused documents to keep for the next request. Each has one or two descriptors and its index. */
const KEPT_DOCUMENTS = 32;
/** Milliseconds between two closings of documents whose file was deleted. */
const SWEEP_MS = 10_000;

export class Documents {
  readonly #open = new Map<string, Document>();
  #closed = false;
  #timer: NodeJS.Timeout | null = null;

  /** Throws `cancelled` once all are closed. */
  get(key: string, path: string, options: () => DocumentOptions): Document {
    if (this.#closed) throw closing();
    let document = this.#open.get(key);
    if (!document) {
      document = new Document(path, { ...options(), onIdle: () => this.#trim() });
      this.#open.set(key, document);
      this.#timer ??= setInterval(() => void this.sweep(), SWEEP_MS).unref();
    }
    document.lastUsed = Date.now();
    return document;
  }

  /** Whether a window watches a document of this path. */
  watchedAt(path: string): boolean {
    return [...this.#open.values()].some((document) => document.watched && document.path === path);
  }

  watched(key: string): Document | null {
    const document = this.#open.get(key);
    return document?.watched ? document : null;
  }

  /** Closes unused documents whose file was deleted: only then is its disk space free. */
  async sweep(): Promise<void> {
    const unused = [...this.#open].filter(([, document]) => !document.needed);
    for (const [key, document] of unused) {
      if (!(await document.holdsDeleted()) || document.needed || this.#open.get(key) !== document) continue;
      document.close();
      this.#open.delete(key);
    }
  }

  closeAll(): void {
    this.#closed = true;
    if (this.#timer) clearInterval(this.#timer);
    for (const document of this.#open.values()) document.close();
    this.#open.clear();
  }

  #trim(): void {
    const idle = [...this.#open].filter(([, document]) => !document.needed);
    idle.sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    for (const [key, document] of idle.slice(0, Math.max(0, idle.length - KEPT_DOCUMENTS))) {
      document.close();
      this.#open.delete(key);
    }
  }
}
