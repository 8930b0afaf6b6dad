/** A filter of the lines that are shown, and several of them as one question to the host. */
import type { FilterRule, LineFilter, LineSpan } from '../../shared/api/filters.ts';
import { formatCount } from '../../shared/text/format.ts';
import type { Level } from '../../shared/text/level-words.ts';

/** What lines a filter is about. */
export type FilterWhat =
  | { kind: 'text'; pattern: string; regex: boolean; caseSensitive: boolean }
  | { kind: 'level'; level: Level }
  /** `label` says why these lines, such as a span of time. */
  | { kind: 'lines'; first: number; last: number; label: string };

export interface Filter {
  /** Among the filters of one artifact. */
  id: number;
  what: FilterWhat;
  /** Hides the lines; else they are shown. */
  hide: boolean;
  /** Switched on. */
  on: boolean;
}

export function plainText(pattern: string): FilterWhat {
  return { kind: 'text', pattern, regex: false, caseSensitive: true };
}

/** What the filters that are switched on ask; null when every line passes. `ids` are of the rules, in their order. */
export function lineFilterOf(filters: readonly Filter[]): { filter: LineFilter; ids: number[] } | null {
  const rules: FilterRule[] = [];
  const within: LineSpan[] = [];
  const ids: number[] = [];
  for (const { id, what, hide, on } of filters) {
    if (!on) continue;
    if (what.kind === 'lines') within.push({ first: what.first, last: what.last });
    else if (what.kind === 'level') rules.push({ hide, query: { ...ALL_LINES, levels: [what.level] } });
    else if (what.pattern !== '') {
      const { pattern, regex, caseSensitive } = what;
      rules.push({ hide, query: { pattern, fixed: !regex, case_sensitive: caseSensitive, invert: false } });
    } else continue;
    if (what.kind !== 'lines') ids.push(id);
  }
  return rules.length + within.length === 0 ? null : { filter: { rules, within }, ids };
}

/** Matches every line, of the levels that are given with it. */
const ALL_LINES = { pattern: '', fixed: true, case_sensitive: true, invert: false } as const;

/** The same lines, whether they are shown or hidden. */
export function isSameWhat(a: FilterWhat, b: FilterWhat): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** On a chip: the pattern, the level's word, the span. */
export function chipText(what: FilterWhat): string {
  if (what.kind === 'text') return what.pattern === '' ? '…' : what.pattern;
  return what.kind === 'level' ? what.level : what.label;
}

/** `Show`, `Hide`, or `Only` for a span of lines. */
export function verbOf({ what, hide }: Filter): string {
  if (what.kind === 'lines') return 'Only';
  return hide ? 'Hide' : 'Show';
}

/** For assistive technology: `Hide lines with retry`, `Show lines of level error`, `Only lines 12 to 80, 10:30–10:40`. */
export function filterName(filter: Filter): string {
  const { what } = filter;
  if (what.kind === 'lines')
    return `Only lines ${formatCount(what.first)} to ${formatCount(what.last)}, ${what.label}`;
  const lines = what.kind === 'level' ? 'lines of level' : 'lines with';
  return `${verbOf(filter)} ${lines} ${chipText(what)}`;
}

/** How the filters that are on work together, in one sentence. */
export function rulesInWords(filters: readonly Filter[]): string {
  const on = filters.filter((filter) => filter.on);
  const shows = on.filter(({ what, hide }) => what.kind !== 'lines' && !hide).length;
  const hides = on.filter(({ what, hide }) => what.kind !== 'lines' && hide).length;
  const spans = on.some(({ what }) => what.kind === 'lines');
  if (shows + hides === 0) return spans ? 'Lines of that time' : 'All lines: every filter is off';
  const parts = [
    shows > 1 ? 'Lines that match any “Show”' : shows === 1 ? 'Lines that match “Show”' : 'Lines',
    hides === 0 ? '' : `${shows > 0 ? 'and' : 'that match'} no “Hide”`,
    spans ? 'in that time' : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
