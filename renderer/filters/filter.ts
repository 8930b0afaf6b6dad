/** Filters of the shown lines, and their combination as one request to the host. */

import type { FilterRule, FilterVerb, LineFilter, LineSpan } from '../../shared/api/filters.ts';
import type { LogFormat } from '../../shared/log-format.ts';
import type { SearchTerm } from '../../shared/search-query.ts';
import { conditionsOf, isConditions } from '../../shared/text/fields.ts';
import { formatCount } from '../../shared/text/format.ts';
import type { Level } from '../../shared/text/level-words.ts';
import { sessionStores } from '../ui/state/store.ts';

/** The lines that a filter selects. */
export type FilterWhat =
  /** `compares`: the text is a condition on fields, such as `status=500`, even if it could be meant as text. */
  | ({ kind: 'text'; compares?: true | undefined } & Omit<SearchTerm, 'invert'>)
  | { kind: 'level'; level: Level }
  /** `label` says why, such as a span of time. */
  | { kind: 'lines'; first: number; last: number; label: string }
  /** The new and changed lines of the comparison that is shown. */
  | { kind: 'differences' };

export interface Filter {
  /** Unique among the filters of one artifact. */
  id: number;
  what: FilterWhat;
  /** `show`: lines of any such filter. `only`: lines of this filter. Spans of lines and differences are `only`. */
  verb: FilterVerb;
  on: boolean;
}

/** The unit of a filter: a line, a whole entry (an error with its stack trace), or an entry's first line. */
export const ENTRIES = ['lines', 'whole', 'first'] as const satisfies readonly (
  | 'lines'
  | LineFilter['entries']
)[];
export type Entries = (typeof ENTRIES)[number];

export function plainText(pattern: string): FilterWhat & { kind: 'text' } {
  return { kind: 'text', pattern, fixed: true, case_sensitive: true };
}

/**
 * Combines the filters that are on; null if every line passes. `ids` has the filter of each rule, in order.
 * @param differing the lines that differ; null while they are not known, when every line passes that filter
 * @param entries whether filters choose lines, whole entries, or the first lines of these
 */
export function lineFilterOf(
  filters: readonly Filter[],
  differing: readonly LineSpan[] | null = null,
  entries: Entries = 'lines',
): { filter: LineFilter; ids: number[] } | null {
  const rules: FilterRule[] = [];
  const spans: LineSpan[] = [];
  let isDiffering = false;
  const ids: number[] = [];
  for (const { id, what, verb, on } of filters) {
    if (!on) continue;
    if (what.kind === 'lines') spans.push({ first: what.first, last: what.last });
    else if (what.kind === 'differences') isDiffering = differing !== null;
    else if (what.kind === 'level') rules.push({ verb, query: { ...ALL_LINES, levels: [what.level] } });
    else if (hasConditions(what)) rules.push({ verb, query: { ...ALL_LINES, where: what.pattern } });
    else if (what.pattern !== '') {
      const { kind: _, compares: __, ...term } = what;
      rules.push({ verb, query: { ...term, invert: false } });
    } else continue;
    if (isByText(what)) ids.push(id);
  }
  const within = isDiffering ? inBoth(differing!, spans) : spans;
  if (rules.length + within.length === 0 && entries !== 'first') return null;
  return { filter: { rules, within, ...(entries === 'lines' ? {} : { entries }) }, ids };
}

/** Hides the lines behind the first one of each folded section. */
export function withFolds(filter: LineFilter | null, folds: readonly LineSpan[]): LineFilter | null {
  if (folds.length === 0) return filter;
  const shown: LineSpan[] = [];
  let next = 1;
  for (const { first, last } of [...folds].sort((a, b) => a.first - b.first)) {
    if (first >= next) shown.push({ first: next, last: first });
    next = Math.max(next, last + 1);
  }
  shown.push({ first: next, last: Number.MAX_SAFE_INTEGER });
  return { ...(filter ?? { rules: [] }), within: inBoth(shown, filter?.within ?? []) };
}

/** The state of folding neighbours of one shape; the spans are unfolded again. */
export interface Repeats {
  unfolded: readonly Run[];
}

/** A line and its repeats. */
export interface Run extends LineSpan {
  /** Without the lines that a filter hides. */
  count: number;
}

/** Folds neighbours of one shape, but no headings of folded sections. */
export function withRepeats(
  filter: LineFilter | null,
  folds: readonly LineSpan[],
  repeats: Repeats | null,
): LineFilter | null {
  if (!repeats) return filter;
  const headings = folds.map(({ first }) => ({ first, last: first }));
  const unfolded = [...repeats.unfolded.map(({ first, last }) => ({ first, last })), ...headings];
  return { ...(filter ?? ALL_PASS), repeats: { unfolded } };
}

/** Passes every line. */
export const ALL_PASS: LineFilter = { rules: [], within: [] };

