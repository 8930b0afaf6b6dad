/**
 * What lets a browser in. An address that is printed has a token. One that a browser is started with has a code, since
 * every user of the machine can read the arguments of a program. Both are exchanged for the cookie, whose value stands
 * in no address, so what a browser's history keeps is of no use later.
 */
import { randomBytes } from 'node:crypto';
import { isSame } from '../host/socket/local-http.ts';

/** How long a token is good after its first use: for a reload, or a browser that fetches ahead. */
export const TOKEN_MS = 60_000;
/** Least time that a printed token must still be good. */
const PRINTED_MS = 50_000;
/** How long a browser may take to start. */
export const CODE_MS = 5 * 60_000;
/** More addresses than people ask for; the oldest are forgotten. */
const MOST_KEPT = 64;

interface Timed {
  value: string;
  until: number;
}

export class Passes {
  /** Value of the cookie. */
  readonly cookie = secret();
  readonly #now: () => number;
  #unused: string | null;
  #used: Timed[] = [];
  #codes: Timed[] = [];

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(token = secret(), now = () => performance.now()) {
    this.#unused = token;
    this.#now = now;
  }

  /** The token to print: the same one until it is used, and while most of its minute is left. */
  get token(): string {
    const last = this.#used.at(-1);
    if (this.#unused === null && last && last.until - this.#now() >= PRINTED_MS) return last.value;
    this.#unused ??= secret();
    return this.#unused;
  }

  /** A code, good once. */
  newCode(): string {
    const value = secret();
    this.#codes = [...this.#valid(this.#codes), { value, until: this.#now() + CODE_MS }].slice(-MOST_KEPT);
    return value;
  }

  /** Whether the token is good. Its time begins to run with this. */
  takeToken(given: string): boolean {
    this.#used = this.#valid(this.#used);
    if (this.#unused !== null && isSame(given, this.#unused)) {
      const used = { value: this.#unused, until: this.#now() + TOKEN_MS };
      this.#used = [...this.#used, used].slice(-MOST_KEPT);
      this.#unused = null;
      return true;
    }
    return this.#used.some(({ value }) => isSame(given, value));
  }

  /** Whether the code is good and `mayHave` is true, which is asked only for a good one. Then it is good no more. */
  takeCode(given: string, mayHave: () => boolean): boolean {
    this.#codes = this.#valid(this.#codes);
    const found = this.#codes.find(({ value }) => isSame(given, value));
    if (found === undefined || !mayHave()) return false;
    this.#codes = this.#codes.filter((code) => code !== found);
    return true;
  }

  #valid(passes: readonly Timed[]): Timed[] {
    return passes.filter(({ until }) => until > this.#now());
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
