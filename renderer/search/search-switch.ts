/**
 * Chooses the search to show while the next one begins: the last one, until the next has something to show or a moment
 * has passed. Meanwhile the last one is paused, to leave the host's threads to the next. A search with an invalid
 * pattern is never shown; the last valid one continues.
 */
import type { SpillwayError } from '../../shared/errors.ts';
import type { OpenSearch } from './open-search.ts';
import { isBadPattern, isReady } from './search-phases.ts';

/** Longest time the last results stay; readers would take older ones for new. */
const LAST_STAYS_MS = 150;

export class SearchSwitch {
  #shown: OpenSearch | null = null;
  readonly #onShow: (search: OpenSearch | null, isAwaited: boolean) => void;
  readonly #onProblem: (problem: SpillwayError | null) => void;

  constructor(
    /** `isAwaited`: it has just been told what there is to show, and is to be drawn with the next frame. */
    onShow: (search: OpenSearch | null, isAwaited: boolean) => void,
    /** Called with the problem of the newest pattern, or null. */
    onProblem: (problem: SpillwayError | null) => void,
  ) {
    this.#onShow = onShow;
    this.#onProblem = onProblem;
  }

  /**
   * Begins a search, or none. Call the returned function before the next call: it closes a search that was never shown.
   */
  begin(next: OpenSearch | null): () => void {
    this.#onProblem(null);
    if (!next) {
      this.#show(null);
      return () => {};
    }
    /** The search shown before; open until the next one has reported that its pattern is valid. */
    const last = this.#shown;
    last?.pause();
    const look = () => {
      if (!isReady(next)) return;
      stopLooking();
      const { error } = next.snapshot();
      if (isBadPattern(next)) {
        this.#onProblem(error);
        this.#set(last);
        last?.resume();
      } else this.#show(next, last, true);
    };
    const stopListening = next.subscribe(look);
    const timer = setTimeout(() => this.#set(next), LAST_STAYS_MS);
    const stopLooking = () => {
      stopListening();
      clearTimeout(timer);
    };
    return () => {
      stopLooking();
      if (this.#shown === next && !isReady(next)) last?.close();
      if (this.#shown !== next) next.close();
    };
  }

  close(): void {
    this.#shown?.close();
    this.#shown = null;
  }

  #show(next: OpenSearch | null, last = this.#shown, isAwaited = false): void {
    if (last !== next) last?.close();
    this.#set(next, isAwaited);
  }

  #set(next: OpenSearch | null, isAwaited = false): void {
    this.#shown = next;
    this.#onShow(next, isAwaited);
  }
}
