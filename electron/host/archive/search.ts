/** Searches captures of the archive, page by page, and groups what is found by message. */
import { SpillwayError } from '../../../shared/errors.ts';
import { MAX_LIST_LIMIT } from '../../../shared/limits.ts';
import type { FoundOutputs, FoundShape, SearchOutputsParams } from '../../../shared/search-outputs.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { ClickHouse, type Needles, NoHelp } from '../../archive/clickhouse.ts';
import { Copies } from '../../archive/copies.ts';
import { beganAt } from '../../archive/keys.ts';
import type { Archived } from '../../archive/list.ts';
import { expressionOf, parseExpression } from '../../search/expression.ts';
import { requiredLiterals } from '../../search/literals/required.ts';
import type { CaptureRecord } from '../../store/format/record.ts';
import type { RequestOptions } from '../host.ts';
import { runInOrder } from '../in-order.ts';
import { loadConfig } from '../settings/config.ts';
import { grepQuery } from '../views/grep.ts';
import { shapesOf } from '../views/search-outputs.ts';
import { type ArchiveFilter, archivedOf, bytesOf, MOST_BYTES, withStore, withView } from './reader.ts';

/** Captures fetched at once. */
const PARALLEL = 8;
/** Captures in the first page of a search, and at most in a later one. */
const FIRST_PAGE = 8;
const MOST_PAGE = 128;
const PAGE_BYTES = 32 * 1024 * 1024;

/** A message, and the machines that have it. */
export interface ArchivedShape extends FoundShape {
  host_count: number;
  /** When the oldest and the newest capture with it began. */
  first_at: string;
  last_at: string;
}

/** How much a search of the archive read, and the machines with matches. */
export interface FoundArchived extends FoundOutputs {
  shapes: ArchivedShape[];
  archive: {
    /** Captures that fit the filter, and those left out because of the budget, the oldest. */
    captures: number;
    left_out: number;
    /** Captures that ClickHouse named; null where it was not asked, or did not answer. */
    candidates: number | null;
    fetched_bytes: number;
    budget_bytes: number;
    hosts: string[];
    /** Why ClickHouse was of no use, as a sentence. */
    problem: string | null;
  };
}

export interface SearchReports {
  /** Gets what will be read, before anything is read. */
  onPlan?: (plan: SearchPlan) => void;
  /** ClickHouse failed, and the captures are read instead. */
  onProblem?: (problem: string) => void;
  /** Further results, the newest captures first: `shapes` that were not there before. */
  onPage?: (shapes: readonly ArchivedShape[]) => void;
}

export interface SearchPlan {
  captures: number;
  /** Compressed bytes to be read; at most, where `clickhouse` names the captures. */
  bytes: number;
  left_out: number;
  budget_bytes: number;
  clickhouse: string | null;
}

/**
 * Searches the captures that ClickHouse names, or else the newest, up to the budget. It works page by page, so that the
 * first results come before the rest is read.
 */
