/**
 * Finds the match that a JavaScript expression finds, in time linear in the text. All paths are followed at once, in
 * the order in which the expression tries them; where two meet, only the first goes on. After R. Cox, Regular
 * Expression Matching: the Virtual Machine Approach, 2009.
 */

import type { AST } from '@eslint-community/regexpp';
import { type Alphabet, charsetOf, classesOfUnits, classOf } from './automaton/alphabet.ts';
import { isSingle, keyOf, type Nfa, NODE_KIND, Nodes, rangesOf } from './automaton/nfa.ts';

/** A match in a text, in UTF-16 units. */
export interface Match {
  index: number;
  length: number;
}

/** Characters between two calls of `onProgress`. */
const PROGRESS_CHARS = 4096;
/** Before a text's first character and after its last. */
const NO_CLASS = -1;
const LAST_UNIT = 0xffff;

/** The nodes that wait for a character, in the order of their paths, and where each path began. */
class Waiting {
  readonly nodes: Int32Array;
  readonly begun: Int32Array;
  count = 0;

  constructor(most: number) {
    this.nodes = new Int32Array(most);
    this.begun = new Int32Array(most);
  }

  add(node: number, begun: number): void {
    this.nodes[this.count] = node;
    this.begun[this.count] = begun;
    this.count += 1;
  }
}

/** Which assertions hold between two characters, as bits by their kinds of node. */
type Place = number;

const holds = (kind: number, place: Place) => (place & (1 << kind)) !== 0;

/** Stands for the expression's end among nodes. */
const END = -1;

export class Locator {
  readonly #paths: Paths;
  readonly #alphabet: Alphabet;
  readonly #unitClasses: Uint16Array;
  /** 1 for each class that a match may begin with; null if a match may be empty. */
  readonly #beginnings: Uint8Array | null;
  /** The nodes that each node leads to without a character; null if that depends on the place. */
  readonly #reach: (Int32Array | null | undefined)[] = [];
  /** For each node, the turn in which it last began to wait. */
  readonly #addedIn: Int32Array;
  #turn = 0;
  #now: Waiting;
  #next: Waiting;

  constructor(paths: Paths, alphabet: Alphabet) {
    this.#paths = paths;
    this.#alphabet = alphabet;
    this.#unitClasses = classesOfUnits(alphabet);
    const nodes = paths.kinds.length;
    this.#addedIn = new Int32Array(nodes);
    this.#now = new Waiting(nodes);
    this.#next = new Waiting(nodes);
    this.#beginnings = beginningsOf(paths, alphabet);
  }

  /** Returns the first match at or after `from`; null if there is none. `onProgress` is called regularly. */
  first(text: string, from: number, onProgress: () => void = () => {}): Match | null {
    const { word } = this.#alphabet;
    let match: Match | null = null;
    let before = this.#classBefore(text, from);
    let reportedAt = from;
    this.#now.count = 0;
    for (let at = from; ; ) {
      if (this.#now.count === 0) {
        if (match) return match;
        at = this.#nextBeginning(text, at);
        before = this.#classBefore(text, at);
      }
      if (at - reportedAt >= PROGRESS_CHARS) {
        reportedAt = at;
        onProgress();
      }
      const behind = this.#classAt(text, at);
      const boundary = (word[before] ?? 0) !== (word[behind] ?? 0) ? NODE_KIND.word : NODE_KIND.notWord;
      const atStart = at === 0 ? 1 << NODE_KIND.lineStart : 0;
      const atEnd = at === text.length ? 1 << NODE_KIND.lineEnd : 0;
      const place = (1 << boundary) | atStart | atEnd;
      const begun = this.#step(before, at, place, match === null);
      if (begun !== null) match = { index: begun, length: at - begun };
      if (at === text.length) return match;
      at += this.#widthAt(text, at);
      before = behind;
    }
  }

  /**
   * Follows the paths over a character of a class, up to where they wait for the one at `at`; lets a path begin there
   * if `begins`. Returns where a path that ends here began, else null; the paths after it are given up.
   */
  #step(symbol: number, at: number, place: Place, begins: boolean): number | null {
    const { members } = this.#alphabet;
    const { setOf, edges, start } = this.#paths;
    [this.#now, this.#next] = [this.#next, this.#now];
    const from = this.#next;
    this.#now.count = 0;
    this.#turn += 1;
    for (let i = 0; i < from.count; i += 1) {
      const node = from.nodes[i]!;
      if (members[setOf[node]!]![symbol] === 1 && this.#add(edges[node]![0]!, from.begun[i]!, place)) {
        return from.begun[i]!;
      }
    }
    return begins && this.#add(start, at, place) ? at : null;
  }

