/**
 * Which search is shown while the next one begins: the last one, until the next has said something, or for a moment. One whose
 * pattern is none is never shown, and the last good one goes on.
 */
import type { SpillwayError } from '../../shared/errors.ts';
import { hasTold, isBadPattern, type OpenSearch } from './open-search.ts';

/** Milliseconds the last results stay while the next say nothing: what is older would be taken for new. */
const LAST_STAYS = 150;

export class SearchSwitch {
  #shown: OpenSearch | null = null;
  readonly #onShow: (search: OpenSearch | null) => void;
  readonly #onProblem: (problem: SpillwayError | null) => void;

  constructor(
    onShow: (search: OpenSearch | null) => void,
    /** What is wrong with the pattern of the search that was begun last. */
    onProblem: (problem: SpillwayError | null) => void,
  ) {
    this.#onShow = onShow;
    this.#onProblem = onProblem;
  }

  /** Begins with a search, or with none. What it gives is to be called before the next: a search that was never shown is closed. */
  begin(next: OpenSearch | null): () => void {
    this.#onProblem(null);
    if (!next) {
      this.#show(null);
      return () => {};
    }
    const look = () => {
      if (!hasTold(next)) return;
      stopLooking();
      const { error } = next.snapshot();
      if (isBadPattern(next)) this.#onProblem(error);
      else this.#show(next);
    };
    const stopListening = next.subscribe(look);
    const timer = setTimeout(() => {
      stopListening();
      this.#show(next);
    }, LAST_STAYS);
    const stopLooking = () => {
      stopListening();
      clearTimeout(timer);
    };
    return () => {
      stopLooking();
      if (this.#shown !== next) next.close();
    };
  }

  close(): void {
    this.#shown?.close();
    this.#shown = null;
  }

  #show(next: OpenSearch | null): void {
    if (this.#shown !== next) this.#shown?.close();
    this.#shown = next;
    this.#onShow(next);
  }
}