export function searchArchived(
  home: string,
  params: SearchOutputsParams,
  filter: ArchiveFilter,
  reports: SearchReports = {},
  options: RequestOptions = {},
): Promise<FoundArchived> {
  const { signal } = options;
  const { cursor, kind, status, since: _, failed: __, limit = MAX_LIST_LIMIT, ...query } = params;
  const grep = grepQuery({ ...query, mode: 'grep' }, options.surface ?? 'tool');
  return withStore(home, signal, async (store, space) => {
    const listed = await archivedOf(store, home, space, filter, { kind, status, cursor });
    const { archiveSearch } = loadConfig(home).settings;
    const needles = archiveSearch && needlesOf(grep);
    const clickhouse = archiveSearch && needles ? new ClickHouse(archiveSearch, store) : null;
    const budget = new Budget();
    const total = listed.reduce((sum, one) => sum + bytesOf(one), 0);
    const readable = new Budget().of(listed);
    reports.onPlan?.({
      ...{ captures: clickhouse ? listed.length : readable.length, budget_bytes: MOST_BYTES },
      bytes: clickhouse ? total : readable.reduce((sum, one) => sum + bytesOf(one), 0),
      left_out: clickhouse ? 0 : listed.length - readable.length,
      clickhouse: clickhouse?.host ?? null,
    });

    const copies = new Copies(store, home);
    const hostOf = new Map(listed.map(({ place }) => [place.id, place.host]));
    const outputs: FoundOutputs['outputs'] = [];
    const counts = { searched: 0, unsearched: 0, timed_out: false };
    let shapes: ArchivedShape[] = [];
    let next_cursor: string | null = null;
    const searchPage = async (page: readonly Archived[]) => {
      const records: CaptureRecord[] = [];
      const fetched = (one: Archived) => copies.fetch(one, { all: true }).catch(orDamaged);
      await runInOrder(page, PARALLEL, fetched, (record) => {
        if (record) records.push(record);
        else counts.unsearched += 1;
      });
      if (records.length === 0) return;
      const view = copies.view(records);
      try {
        const found = await withView(view, (host) =>
          host.searchOutputs({ ...query, limit: MAX_LIST_LIMIT }, options),
        );
        outputs.push(...found.outputs);
        for (const name of ['searched', 'unsearched'] as const) counts[name] += found[name];
        counts.timed_out ||= found.timed_out;
      } finally {
        copies.leave(view);
      }
      const known = shapes.length;
      shapes = placedShapes(outputs, hostOf);
      if (shapes.length > known) reports.onPage?.(shapes.slice(known));
    };

    let size = FIRST_PAGE;
    const searchAll = async (captures: readonly Archived[]) => {
      for (const page of pagesOf(budget.of(captures), () => size)) {
        await searchPage(page);
        size = Math.min(MOST_PAGE, size * 2);
        if (outputs.length < limit) continue;
        const last = listed.findIndex(({ place }) => place.id === page.at(-1)!.place.id);
        next_cursor = listed[last + 1]?.place.id ?? null;
        return;
      }
    };
    let candidates: number | null = null;
    let left = listed;
    let problem: string | null = null;
    if (clickhouse) {
      try {
        candidates = 0;
        for await (const { asked, found } of clickhouse.candidates(listed, needles!, signal)) {
          candidates += found.length;
          await searchAll(found);
          left = left.slice(asked);
          if (next_cursor !== null) break;
        }
      } catch (error) {
        if (!(error instanceof NoHelp)) throw error;
        problem = error.message;
        candidates = null;
        reports.onProblem?.(problem);
        await searchAll(left);
      }
    } else await searchAll(listed);
    const hosts = [...new Set(outputs.map((one) => hostOf.get(one.artifact_id)!))];
    return {
      ...{ outputs, shapes, ...counts, next_cursor },
      match_count: outputs.reduce((sum, one) => sum + one.match_count, 0),
      archive: {
        ...{ captures: listed.length, left_out: budget.leftOut, candidates, problem },
        ...{ fetched_bytes: store.spent.bytes, budget_bytes: MOST_BYTES, hosts },
      },
    };
  });
}

/** Returns what every match has, for a server that knows no line text; null where that tells too little. */
export function needlesOf(query: SearchQuery): Needles | null {
  const expression = expressionOf(query);
  const tree = parseExpression(expression);
  const texts = tree && requiredLiterals(tree, expression.flags)?.texts;
  // Other encodings have other bytes for what is not ASCII.
  const plain = texts?.map((text) =>
    (text.match(/[\x20-\x7e]+/g) ?? []).reduce((a, b) => (b.length > a.length ? b : a), ''),
  );
  if (!plain || plain.some((text) => text.trim().length < 2)) return null;
  return { texts: plain, ignoreCase: expression.flags.includes('i') };
}

/** Captures that are damaged are told as unsearched. What the store refuses ends the search. */
function orDamaged(error: unknown): null {
  if (error instanceof SpillwayError && error.code === 'changed') return null;
  throw error;
}

/** Lets captures through until one is too large for what is left; older ones are left out as well. */
class Budget {
  #used = 0;
  leftOut = 0;

  of(captures: readonly Archived[]): Archived[] {
    return captures.filter((one) => {
      this.#used += bytesOf(one);
      const fits = this.#used <= MOST_BYTES;
      if (!fits) this.leftOut += 1;
      return fits;
    });
  }
}

function* pagesOf(captures: readonly Archived[], size: () => number): Generator<Archived[]> {
  for (let at = 0; at < captures.length; ) {
    const page: Archived[] = [];
    for (let bytes = 0; at < captures.length && page.length < size() && bytes < PAGE_BYTES; at += 1) {
      page.push(captures[at]!);
      bytes += bytesOf(captures[at]!);
    }
    yield page;
  }
}

/** The messages, with the machines and times of the captures that have each. */
function placedShapes(
  outputs: FoundOutputs['outputs'],
  hostOf: ReadonlyMap<string, string>,
): ArchivedShape[] {
  const places = new Map<string, { hosts: Set<string>; first: number; last: number }>();
  for (const { artifact_id: id, lines } of outputs)
    for (const { shape } of lines) {
      const began = beganAt(id);
      const place = places.get(shape) ?? { hosts: new Set(), first: began, last: began };
      places.set(shape, place);
      place.hosts.add(hostOf.get(id)!);
      place.first = Math.min(place.first, began);
      place.last = Math.max(place.last, began);
    }
  return shapesOf(outputs).map((shape) => {
    const { hosts, first, last } = places.get(shape.shape)!;
    const [first_at, last_at] = [first, last].map((time) => new Date(time).toISOString());
    return { ...shape, host_count: hosts.size, first_at: first_at!, last_at: last_at! };
  });
}
