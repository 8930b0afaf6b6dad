/** Limits how many requests run at once. Others wait in order; when too many wait, the next is refused. */
export class Turns {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Resolves, when its turn has come, with what gives the place back (once); null when too many wait. */
  async take(signal: AbortSignal): Promise<(() => void) | null> {
    if (this.#taken >= this.#most) {
      if (this.#waiting.length >= this.#mostWaiting) return null;
      await this.#turn(signal);
    } else this.#taken += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#waiting.shift();
      // The place goes from hand to hand.
      if (next) next();
      else this.#taken -= 1;
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const left = () => {
        const at = this.#waiting.indexOf(mine);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(signal.reason);
      };
      const mine = () => {
        signal.removeEventListener('abort', left);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', left, { once: true });
      this.#waiting.push(mine);
    });
  }
}
