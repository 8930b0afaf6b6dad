/** A tab's content, and the earlier contents it can return to. */
import type { StreamName } from '../../../shared/artifact.ts';
import type { SearchSettings } from '../../search/search-settings.ts';
import type { SearchTabs } from '../../search/search-tabs.ts';
import type { LineRange } from '../../viewer/document/rows-view.ts';
import { START_OF_TEXT, type StreamChange, type ViewState } from '../../viewer/view-state.ts';
import { type Address, type Shown, shownAt } from './tab-state.ts';

export class TabVisits {
  /** Its current address, which changes without showing anything anew. */
  current: Address;
  searchOpen: boolean;
  readonly #memory = new VisitMemory();
  /** The stream shown before the current one. */
  #cameFrom: StreamName | null = null;

  constructor(shown: Shown) {
    this.current = shown;
    this.searchOpen = shown.searchOpen;
    // A tab that is first shown later also begins at its given view.
    if (shown.artifactId !== null) this.leave(shown.artifactId, shown.stream, shown.view);
  }

  /** Shows another artifact at the place it was left, unless a line or a range is given. */
  to(artifactId: string, line: number | null, range: LineRange | null): Partial<Shown> & Address {
    const visit = line === null && range === null ? this.#memory.visit(artifactId) : null;
    if (!visit) return { artifactId, stream: null, line, view: { ...START_OF_TEXT, line, range } };
    const { stream, merged = null, ...searching } = visit;
    const view = this.#memory.view(artifactId, stream) ?? START_OF_TEXT;
    return { artifactId, stream, line: view.line, view, merged, ...searching };
  }

  /** Shows another stream of the same artifact, with the same search. */
  toStream(stream: StreamName, { from, moved, view: wanted }: StreamChange): Partial<Shown> & Address {
    const { artifactId } = this.current;
    const isBack = !moved && this.#cameFrom === stream;
    this.#cameFrom = from;
    const view = (isBack && artifactId && this.#memory.view(artifactId, stream)) || wanted;
    return { ...this.current, stream, line: view.line, searchOpen: this.searchOpen, view };
  }

  /** Shows an address of the history. */
  toAddress(address: Address): Partial<Shown> & Address {
    const { artifactId, stream, lastLine } = address;
    const isKept = artifactId !== null && lastLine === undefined;
    const view = isKept ? this.#memory.view(artifactId, stream) : null;
    return { ...address, ...(view ? { view } : {}) };
  }

  /** Shows the same content at the place it was left, for a tab that comes to the front. */
  again(): Partial<Shown> & Address {
    return { ...this.toAddress(this.current), searchOpen: this.searchOpen };
  }

  /** The line at which the content was left, which may never have been reported: a followed text rarely rests. */
  line(): number | null {
    return this.again().view?.line ?? this.current.line;
  }

  /** Shows the content, and remembers the current one. */
  go(to: Partial<Shown> & Address, visit: number): Shown {
    const { artifactId, stream, search = null, searches = null, merged = null } = this.current;
    const { searchOpen } = this;
    if (artifactId !== null)
      this.#memory.rememberVisit(artifactId, { stream, search, searches, searchOpen, merged });
    const shown = { ...shownAt(to, visit), ...to };
    this.current = {
      artifactId: to.artifactId,
      stream: to.stream,
      line: to.line,
      search: to.search ?? null,
      searches: to.searches ?? null,
      merged: to.merged ?? null,
    };
    this.searchOpen = shown.searchOpen;
    return shown;
  }

  /** Returns the searches side by side in an artifact, now or when it was left. */
  searchesOf(artifactId: string): SearchTabs | null {
    const place = artifactId === this.current.artifactId ? this.current : this.#memory.visit(artifactId);
    return place?.searches ?? null;
  }

  leave(artifactId: string, stream: StreamName | null, view: ViewState): void {
    this.#memory.rememberView(artifactId, stream, view);
  }
}

interface Visit {
  stream: StreamName | null;
  search: SearchSettings | null;
  searches?: SearchTabs | null;
  searchOpen: boolean;
  merged?: readonly string[] | null;
}

const MAX_ARTIFACTS = 200;

/** Remembers each artifact's view when it was left, until the window closes. */
export class VisitMemory {
  /** The least recently left first. */
  readonly #visits = new Map<string, Visit>();
  readonly #views = new Map<string, Map<StreamName | null, ViewState>>();

  /** Call before leaving the artifact. */
  rememberVisit(artifactId: string, visit: Visit): void {
    this.#visits.delete(artifactId);
    this.#visits.set(artifactId, visit);
    for (const oldest of this.#visits.keys()) {
      if (this.#visits.size <= MAX_ARTIFACTS) break;
      this.#visits.delete(oldest);
      this.#views.delete(oldest);
    }
  }

  rememberView(artifactId: string, stream: StreamName | null, view: ViewState): void {
    const views = this.#views.get(artifactId) ?? new Map<StreamName | null, ViewState>();
    views.set(stream, view);
    this.#views.set(artifactId, views);
  }

  /** Returns null for an artifact not left before. */
  visit(artifactId: string): Visit | null {
    return this.#visits.get(artifactId) ?? null;
  }

  view(artifactId: string, stream: StreamName | null): ViewState | null {
    return this.#views.get(artifactId)?.get(stream) ?? null;
  }
}