/** Spans that lie in both lists; an empty second list has every line. */
function inBoth(lines: readonly LineSpan[], spans: readonly LineSpan[]): LineSpan[] {
  if (spans.length === 0) return lines.length > 0 ? [...lines] : [NO_LINE];
  const both = lines.flatMap((line) =>
    spans.map((span) => ({ first: Math.max(line.first, span.first), last: Math.min(line.last, span.last) })),
  );
  const found = both.filter(({ first, last }) => first <= last);
  return found.length > 0 ? found : [NO_LINE];
}

/** A span of which no text has a line: an empty list would have every line. */
const NO_LINE: LineSpan = { first: Number.MAX_SAFE_INTEGER, last: Number.MAX_SAFE_INTEGER };

/** Whether lines pass by their text or level, so that several such filters are combined by their verbs. */
export function isByText({ kind }: FilterWhat): boolean {
  return kind === 'text' || kind === 'level';
}

/** Whether its text compares fields: `status>=500`. With a switch it is text all the same. */
function hasConditions(what: FilterWhat): boolean {
  return what.kind === 'text' && !what.word && (what.compares === true || isConditions(what.pattern));
}

/**
 * Returns the filter with another text. In JSON lines, `service=billing` is a condition on a field: no line has that
 * text.
 */
export function withPattern(
  { compares: _, ...what }: FilterWhat & { kind: 'text' },
  pattern: string,
  format: LogFormat | null,
): FilterWhat {
  const compares = comparesFields(pattern, format);
  return { ...what, pattern, ...(compares ? { compares } : {}) };
}

/** Whether the text compares fields that JSON lines have, or those of a person's pattern. */
export function comparesFields(pattern: string, format: LogFormat | null): boolean {
  if (format?.entries !== 'object' && format?.pattern === undefined) return false;
  try {
    return conditionsOf(pattern).every(({ field }) => format.fields.includes(field));
  } catch {
    return false;
  }
}

/** Matches every line; used with levels and conditions. */
const ALL_LINES = { pattern: '', fixed: true, case_sensitive: true, invert: false } as const;

/** Whether both select the same lines. */
export function isSameWhat(a: FilterWhat, b: FilterWhat): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether nothing was typed yet, so it has no effect. */
export function isDraft({ what }: Filter): boolean {
  return what.kind === 'text' && what.pattern === '';
}

/** Returns the text of a chip: the pattern, the level's word, the span. */
export function chipText(what: FilterWhat): string {
  if (what.kind === 'text') return what.pattern;
  if (what.kind === 'differences') return 'new and changed';
  return what.kind === 'level' ? what.level : what.label;
}

/** Whether lines may match another filter instead. */
const isEither = ({ what, verb }: Filter) => verb === 'show' && isByText(what);

const placeOf = (filter: Filter) => (filter.verb === 'hide' ? 2 : isEither(filter) ? 0 : 1);

/** Returns the filters as they are read, from left to right: `Show a, or b, and c, Hide d`. */
export function asRead(filters: readonly Filter[]): readonly Filter[] {
  return [...filters].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Returns the word before a filter, which says how it combines with those before it. */
export function wordOf(filter: Filter, filters: readonly Filter[]): 'Show' | 'and' | 'or' | 'Hide' {
  if (filter.verb === 'hide') return 'Hide';
  const first = asRead(filters)[0];
  if (first === undefined || first.id === filter.id) return 'Show';
  return isEither(filter) ? 'or' : 'and';
}

/** Name for assistive technology, such as `Hide lines with retry` or `Show lines 12 to 80, 10:30–10:40`. */
export function filterName(filter: Filter): string {
  const { what, verb } = filter;
  if (what.kind === 'lines')
    return `Show lines ${formatCount(what.first)} to ${formatCount(what.last)}, ${what.label}`;
  if (what.kind === 'differences') return 'Show new and changed lines';
  if (isDraft(filter)) return 'New filter';
  const lines =
    what.kind === 'level' ? 'lines of level' : hasConditions(what) ? 'lines whose fields have' : 'lines with';
  return `${verb === 'hide' ? 'Hide' : 'Show'} ${lines} ${chipText(what)}`;
}

/** Returns the filters that are on and show lines by text or level. */
export function showing(filters: readonly Filter[]): readonly Filter[] {
  return filters.filter(({ what, verb, on }) => on && isByText(what) && verb !== 'hide');
}

const MAX_SAID_CHARS = 40;

/** Shortens a pattern for a message. */
export function shortPattern(text: string): string {
  return text.length > MAX_SAID_CHARS ? `${text.slice(0, MAX_SAID_CHARS)}…` : text;
}

/** Lists that are kept for a file's path or an id. All views share them, also after a reload. */
const kept = <T>(item: string) =>
  sessionStores<readonly T[]>({
    item: `spillway.${item}`,
    maxKeys: 100,
    read: (list) => list as T[],
    write: (list) => list,
  });

export const filtersOf = kept<Filter>('filters');
/** Folded sections: the first line is shown, those behind it are not. */
export const foldsOf = kept<LineSpan>('folds');
/** One item, or none where repeats are not folded. */
export const repeatsOf = kept<Repeats>('repeats');
/** The unit of the filters: one item, or none for lines. */
export const entriesOf = kept<Entries>('entries');
