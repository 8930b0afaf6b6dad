/** Passes notices to every window. */
import type { Notice } from '../../shared/api/api.ts';

/** Notices kept until a window connects. */
const UNTOLD_MAX = 20;

export class Notices {
  readonly #listeners = new Set<(notice: Notice) => void>();
  #untold: Notice[] = [];

  /** The first window receives the notices sent before it opened. */
  watch(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    for (const notice of this.#untold.splice(0)) listener(notice);
    return () => this.#listeners.delete(listener);
  }

  readonly say = (text: string): void => this.tell({ type: 'message', text });

  tell(notice: Notice): void {
    if (this.#listeners.size === 0) this.#untold = [...this.#untold, notice].slice(-UNTOLD_MAX);
    for (const listener of [...this.#listeners]) listener(notice);
  }
}
