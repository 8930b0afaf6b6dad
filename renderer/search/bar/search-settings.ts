/** The pattern and switches of a search, kept in the address as `q=` and `f=`. */
import type { SearchQuery } from '../../../shared/search-query.ts';

export interface SearchSettings {
  pattern: string;
  /** A regular expression; else plain text. */
  regex: boolean;
  caseSensitive: boolean;
  /** Lines that do not match. */
  invert: boolean;
}

export const NO_SEARCH: SearchSettings = { pattern: '', regex: true, caseSensitive: false, invert: false };

/** Null when there is nothing to search for. */
export function queryOf(settings: SearchSettings): SearchQuery | null {
  if (settings.pattern === '') return null;
  return {
    pattern: settings.pattern,
    fixed: !settings.regex,
    case_sensitive: settings.caseSensitive,
    invert: settings.invert,
  };
}

export function settingsOf({ pattern, fixed, case_sensitive, invert }: SearchQuery): SearchSettings {
  return { pattern, regex: !fixed, caseSensitive: case_sensitive, invert };
}

export function sameSettings(a: SearchSettings, b: SearchSettings): boolean {
  return (
    a.pattern === b.pattern &&
    a.regex === b.regex &&
    a.caseSensitive === b.caseSensitive &&
    a.invert === b.invert
  );
}

/** Adds what is needed to come back to this search. */
export function addToParams(params: URLSearchParams, settings: SearchSettings): void {
  if (settings.pattern === '') return;
  params.set('q', settings.pattern);
  const flags = `${settings.regex ? '' : 'p'}${settings.caseSensitive ? 'c' : ''}${settings.invert ? 'v' : ''}`;
  if (flags !== '') params.set('f', flags);
}

/** Null when the address names no search. */
export function fromParams(params: URLSearchParams): SearchSettings | null {
  const pattern = params.get('q');
  if (!pattern) return null;
  const flags = params.get('f') ?? '';
  return {
    pattern,
    regex: !flags.includes('p'),
    caseSensitive: flags.includes('c'),
    invert: flags.includes('v'),
  };
}
