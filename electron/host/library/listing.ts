/** Lists all artifacts; for an agent, those in sources that it may read. */
import { setTimeout as pause } from 'node:timers/promises';
import type { LibraryEvent, OpenedSource } from '../../../shared/api/api.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { DEFAULT_LIST_LIMIT } from '../../../shared/limits.ts';
import { isFailure } from '../../../shared/recording.ts';
import type { ListParams, ListResult } from '../../../shared/views.ts';
import type { Library } from '../../library/library.ts';
import type { Captures } from '../../store/captures.ts';
import { readableByAgents } from '../documents/targets/path-of-target.ts';
import type { Access, RequestOptions } from '../host.ts';
import { typedMoment } from '../views/time-bounds.ts';
import type { CauseFinder } from './cause-finder.ts';
import type { OpenedPath, PathOpener } from './opened.ts';

/** Factor for reading more captures while a page is not full. */
const MORE_FACTOR = 8;
/** Most files of an opened folder to list among everything else. */
const LISTED_FILES = 50;

interface ListingOptions {
  library: Library;
  captures: Captures;
  opening: PathOpener;
  /** Nothing is watched: wait until agents' captures were read before listing them. */
  waits: boolean;
  causes: Pick<CauseFinder, 'find'>;
  /** Starts looking at the disk, if that was postponed. */
  begin(): void;
}

/** Longest wait of a window's first page for sources that are being listed. */
const FIRST_PAGE_MS = 500;
/** Longest wait of a list for such facts. The newest are read first. */
const SETTLE_MS = 500;
/** Longest wait of a list for causes that nobody has looked for. */
const CAUSES_MS = 400;

export class Listing {
  readonly #options: ListingOptions;

  constructor(options: ListingOptions) {
    this.#options = options;
  }

  async list(params: ListParams, options?: RequestOptions): Promise<ListResult> {
    const { library, opening, begin } = this.#options;
    begin();
    await opening.take();
    await library.listed();
    const { waits, causes } = this.#options;
    const isWanted = wantedBy(params);
    // A status or a query may depend on facts that are still being read.
    if (waits && (params.status !== undefined || params.failed || params.query))
      await library.settled(SETTLE_MS);
    const page = await this.#page(params, isWanted, options);
    const isSettled = waits && (await library.settledOf(page.outputs, SETTLE_MS));
    const isExplained = options?.causes === true && (await causes.find(page.outputs, CAUSES_MS));
    const isNew = isExplained || isSettled;
    return this.#shownTo(options?.access, isNew ? await this.#page(params, isWanted, options) : page);
  }

  /** Returns one artifact by its id, as `list` shows it; null if there is none that may be read. */
  async artifact(id: string, options?: RequestOptions): Promise<Artifact | null> {
    const { library, captures, opening, begin, waits } = this.#options;
    begin();
    await opening.take();
    await library.listed();
    const visible = this.#visibleTo(options?.access);
    for (let known = 0, count = DEFAULT_LIST_LIMIT; ; known = count, count *= MORE_FACTOR) {
      const isAll = await captures.newest(count, known);
      const found = library.catalogue.get(id);
      if (found && visible(found)) {
        if (waits) await library.settledOf([found], SETTLE_MS);
        const outputs = [library.catalogue.get(id) ?? found];
        return this.#shownTo(options?.access, { outputs, next_cursor: null }).outputs[0]!;
      }
      if (found || isAll) return null;
    }
  }

