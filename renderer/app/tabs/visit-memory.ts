/** Remembers each artifact's view when it was left, until the window closes. */
import type { StreamName } from '../../../shared/artifact.ts';
import type { SearchSettings } from '../../search/bar/search-settings.ts';
import type { ViewState } from '../../viewer/view-state.ts';

export interface Visit {
  stream: StreamName | null;
  search: SearchSettings | null;
  searchOpen: boolean;
  merged?: readonly string[] | null;
}

const MAX_ARTIFACTS = 200;

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

  /** Remembers the view of one stream. */
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
