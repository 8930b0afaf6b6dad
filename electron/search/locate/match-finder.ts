/**
 * Finds where in a text an expression matches: with V8, which is fast as a rule, or with the locator, where V8 could
 * try so many ways that it would not end.
 */
import { alphabetOf } from '../automaton/alphabet.ts';
import { parseExpression } from '../query/parse.ts';
import { compiled, type Expression } from '../query/query.ts';
import { backtrackingDegree } from './backtracking.ts';
import { Locator, type Match } from './locator.ts';
import { pathsOf } from './paths.ts';

/** V8 takes a second for so many steps, or a few. */
const MOST_STEPS = 1e8;

export class MatchFinder {
  readonly #source: Expression;
  readonly #tree: ReturnType<typeof parseExpression>;
  readonly #degree: number;
  readonly #expression: RegExp;
  /** Null if the expression is not for it; undefined until first needed. */
  #locator: Locator | null | undefined;

  /** Throws `usage` if the expression is too large for V8. */
  constructor(source: Expression) {
    this.#source = source;
    this.#tree = parseExpression(source);
    this.#degree = this.#tree ? backtrackingDegree(this.#tree) : 1;
    this.#expression = compiled(source.source, `${source.flags}g`);
  }

  /** Returns the first match at or after `from`; null if there is none. `onProgress` is called in long texts. */
  first(text: string, from = 0, onProgress?: () => void): Match | null {
    const locator = (text.length - from) ** this.#degree > MOST_STEPS ? this.#located() : null;
    if (locator) return locator.first(text, from, onProgress);
    this.#expression.lastIndex = from;
    const found = this.#expression.exec(text);
    return found && { index: found.index, length: found[0].length };
  }

  matches(text: string): boolean {
    return this.first(text) !== null;
  }

  /** Returns the matches that are not empty, first to last. */
  *all(text: string): Generator<Match> {
    for (let at = 0; at <= text.length; ) {
      const match = this.first(text, at);
      if (match === null) return;
      at = match.index + match.length;
      if (match.length > 0) yield match;
      else at += text.codePointAt(at)! > 0xffff && this.#source.flags.includes('u') ? 2 : 1;
    }
  }

  #located(): Locator | null {
    if (this.#locator === undefined) {
      const { flags } = this.#source;
      const paths = this.#tree && pathsOf(this.#tree, flags);
      const alphabet = paths && alphabetOf(paths, flags.includes('u'));
      this.#locator = paths && alphabet ? new Locator(paths, alphabet) : null;
    }
    return this.#locator;
  }
}
