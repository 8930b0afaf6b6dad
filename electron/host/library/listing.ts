/** The list of all artifacts: of an agent's, what lies in sources that it may read. */
import type { LibraryEvent } from '../../../shared/api/api.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { DEFAULT_LIST_LIMIT } from '../../../shared/limits.ts';
import type { ListParams, ListResult } from '../../../shared/views.ts';
import type { Library } from '../../library/library.ts';
import type { Captures } from '../../store/captures.ts';
import { readableByAgents } from '../documents/targets/path-of-target.ts';
import type { Access, RequestOptions } from '../host.ts';
import type { Opening } from './opened-paths.ts';

/** How many times more captures are read when a page is not full. */
const MORE = 8;

export interface ListingOptions {
  library: Library;
  captures: Captures;
  opening: Opening;
  /** Nothing is watched: wait for what is told about agents' captures before they are listed. */
  waits: boolean;
}

/** How long a list waits for that. The newest are read first. */
const SETTLE_MS = 500;

export class Listing {
  readonly #options: ListingOptions;

  constructor(options: ListingOptions) {
    this.#options = options;
  }

  async list(params: ListParams, options?: RequestOptions): Promise<ListResult> {
    const { library, captures, opening } = this.#options;
    await opening.take();
    if (this.#options.waits) await library.settled(SETTLE_MS);
    // A page of the newest needs few of many captures; a filter may need more, until the page is full.
    for (let known = 0, count = (params.limit ?? DEFAULT_LIST_LIMIT) + 1; ; known = count, count *= MORE) {
      const isAll = await captures.newest(count, known);
      const result = library.catalogue.list(params, this.#visibleTo(options?.access));
      if (isAll || result.next_cursor !== null) return result;
    }
  }

  /** Newest first; captures as far as they are known. */
  async artifacts(options?: RequestOptions): Promise<readonly Artifact[]> {
    await this.#options.opening.take();
    return this.#options.library.catalogue.all().filter(this.#visibleTo(options?.access));
  }

  watch(listener: (event: LibraryEvent) => void): () => void {
    const { library, opening } = this.#options;
    // Send the artifacts a person opened first, however old they are.
    return library.catalogue.watch(listener, opening.openedIds);
  }

  #visibleTo(access: Access = 'person'): (artifact: Artifact) => boolean {
    return access === 'agent' ? readableByAgents(this.#options.library) : () => true;
  }
}
