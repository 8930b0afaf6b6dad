/**
 * Calls listeners at once, or for growth at most ten times a second, as each call redraws most of the window. A text
 * and its filtered lines grow together: their listeners are called together, and both are drawn once.
 */

/** Milliseconds between two calls for a growing text. */
const GROWTH_EVERY_MS = 100;

/** Applies the changes so far; returns false while something they need is still being fetched. */
type Prepare = () => boolean;

/** Schedules the next call of all listeners that wait for growth. */
export class Pace {
  readonly #waiting = new Map<PacedListeners, Prepare>();
  #notifiedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether growth is due and waits for its rows. */
  #isHeld = false;

  /** Calls `first` now, and also the listeners of held growth that is complete. */
  tell(first: PacedListeners): void {
    this.#waiting.delete(first);
    const held = this.#isHeld ? [...this.#waiting].filter(([, prepare]) => prepare()) : [];
    this.#tellAll([first, ...held.map(([each]) => each)]);
  }

  tellSoon(listeners: PacedListeners, prepare: Prepare): void {
    this.#waiting.set(listeners, prepare);
    const wait = this.#notifiedAt + GROWTH_EVERY_MS - performance.now();
    if (wait <= 0 && !this.#isHeld) this.#due();
    else this.#timer ??= setTimeout(() => this.#due(), wait);
  }

  drop(listeners: PacedListeners): void {
    this.#waiting.delete(listeners);
    this.#rest();
  }

  #due(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Prepare all, so that they fetch their rows at once.
    const missing = [...this.#waiting].filter(([, prepare]) => !prepare());
    if (missing.length === 0 || this.#isHeld) {
      this.#tellAll([...this.#waiting.keys()]);
      return;
    }
    this.#isHeld = true;
    this.#timer = setTimeout(() => this.#due(), GROWTH_EVERY_MS);
  }

  #tellAll(listeners: readonly PacedListeners[]): void {
    for (const each of listeners) this.#waiting.delete(each);
    this.#notifiedAt = performance.now();
    this.#rest();
    for (const each of listeners) each.call();
  }

  /** Stops the timer if no listener waits. */
  #rest(): void {
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isHeld = false;
  }
}

const pace = new Pace();

export class PacedListeners {
  readonly #listeners = new Set<() => void>();
  readonly #pace: Pace;

  constructor(shared: Pace = pace) {
    this.#pace = shared;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(): void {
    this.#pace.tell(this);
  }

  /**
   * Calls the listeners now, or once the last call is long enough ago.
   * @param prepare called before, perhaps repeatedly. After false, the call waits for `tell`, or for the time of the
   * next growth.
   */
  tellSoon(prepare: Prepare = () => true): void {
    this.#pace.tellSoon(this, prepare);
  }

  /** Calls the listeners, for `Pace`. */
  call(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  close(): void {
    this.#pace.drop(this);
    this.#listeners.clear();
  }
}
