/**
 * Finds the match that a JavaScript expression finds, in time linear in the text. All paths are followed at once, in
 * the order in which the expression tries them; where two meet, only the first goes on. After R. Cox, Regular
 * Expression Matching: the Virtual Machine Approach, 2009.
 */
import { type Alphabet, classesOfUnits, classOf } from '../automaton/alphabet.ts';
import { NODE_KIND } from '../automaton/nfa.ts';
import { type Paths, ROUND_KIND } from './paths.ts';

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
    let told = from;
    this.#now.count = 0;
    for (let at = from; ; ) {
      if (this.#now.count === 0) {
        if (match) return match;
        at = this.#nextBeginning(text, at);
        before = this.#classBefore(text, at);
      }
      if (at - told >= PROGRESS_CHARS) {
        told = at;
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
