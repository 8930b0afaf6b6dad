/** The pattern and switches of a search, in the address as `q=` and `f=`, and the searches it is limited to as `w=`. */

import { MAX_WITHIN, type SearchQuery, type SearchTerm } from '../../shared/search-query.ts';
import { persisted } from '../ui/state/store.ts';

/** The term in the search field; its pattern may be empty. */
export interface SearchSettings extends SearchTerm {
  /** Search only lines that all of these find. */
  within: readonly SearchTerm[];
}

export const NO_SEARCH: SearchSettings = {
  pattern: '',
  fixed: false,
  case_sensitive: false,
  invert: false,
  within: [],
};

/** Whether a typed pattern chooses the case: with a capital letter it matches exactly, without one in any case. */
export const smartCase = persisted('spillway.smart-case', (text) => text === 'true');

/** Returns a typed pattern with the switch that it sets. */
export function typedPattern(pattern: string, fixed: boolean): Partial<SearchSettings> {
  if (!smartCase.get()) return { pattern };
  // The capitals of `\W` and `\p{Lu}` do not count.
  const letters = fixed ? pattern : pattern.replace(/\\[pP]\{[^}]*\}|\\./g, '');
  return { pattern, case_sensitive: /\p{Lu}/u.test(letters) };
}

/** Returns null without anything to search. Without a pattern, returns the searches it is limited to. */
export function queryOf(settings: SearchSettings): SearchQuery | null {
  const terms = termsOf(settings);
  const last = terms.at(-1);
  if (!last) return null;
  const within = terms.slice(0, -1);
  return { ...last, ...(within.length > 0 ? { within } : {}) };
}

/** Returns the terms that a line must match: those the search is limited to, and its own unless that is empty. */
export function termsOf(settings: SearchSettings): readonly SearchTerm[] {
  return settings.pattern === '' ? settings.within : [...settings.within, withoutLimits(settings)];
}

function withoutLimits({ within: _, ...term }: SearchSettings): SearchTerm {
  return term;
}

/** Limits the next search to the lines found by this one. */
export function narrowed(settings: SearchSettings): Partial<SearchSettings> {
  const { pattern, within } = settings;
  if (pattern === '' || within.length >= MAX_WITHIN) return {};
  return { within: [...within, withoutLimits(settings)], pattern: '', invert: false };
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
    a.fixed === b.fixed &&
    a.case_sensitive === b.case_sensitive &&
    a.invert === b.invert &&
    (a.word ?? false) === (b.word ?? false)
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

/** Letters that addresses of earlier versions have, too. */
function flagsOf({ fixed, case_sensitive, invert, word }: SearchTerm): string {
  return `${fixed ? 'p' : ''}${case_sensitive ? 'c' : ''}${invert ? 'v' : ''}${word ? 'w' : ''}`;
}

function termOf(pattern: string, flags: string): SearchTerm {
  return {
    pattern,
    fixed: flags.includes('p'),
    case_sensitive: flags.includes('c'),
    invert: flags.includes('v'),
    ...(flags.includes('w') ? { word: true } : {}),
  };
}