  /** Adds the nodes that wait for a character after this one; returns true where the expression ends before more. */
  #add(node: number, begun: number, place: Place): boolean {
    let reached = this.#reach[node];
    if (reached === undefined) {
      const [now, then] = [reachedFrom(this.#paths, node, 0), reachedFrom(this.#paths, node, ~0)];
      reached = now.join() === then.join() ? now : null;
      this.#reach[node] = reached;
    }
    reached ??= reachedFrom(this.#paths, node, place);
    for (const to of reached) {
      if (to === END) return true;
      if (this.#addedIn[to] === this.#turn) continue;
      this.#addedIn[to] = this.#turn;
      this.#now.add(to, begun);
    }
    return false;
  }

  /** Returns the next place at which a match may begin, or the end. */
  #nextBeginning(text: string, from: number): number {
    if (this.#beginnings === null) return from;
    let at = from;
    while (at < text.length && this.#beginnings[this.#classAt(text, at)] === 0) at += this.#widthAt(text, at);
    return at;
  }

  /** Whether characters are code points, rather than UTF-16 units. */
  get #isUnicode(): boolean {
    return this.#alphabet.pair === null;
  }

  #widthAt(text: string, at: number): number {
    return this.#isUnicode && text.codePointAt(at)! > LAST_UNIT ? 2 : 1;
  }

  #classAt(text: string, at: number): number {
    if (at >= text.length) return NO_CLASS;
    if (!this.#isUnicode) return this.#unitClasses[text.charCodeAt(at)]!;
    const character = text.codePointAt(at)!;
    return character > LAST_UNIT ? classOf(this.#alphabet, character) : this.#unitClasses[character]!;
  }

  #classBefore(text: string, at: number): number {
    if (at === 0) return NO_CLASS;
    const isPair = this.#isUnicode && at > 1 && text.codePointAt(at - 2)! > LAST_UNIT;
    return this.#classAt(text, isPair ? at - 2 : at - 1);
  }
}

/** Returns the nodes that wait for a character after `first`, up to the expression's end, in the order of paths. */
function reachedFrom({ kinds, edges, depths, depth }: Paths, first: number, place: Place): Int32Array {
  const reached: number[] = [];
  // Nodes, each with a bit for every round around it that is still empty.
  const seen = new Set<number>();
  const stack = [first << depth];
  for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
    if (seen.has(state)) continue;
    seen.add(state);
    const node = state >> depth;
    const kind = kinds[node]!;
    if (kind === NODE_KIND.accept) return Int32Array.of(...reached, END);
    if (kind === NODE_KIND.char) {
      reached.push(node);
      continue;
    }
    const round = 1 << depths[node]!;
    if (kind === ROUND_KIND.end ? (state & round) !== 0 : isAssertion(kind) && !holds(kind, place)) continue;
    const empty = (state & ((1 << depth) - 1)) | (kind === ROUND_KIND.begin ? round : 0);
    const to = edges[node]!;
    for (let i = to.length - 1; i >= 0; i -= 1) stack.push((to[i]! << depth) | empty);
  }
  return Int32Array.from(reached);
}

const isAssertion = (kind: number) => kind >= NODE_KIND.lineStart && kind <= NODE_KIND.notWord;

/** Returns 1 for each class that a match may begin with; null if a match may be empty. */
function beginningsOf({ kinds, edges, setOf, start }: Paths, { members, size }: Alphabet): Uint8Array | null {
  const beginnings = new Uint8Array(size);
  const seen = new Set([start]);
  for (const node of seen) {
    if (kinds[node] === NODE_KIND.accept) return null;
    if (kinds[node] !== NODE_KIND.char) for (const to of edges[node]!) seen.add(to);
    else for (const [symbol, isMember] of members[setOf[node]!]!.entries()) beginnings[symbol]! |= isMember;
  }
  return beginnings;
}

// Builds an expression's automaton with its paths in the order in which a JavaScript expression tries them. nfa.ts
// builds the same without an order, which tells whether a line matches, but not where.

/** Kinds of node beside `NODE_KIND`: before and after a round of a repetition, which must not be empty. */
const ROUND_KIND = { begin: 7, end: 8 } as const;

/** Limit, since each character takes time in proportion to the nodes. */
const MAX_NODES = 3000;
/** Limit on repetitions within each other whose rounds could be empty. */
const MAX_DEPTH = 6;

interface Paths extends Nfa {
  /** For a node of `ROUND_KIND`: how many such repetitions are around its own. */
  readonly depths: readonly number[];
  /** Most of these within each other. */
  readonly depth: number;
}

/** Returns null for expressions that are too large, or look around, or refer back. */
export function pathsOf(pattern: AST.Pattern, flags: string): Paths | null {
  const builder = new PathBuilder(flags);
  try {
    return builder.build(pattern);
  } catch (error) {
    if (error !== UNFIT) throw error;
    return null;
  }
}

const UNFIT = new Error('unfit');

class PathBuilder {
  readonly #flags: string;
  readonly #nodes = new Nodes(MAX_NODES, UNFIT);
  readonly #depths: number[] = [];
  #depth = 0;
  #deepest = 0;
  #asksForWords = false;

