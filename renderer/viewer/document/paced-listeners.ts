/** Listeners that are told at once, or at most ten times a second: each telling draws most of the window anew. */

/** Milliseconds between tellings of a text that grows. */
const GROWTH_EVERY_MS = 100;

/** Takes over what came since; false while something that belongs to it is still under way. */
type Prepare = () => boolean;

export class PacedListeners {
  readonly #listeners = new Set<() => void>();
  #told = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #prepare: Prepare = () => true;
  #isHeld = false;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isHeld = false;
    this.#told = performance.now();
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Tells now, or when the last telling is long enough ago.
   * @param prepare called right before. Where it returns false, telling waits for `tell`, but not longer than until the
   * next growth would be told.
   */
  tellSoon(prepare: Prepare = () => true): void {
    this.#prepare = prepare;
    const wait = this.#told + GROWTH_EVERY_MS - performance.now();
    if (wait <= 0 && !this.#isHeld) this.#due();
    else this.#timer ??= setTimeout(() => this.#due(), wait);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
  }

  #due(): void {
    this.#timer = undefined;
    const isReady = this.#prepare();
    if (isReady || this.#isHeld) {
      this.tell();
      return;
    }
    this.#isHeld = true;
    this.#timer = setTimeout(() => this.#due(), GROWTH_EVERY_MS);
  }
}
