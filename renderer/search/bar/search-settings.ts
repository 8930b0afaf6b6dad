/** The pattern and switches of a search, in the address as `q=` and `f=`, and the searches it is limited to as `w=`. */
import { MAX_WITHIN, type SearchQuery } from '../../../shared/search-query.ts';

export interface SearchTerm {
  pattern: string;
  /** Whether the pattern is a regular expression, not plain text. */
  regex: boolean;
  caseSensitive: boolean;
  /** Whether to find lines that do not match. */
  invert: boolean;
}

export interface SearchSettings extends SearchTerm {
  /** Search only lines that all of these find. */
  within: readonly SearchTerm[];
}

export const NO_SEARCH: SearchSettings = {
  pattern: '',
  regex: true,
  caseSensitive: false,
  invert: false,
  within: [],
};

/** Returns null without anything to search. Without a pattern, returns the searches it is limited to. */
export function queryOf(settings: SearchSettings): SearchQuery | null {
  const terms = settings.pattern === '' ? settings.within : [...settings.within, settings];
  const last = terms.at(-1);
  if (!last) return null;
  const within = terms.slice(0, -1).map(queryOfTerm);
  return { ...queryOfTerm(last), ...(within.length > 0 ? { within } : {}) };
}

function queryOfTerm({ pattern, regex, caseSensitive, invert }: SearchTerm) {
  return { pattern, fixed: !regex, case_sensitive: caseSensitive, invert };
}

export function settingsOf({ pattern, fixed, case_sensitive, invert }: SearchQuery): SearchSettings {
  return { pattern, regex: !fixed, caseSensitive: case_sensitive, invert, within: [] };
}

/** Limits the next search to the lines found by this one. */
export function narrowed(settings: SearchSettings): Partial<SearchSettings> {
  const { pattern, regex, caseSensitive, invert, within } = settings;
  if (pattern === '' || within.length >= MAX_WITHIN) return {};
  return { within: [...within, { pattern, regex, caseSensitive, invert }], pattern: '', invert: false };
}

export function sameSettings(a: SearchSettings, b: SearchSettings): boolean {
  return (
    sameTerm(a, b) &&
    a.within.length === b.within.length &&
    a.within.every((each, i) => sameTerm(each, b.within[i]!))
  );
}

function sameTerm(a: SearchTerm, b: SearchTerm): boolean {
  return (
    a.pattern === b.pattern &&
    a.regex === b.regex &&
    a.caseSensitive === b.caseSensitive &&
    a.invert === b.invert
  );
}

/** Adds the parameters that restore this search. */
export function addToParams(params: URLSearchParams, settings: SearchSettings): void {
  for (const term of settings.within) params.append('w', `${flagsOf(term)}:${term.pattern}`);
  if (settings.pattern === '') return;
  params.set('q', settings.pattern);
  const flags = flagsOf(settings);
  if (flags !== '') params.set('f', flags);
}

/** Returns null if the address has no search. */
export function fromParams(params: URLSearchParams): SearchSettings | null {
  const within = params
    .getAll('w')
    .slice(0, MAX_WITHIN)
    .flatMap((text) => {
      const colon = text.indexOf(':');
      return colon < 0 || colon === text.length - 1
        ? []
        : [termOf(text.slice(colon + 1), text.slice(0, colon))];
    });
  const pattern = params.get('q') ?? '';
  if (pattern === '' && within.length === 0) return null;
  return { ...termOf(pattern, params.get('f') ?? ''), within };
}

function flagsOf({ regex, caseSensitive, invert }: SearchTerm): string {
  return `${regex ? '' : 'p'}${caseSensitive ? 'c' : ''}${invert ? 'v' : ''}`;
}

function termOf(pattern: string, flags: string): SearchTerm {
  return {
    pattern,
    regex: !flags.includes('p'),
    caseSensitive: flags.includes('c'),
    invert: flags.includes('v'),
  };
}
