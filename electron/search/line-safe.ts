/**
 * Rewrites an expression so that it can run over many lines at once and match just what it matches on each line alone: no
 * atom of it can match a line end any more. Splitting before matching costs four times as much; running the expression
 * as it is over a block finds other things (`[^x]` and `\s` match line ends) and can take seconds (`\([^)]*x` looks for its
 * bracket to the end of the block).
 */
import type { AST } from './parse.ts';

/** Matches nothing. */
const NEVER = '(?!)';

/** Null when the expression can't be rewritten so that it means the same: then it runs line by line. */
export function lineSafeSource(pattern: AST.Pattern, flags: string): string | null {
  const rewriter = new Rewriter(flags);
  const source = rewriter.alternatives(pattern.alternatives);
  return rewriter.safe ? source : null;
}

class Rewriter {
  safe = true;
  readonly #dotAll: boolean;
  /** In this mode `[^\\w]` and `\\W` differ (the Kelvin sign and the long s). */
  readonly #folded: boolean;
  /** How many lookarounds the place is in. */
  #around = 0;

  constructor(flags: string) {
    this.#dotAll = flags.includes('s');
    this.#folded = flags.includes('i') && flags.includes('u');
  }

  alternatives(alternatives: readonly AST.Alternative[]): string {
    return alternatives
      .map((one) => one.elements.map((element) => this.#element(element)).join(''))
      .join('|');
  }

  #element(element: AST.Element): string {
    switch (element.type) {
      case 'Character':
        return element.value === 10 ? NEVER : element.raw;
      case 'CharacterSet':
        return this.#set(element);
      case 'CharacterClass':
        return this.#class(element);
      case 'Group':
        if (element.modifiers) this.safe = false;
        return `(?:${this.alternatives(element.alternatives)})`;
      case 'CapturingGroup':
        return `(${element.name === null ? '' : `?<${element.name}>`}${this.alternatives(element.alternatives)})`;
      case 'Quantifier':
        return this.#quantifier(element);
      case 'Assertion':
        return this.#assertion(element);
      case 'Backreference':
        return element.raw;
      default:
        this.safe = false;
        return '';
    }
  }

  #set(set: AST.CharacterSet): string {
    if (set.kind === 'any') return this.#dotAll ? '[^\\n]' : set.raw;
    if (set.kind === 'property') return `(?:(?!\\n)${set.raw})`;
    if (set.kind === 'space') return set.negate ? set.raw : '[^\\S\\n]';
    if (set.kind === 'digit') return set.negate ? '[^\\d\\n]' : set.raw;
    if (!set.negate) return set.raw;
    return this.#folded ? `(?:(?!\\n)${set.raw})` : '[^\\w\\n]';
  }

  #class(set: AST.CharacterClass): string {
    if (set.unicodeSets) {
      this.safe = false;
      return set.raw;
    }
    if (set.negate) return `[^\\n${set.raw.slice(2)}`;
    return mayHoldLineEnd(set) ? `(?:(?!\\n)${set.raw})` : set.raw;
  }

  #quantifier({ element, raw }: AST.Quantifier): string {
    const suffix = raw.slice(element.end - element.start);
    const inner = this.#element(element);
    return inner === NEVER || inner !== element.raw ? `(?:${inner})${suffix}` : inner + suffix;
  }

  #assertion(assertion: AST.Assertion): string {
    if (assertion.kind === 'word') return assertion.raw;
    if (!('alternatives' in assertion)) {
      // In a negated or backward look, the edge of a line and that of the block must not be told apart by accident.
      if (this.#around > 0) this.safe = false;
      return assertion.raw;
    }
    this.#around += 1;
    const inner = this.alternatives(assertion.alternatives);
    this.#around -= 1;
    const open = assertion.kind === 'lookahead' ? '(?' : '(?<';
    return `${open}${assertion.negate ? '!' : '='}${inner})`;
  }
}

function mayHoldLineEnd(set: AST.CharacterClass): boolean {
  return set.elements.some((element) => {
    if (element.type === 'Character') return element.value === 10;
    if (element.type === 'CharacterClassRange') return element.min.value <= 10 && element.max.value >= 10;
    if (element.type === 'CharacterSet')
      return element.kind === 'space' ? !element.negate : element.kind === 'property' || element.negate;
    return true;
  });
}
