/**
 * Listeners that are told at once, or at most ten times a second, as each telling draws most of the window anew. A text
 * and its filtered lines grow together: they are told together, and drawn once.
 */

/** Milliseconds between tellings of a text that grows. */
const GROWTH_EVERY_MS = 100;

/** Takes over what came since; false while something that belongs to it is still under way. */
type Prepare = () => boolean;

/** When the next growth is told to all listeners that wait for one. */
export class Pace {
  readonly #waiting = new Map<PacedListeners, Prepare>();
  #told = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Growth is due, and waits for what belongs to it. */
  #isHeld = false;

  /** Tells `first` now. If growth was held, tells it, too, as far as it is complete. */
  tell(first: PacedListeners): void {
    this.#waiting.delete(first);
    const held = this.#isHeld ? [...this.#waiting].filter(([, prepare]) => prepare()) : [];
    this.#tellAll([first, ...held.map(([each]) => each)]);
  }

  tellSoon(listeners: PacedListeners, prepare: Prepare): void {
    this.#waiting.set(listeners, prepare);
    const wait = this.#told + GROWTH_EVERY_MS - performance.now();
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
    // Each is prepared: all fetch their rows at once.
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
    this.#told = performance.now();
    this.#rest();
    for (const each of listeners) each.call();
  }

  /** Nothing is due when nobody waits. */
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
   * Tells now, or when the last telling is long enough ago.
   * @param prepare called before, maybe more than once. After false, telling waits for `tell`, or for the time of the
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