  constructor(flags: string) {
    this.#flags = flags;
  }

  build(pattern: AST.Pattern): Paths {
    const start = this.#alternatives(pattern.alternatives, this.#nodes.add(NODE_KIND.accept, []));
    return {
      ...this.#nodes.made,
      depths: this.#depths,
      start,
      word: this.#asksForWords ? charsetOf('\\w', this.#flags) : null,
      exact: true,
      depth: this.#deepest,
    };
  }

  #alternatives(alternatives: readonly AST.Alternative[], next: number): number {
    const starts = alternatives.map(({ elements }) =>
      elements.reduceRight((after, element) => this.#element(element, after), next),
    );
    return starts.length === 1 ? starts[0]! : this.#nodes.add(NODE_KIND.split, starts);
  }

  /** Adds the element's nodes, which lead on to `next`; returns the first. */
  #element(element: AST.Element, next: number): number {
    if (isSingle(element))
      return this.#nodes.addChar(keyOf(element), next, () => rangesOf(element, this.#flags));
    switch (element.type) {
      case 'Group':
        if (element.modifiers) throw UNFIT;
        return this.#alternatives(element.alternatives, next);
      case 'CapturingGroup':
        return this.#alternatives(element.alternatives, next);
      case 'Quantifier':
        return this.#quantifier(element, next);
      case 'Assertion':
        return this.#assertion(element, next);
      default:
        throw UNFIT;
    }
  }

  #quantifier({ element, min, max, greedy }: AST.Quantifier, next: number): number {
    if (max === 0) return next;
    const round = canBeEmpty(element)
      ? (after: number) => this.#round(element, after)
      : (after: number) => this.#element(element, after);
    const choice = (first: number) => (greedy ? [first, next] : [next, first]);
    let start = next;
    if (max === Number.POSITIVE_INFINITY) {
      const again: number[] = [];
      start = this.#nodes.add(NODE_KIND.split, again);
      again.push(...choice(round(start)));
    } else for (let i = min; i < max; i += 1) start = this.#nodes.add(NODE_KIND.split, choice(round(start)));
    // Rounds that are required may be empty.
    for (let i = 0; i < min; i += 1) start = this.#element(element, start);
    return start;
  }

  #round(element: AST.Element, after: number): number {
    if (this.#depth >= MAX_DEPTH) throw UNFIT;
    const end = this.#nodes.add(ROUND_KIND.end, [after]);
    this.#depths[end] = this.#depth;
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
    const body = this.#element(element, end);
    this.#depth -= 1;
    const begin = this.#nodes.add(ROUND_KIND.begin, [body]);
    this.#depths[begin] = this.#depth;
    return begin;
  }

  #assertion(assertion: AST.Assertion, next: number): number {
    if (assertion.kind === 'start') return this.#nodes.add(NODE_KIND.lineStart, [next]);
    if (assertion.kind === 'end') return this.#nodes.add(NODE_KIND.lineEnd, [next]);
    // In Unicode mode, V8 finds `\B` between the halves of a surrogate pair.
    if (assertion.kind !== 'word' || (assertion.negate && this.#flags.includes('u'))) throw UNFIT;
    this.#asksForWords = true;
    return this.#nodes.add(assertion.negate ? NODE_KIND.notWord : NODE_KIND.word, [next]);
  }
}

function canBeEmpty(element: AST.Element): boolean {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.some(({ elements }) => elements.every(canBeEmpty));
    case 'Quantifier':
      return element.min === 0 || canBeEmpty(element.element);
    default:
      return element.type === 'Assertion';
  }
}
