/** Cleans up, compresses and ships at intervals, in a long-running process: inspector, `serve`, `mcp`. */
import { cleanUp } from '../../store/retention/cleanup.ts';
import { compressStreams } from '../../store/retention/compress.ts';
import { loadConfig } from '../settings/config.ts';
import { isClockTrusted } from './clock-watch.ts';
import { privateHome } from './lifecycle.ts';
import { noteTidied, TIDY_EVERY_MS } from './tidy-by-the-way.ts';

export class Tidying {
  readonly #home: string;
  readonly #onProblem: (problem: string) => void;
  readonly #incompressible = new Set<string>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> = Promise.resolve();
  #lastProblem: string | null = null;

  /** `onProblem` receives each problem once, as a sentence. */
  constructor(home: string, onProblem: (problem: string) => void = () => {}) {
    this.#home = home;
    this.#onProblem = onProblem;
  }

  /** A round now or after so many milliseconds, and every ten minutes from then on, until `close`. */
  start(afterMs = 0): void {
    const round = () => {
      this.#timer = setTimeout(round, TIDY_EVERY_MS).unref();
      this.once();
    };
    if (afterMs === 0) round();
    else this.#timer = setTimeout(round, afterMs).unref();
  }

  /** Runs one round after those already waiting. Never rejects. */
  once(): Promise<void> {
    const next = this.#round.then(() => this.#tidy());
    this.#round = next;
    return next;
  }

  /** Resolves when the current round has ended. */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#stopping.abort();
    await this.#round;
  }

  async #tidy(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    try {
      const home = privateHome(this.#home);
      // Read the settings each time, so that a long-running process follows changes.
      const { settings } = loadConfig(home);
      const retentionMs = settings.retentionHours * 60 * 60 * 1000;
      const isTrusted = isClockTrusted(home, retentionMs);
      if (!isTrusted)
        this.#tell('The clock was set forward: captures stay until their time has really passed');
      await cleanUp(home, isTrusted ? settings : { ...settings, retentionHours: Number.POSITIVE_INFINITY });
      noteTidied(home);
      await compressStreams(home, {
        above: settings.compressAbove,
        minFreeBytes: settings.minFreeBytes,
        tried: this.#incompressible,
        signal: this.#stopping.signal,
      });
      if (settings.archive !== null && settings.archive.ship !== 'none') {
        const { ship } = await import('../../archive/ship.ts');
        await ship({ home, settings, signal: this.#stopping.signal });
      }
      if (isTrusted) this.#lastProblem = null;
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#tell(`Old captures were not cleaned up: ${(error as Error).message}`);
    }
  }

  #tell(problem: string): void {
    if (problem !== this.#lastProblem) this.#onProblem(problem);
    this.#lastProblem = problem;
  }
}