  /** An agent may read a copy of a file that it may not read, and gets no path of that file. */
  #shownTo(access: Access | undefined, page: ListResult): ListResult {
    if (access !== 'agent') return page;
    const { library } = this.#options;
    const outputs = page.outputs.map((one) =>
      typeof one.origin !== 'string' || library.mayAgentsKnow(one.origin) ? one : { ...one, origin: null },
    );
    return { ...page, outputs };
  }

  async #page(
    params: ListParams,
    isWanted: (artifact: Artifact) => boolean,
    options?: RequestOptions,
  ): Promise<ListResult> {
    const { library, captures } = this.#options;
    // A page of the newest needs few of many captures; with a filter, read more until the page is full.
    for (
      let known = 0, count = (params.limit ?? DEFAULT_LIST_LIMIT) + 1;
      ;
      known = count, count *= MORE_FACTOR
    ) {
      const isAll = await captures.newest(count, known);
      const visible = this.#visibleTo(options?.access);
      const large = this.#largeFolders(params, visible);
      const isListed = (artifact: Artifact) =>
        isWanted(artifact) && visible(artifact) && !large.has(artifact.source ?? '');
      const result = library.catalogue.list(params, isListed);
      if (!isAll && result.next_cursor === null) continue;
      if (large.size === 0) return result;
      const left_out = [...large].map(([source, file_count]) => ({ source, file_count }));
      return { ...result, left_out };
    }
  }

  /** Newest first; only captures known so far. */
  async artifacts(options?: RequestOptions): Promise<readonly Artifact[]> {
    this.#options.begin();
    await this.#options.opening.take();
    await this.#options.library.listed();
    return this.#options.library.catalogue.all().filter(this.#visibleTo(options?.access));
  }

  /** Opened paths, last opened first. */
  async openedSources(): Promise<OpenedSource[]> {
    const counts = this.#countsOf(this.#options.opening.opened, () => true);
    return this.#options.opening.opened
      .map((opened) => ({ ...opened, artifact_count: counts.get(opened.path) ?? 0 }))
      .reverse();
  }

  /** Opened folders so large that their files would hide everything else; listed only if files are asked for. */
  #largeFolders(
    { kind, query }: ListParams,
    visible: (artifact: Artifact) => boolean,
  ): ReadonlyMap<string, number> {
    const { opened } = this.#options.opening;
    if (kind !== undefined || query || opened.length === 0) return new Map();
    const counts = this.#countsOf(opened, visible);
    return new Map([...counts].filter(([, count]) => count > LISTED_FILES));
  }

  #countsOf(
    opened: readonly OpenedPath[],
    visible: (artifact: Artifact) => boolean,
  ): ReadonlyMap<string, number> {
    const counts = new Map(opened.map(({ path }) => [path, 0]));
    for (const one of this.#options.library.catalogue.listed()) {
      const count = one.sourceName === null ? undefined : counts.get(one.sourceName);
      if (count !== undefined && visible(one.artifact)) counts.set(one.sourceName!, count + 1);
    }
    return counts;
  }

  watch(listener: (event: LibraryEvent) => void): () => void {
    const { library, opening, begin } = this.#options;
    begin();
    // Send the artifacts a person opened first, however old they are.
    const tell = () => library.catalogue.watch(listener, opening.openedIds);
    if (!library.isListing) return tell();
    let end: (() => void) | null = null;
    let isEnded = false;
    // At a start, a page of the few files found so far would be drawn and replaced at once.
    void Promise.race([library.listed(), pause(FIRST_PAGE_MS, null, { ref: false })]).then(() => {
      if (!isEnded) end = tell();
    });
    return () => {
      isEnded = true;
      end?.();
    };
  }

  #visibleTo(access: Access = 'person'): (artifact: Artifact) => boolean {
    return access === 'agent' ? readableByAgents(this.#options.library) : () => true;
  }
}

const DAY_MS = 86_400_000;

/** Throws `usage` for an invalid time. */
function wantedBy({ since, failed }: ListParams): (artifact: Artifact) => boolean {
  const from = since === undefined ? 0 : typedMoment(since, Date.now() - DAY_MS).from;
  return (one) => (failed !== true || isFailure(one.status)) && lastWrite(one) >= from;
}

/** When it was last written to, as far as is known. */
function lastWrite({ ended_at, started_at, status }: Artifact): number {
  if (status === 'running') return Date.now();
  return Date.parse(ended_at ?? started_at ?? '') || 0;
}
