/** Listeners that are told at once, or at most ten times a second: each telling draws most of the window anew. */

/** Milliseconds between tellings of a text that grows. */
const GROWTH_EVERY_MS = 100;

export class PacedListeners {
  readonly #listeners = new Set<() => void>();
  #told = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = performance.now();
    for (const listener of [...this.#listeners]) listener();
  }

  /** Tells now, or when the last telling is long enough ago. */
  tellSoon(): void {
    const wait = this.#told + GROWTH_EVERY_MS - performance.now();
    if (wait <= 0) this.tell();
    else this.#timer ??= setTimeout(() => this.tell(), wait);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
  }
}
