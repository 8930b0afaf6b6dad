/** The list of all artifacts: of an agent's, what lies in sources that it may read. */
import type { LibraryEvent } from '../../../shared/api/api.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import type { ListParams, ListResult } from '../../../shared/views.ts';
import type { Library } from '../../library/library.ts';
import type { Captures } from '../../store/captures.ts';
import { readableByAgents } from '../documents/targets/path-of-target.ts';
import type { Access, RequestOptions } from '../host.ts';
import type { Opening } from './opened-paths.ts';

export interface ListingOptions {
  library: Library;
  captures: Captures;
  opening: Opening;
}

export class Listing {
  readonly #options: ListingOptions;

  constructor(options: ListingOptions) {
    this.#options = options;
  }

  async list(params: ListParams, options?: RequestOptions): Promise<ListResult> {
    const { library, captures, opening } = this.#options;
    await Promise.all([opening.take(), captures.refresh()]);
    return library.catalogue.list(params, this.#visibleTo(options?.access));
  }

  /** Newest first; captures as far as they are known. */
  async artifacts(options?: RequestOptions): Promise<readonly Artifact[]> {
    await this.#options.opening.take();
    return this.#options.library.catalogue.all().filter(this.#visibleTo(options?.access));
  }

  watch(listener: (event: LibraryEvent) => void): () => void {
    const { library, opening } = this.#options;
    // What a person named is looked at first, however old it is.
    return library.catalogue.watch(listener, opening.openedIds);
  }

  #visibleTo(access: Access = 'person'): (artifact: Artifact) => boolean {
    return access === 'agent' ? readableByAgents(this.#options.library) : () => true;
  }
}
