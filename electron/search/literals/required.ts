/**
 * Finds text that every match of an expression must contain. Lines without it can be skipped, which gives most of
 * the search's speed (as in ripgrep, and in R. Cox, Regular Expression Matching with a Trigram Index, 2012).
 */
import type { AST } from '@eslint-community/regexpp';
import { MAX_LITERALS } from './scanner.ts';

interface Literals {
  /** Every match contains one of these. None is empty or holds a line end. */
  texts: string[];
  /** Every line that contains one matches. */
  exact: boolean;
}

/** Returns null if no useful text is required. */
export function requiredLiterals(pattern: AST.Pattern, flags: string): Literals | null {
  const set = ofAlternatives(pattern.alternatives, flags);
  if (!set || set.texts.some((text) => text.length < 2 && set.texts.length > 1)) return null;
  return { texts: [...new Set(set.texts)], exact: set.exact };
}

function ofAlternatives(alternatives: readonly AST.Alternative[], flags: string): Literals | null {
  const texts: string[] = [];
  let exact = true;
  for (const alternative of alternatives) {
    const best = ofAlternative(alternative, flags);
    if (!best) return null;
    texts.push(...best.texts);
    exact &&= best.exact;
    if (texts.length > MAX_LITERALS) return null;
  }
  return texts.length > 0 ? { texts, exact } : null;
}

/**
 * Returns the best requirement of a sequence: the one whose shortest text is longest, then the one with fewer texts.
 */
function ofAlternative(alternative: AST.Alternative, flags: string): Literals | null {
  const candidates: Literals[] = [];
  let run = '';
  let whole = true;
  const endRun = () => {
    if (run !== '') candidates.push({ texts: [run], exact: false });
    run = '';
  };
  for (const element of alternative.elements) {
    if (element.type === 'Character') {
      if (isPlain(element.value, flags)) {
        run += String.fromCodePoint(element.value);
        continue;
      }
      endRun();
      whole = false;
      continue;
    }
    if (element.type === 'Assertion') {
      // It takes no text, so the text before and after it is contiguous.
      whole = false;
      continue;
    }
    endRun();
    const inner = innerOf(element, flags);
    whole &&= alternative.elements.length === 1 && inner !== null && inner.exact;
    if (inner) candidates.push({ ...inner, exact: false });
  }
  const onlyRun = whole && candidates.length === 0;
  endRun();
  if (candidates.length === 0) return null;
  const best = candidates.reduce((a, b) => (score(b) > score(a) ? b : a));
  return { texts: best.texts, exact: onlyRun || (whole && candidates.length === 1) };
}

function innerOf(element: AST.Element, flags: string): Literals | null {
  if (element.type === 'Quantifier') {
    if (element.min === 0) return null;
    const inner = innerOfAtom(element.element, flags);
    return inner ? { ...inner, exact: false } : null;
  }
  return innerOfAtom(element, flags);
}

function innerOfAtom(element: AST.Element, flags: string): Literals | null {
  if (element.type === 'Group' && element.modifiers) return null;
  if (element.type === 'Group' || element.type === 'CapturingGroup')
    return ofAlternatives(element.alternatives, flags);
  if (element.type === 'Character' && isPlain(element.value, flags)) {
    return { texts: [String.fromCodePoint(element.value)], exact: false };
  }
  return null;
}

/** Returns whether the character matches only its own bytes, except for the bit of ASCII's case. */
function isPlain(value: number, flags: string): boolean {
  // The searched bytes may hold a CR that the text lacks; line text never has a NUL.
  if (value === 10 || value === 13 || value === 0 || (value >= 0xd800 && value <= 0xdfff) || value === 0xfffd)
    return false;
  if (!flags.includes('i')) return true;
  if (value > 127) return false;
  // In Unicode mode, the Kelvin sign matches k, and the long s matches s.
  return !(flags.includes('u') && 'kKsS'.includes(String.fromCharCode(value)));
}

function score({ texts }: Literals): number {
  const shortest = Math.min(...texts.map((text) => text.length));
  return Math.min(shortest, 16) * 10 - texts.length;
}
