/**
 * Plans a search: what its query compiles to, and so which lines of a block match it.
 *
 *     literals     found in the bytes; where that is the whole query, that is the answer
 *     automaton    reads the lines that hold one, or every line, over colours and line ends
 *     line text    of a line that is redrawn, and of one that the expression itself has to confirm
 */
import type { SearchQuery } from '../../shared/search-query.ts';
import { conditionsOf, conditionTest, linePattern } from '../../shared/text/fields.ts';
import type { Level } from '../../shared/text/level-words.ts';
import { isErrorLevel, levelOf, levelOfCodes } from '../../shared/text/levels.ts';
import { lineText } from '../../shared/text/line-text.ts';
import { EntryReader } from '../reader/lines/log-format.ts';
import { SHAPE_BYTES, shapeOf } from '../reader/shapes/shape.ts';
import type { EntryForm } from '../reader/views/entry-bounds.ts';
import { alphabetOf } from './automaton/alphabet.ts';
import { Automaton, createKernel, eventOf, type Kernel, placeOf } from './automaton/automaton.ts';
import { buildNfa } from './automaton/nfa.ts';
import { Simulation } from './automaton/simulation.ts';
import { EVENT, Transitions } from './automaton/transitions.ts';
import { compiled, type Expression, expressionOf, parseExpression } from './expression.ts';
import { byteLiteral, LiteralSearch } from './literals/literal-search.ts';
import { requiredLiterals } from './literals/required.ts';
import { createScanner, roomOf, type Scanner, sourceOf } from './literals/scanner.ts';
import { MatchFinder } from './match-finder.ts';
import { AT, createMemory, MAX_LITERAL_BYTES, RENDERED_BYTES } from './memory.ts';

/** A query, or the search for the lines that begin an entry, or have the shape of the line before. */
export type LineQuery = SearchQuery & { begins?: EntryForm; repeats?: true; groups?: readonly string[] };

/** Tells which lines match, when literals can't. */
interface LineReader {
  /** Null if the expression has no automaton. */
  automaton: Automaton | null;
  /** The automaton matches exactly what the expression matches. */
  exact: boolean;
  /** Decides about single lines. */
  judge: LineJudge;
}

/** How a query is searched. */
export interface SearchPlan {
  /** The bytes are the text, rather than line text. */
  raw: boolean;
  /** Makes it when it is first needed. */
  reader(): LineReader;
  /** Literals of which every match contains one; null if there are none. */
  literals: LiteralSearch | null;
  /** True if every line that contains a literal matches. */
  literalsDecide: boolean;
}

/** One thread's search memory, and the modules that share it. */
export interface Workspace {
  readonly scanner: Scanner;
  readonly kernel: Kernel;
  /** Text of a stream, to be searched. */
  readonly source: Buffer;
  /** Room for rendered lines. */
  readonly rendered: Buffer;
}

export function createWorkspace(): Workspace {
  const memory = createMemory();
  return {
    scanner: createScanner(memory),
    kernel: createKernel(memory),
    source: sourceOf(memory),
    rendered: Buffer.from(memory.buffer, AT.rendered, RENDERED_BYTES),
  };
}

/** Compiles a query. Throws `usage` for an invalid pattern. Ignores `invert`. With `raw`, the bytes are the text. */
export function planSearch(workspace: Workspace, query: LineQuery, raw: boolean): SearchPlan {
  const expression = expressionOf(query);
  const tree = parseExpression(expression);
  const required = tree && requiredLiterals(tree, expression.flags);
  const ignoreCase = expression.flags.includes('i');
  const literals = required?.texts.map((text) => byteLiteral(text, ignoreCase)) ?? [];
  const findable = literals.length > 0 && roomOf(literals) <= MAX_LITERAL_BYTES;
  const literalsDecide = isByText(query) && (required?.exact ?? false);
  let made: LineReader | undefined;
  const reader = () => {
    made ??= makeReader(workspace, query, raw, expression, tree);
    return made;
  };
  // Most searches for words never need it, and somebody waits for their first match.
  if (!(findable && literalsDecide)) reader();
  return {
    raw,
    reader,
    literals: findable ? new LiteralSearch(workspace.scanner, literals) : null,
    literalsDecide,
  };
}

/** Whether the expression alone decides. */
const isByText = ({ levels, where, begins, repeats }: LineQuery) =>
  levels === undefined && where === undefined && begins === undefined && repeats === undefined;

function makeReader(
  workspace: Workspace,
  query: LineQuery,
  raw: boolean,
  expression: Expression,
  tree: ReturnType<typeof parseExpression>,
): LineReader {
  const { pattern, levels, where, begins, repeats } = query;
  const { flags } = expression;
  const nfa = tree && buildNfa(tree, flags);
  const alphabet = nfa && alphabetOf(nfa, flags.includes('u'));
  const automaton =
    nfa && alphabet ? new Automaton(workspace.kernel, new Transitions(nfa, alphabet, raw)) : null;
  const exact = isByText(query) && automaton !== null && nfa!.exact;
  if (begins) return { automaton: null, exact, judge: judgeByEntries(begins) };
  if (repeats) return { automaton: null, exact, judge: judgeByShapes() };
  if (where !== undefined)
    return { automaton, exact, judge: judgeByFields(query, pattern === '' ? null : expression) };
  if (levels)
    return {
      automaton,
      exact,
      judge: judgeByLevel(levels, pattern === '' ? null : new MatchFinder(expression)),
    };
  const judge = exact
    ? new AutomatonJudge(workspace.rendered, automaton, new Simulation(nfa!, alphabet!))
    : judgeByExpression(new MatchFinder(expression));
  return { automaton, exact, judge };
}

// Decides whether single lines match, by their text: lines the automaton can't read, and lines to be confirmed.

/** Returns a judge that runs the expression on each line. */
function judgeByExpression(finder: MatchFinder): LineJudge {
  return { judge: (texts) => texts.map((text) => finder.matches(text)) };
}

/** Decides by fields, and by the expression and the levels if there are any. */
function judgeByFields(query: LineQuery, expression: Expression | null): LineJudge {
  const { levels } = query;
  const test = fieldTest(query, expression);
  const finder = expression && new MatchFinder(expression);
  const wanted = levels && new Set<Level | null>(levels);
  return {
    judge: (texts, onProgress) =>
      texts.map((text) => {
        onProgress();
        return (
          (finder === null || finder.matches(text)) && (!wanted || wanted.has(levelOf(text))) && test(text)
        );
      }),
  };
}

/** Decides whether lines begin an entry. It is given all lines in order. */
function judgeByEntries({ rule, facts }: EntryForm): LineJudge {
  const reader = new EntryReader(rule, facts);
  return {
    judge: (texts, onProgress) =>
      texts.map((text) => {
        onProgress();
        return reader.begins(text);
      }),
  };
}

/** Decides whether a line repeats the one before: no error, not blank, same shape and outcome. It needs all in order. */
function judgeByShapes(): LineJudge {
  const bytes = Buffer.alloc(SHAPE_ROOM_BYTES);
  let before: readonly number[] = [];
  let textBefore = '';
  /** Null where they were not asked for. */
  let outcomesBefore: string | null = null;
  const repeats = (text: string): boolean => {
    const { codes } = shapeOf(bytes, 0, bytes.write(text));
    const isAlike = codes.length === before.length && codes.every((code, i) => code === before[i]);
    const outcomes = isAlike && codes.length > 0 ? outcomesIn(text) : null;
    const isRepeat = outcomes !== null && outcomes === (outcomesBefore ?? outcomesIn(textBefore));
    before = codes;
    textBefore = text;
    outcomesBefore = outcomes;
    return isRepeat && !isErrorLevel(levelOf(text));
  };
  return {
    judge: (texts, onProgress) =>
      texts.map((text) => {
        onProgress();
        return repeats(text);
      }),
  };
}

/** How something ended, which a shape masks: `status=500`, `exit code 1`, and behind a web server's request. */
const OUTCOME =
  /\b(?:(?:(?:exit|status|error)[ _-]?)?(?:code|status)|state|result|exit|rc)["']?\s?[:= ]\s?["']?(-?\w{1,20})|" (\d{3})(?= )/gi;
const OUTCOME_WITHIN_CHARS = 4096;

function outcomesIn(text: string): string {
  const found = text.slice(0, OUTCOME_WITHIN_CHARS).matchAll(OUTCOME);
  return Array.from(found, ([, named, status]) => named ?? status).join();
}

/** More than a shape covers, so that it knows that the line continues. */
const SHAPE_ROOM_BYTES = 2 * SHAPE_BYTES;

/** Returns whether a line's fields meet the conditions; named groups of the expression are fields. */
export function fieldTest(
  { where = '', groups = [] }: LineQuery,
  expression: Expression | null,
): (line: string) => boolean {
  const own = expression ? [compiled(expression.source, expression.flags)] : [];
  return conditionTest(conditionsOf(where), [...own, ...groups.map(linePattern)]);
}

/** Decides by level, and by the expression unless it only finds candidates. */
function judgeByLevel(levels: readonly Level[], finder: MatchFinder | null): LineJudge {
  const wanted = new Set<Level | null>(levels);
  const judgeBytes = (bytes: Uint8Array, start: number, end: number) =>
    wanted.has(levelOfCodes(bytes, start, end));
  return {
    ...(finder === null ? { judgeBytes } : {}),
    judge: (texts) =>
      texts.map((text) => (finder === null || finder.matches(text)) && wanted.has(levelOf(text))),
  };
}

interface LineJudge {
  /** Returns for each text whether it matches. `onProgress` is called regularly during long work. */
  judge(texts: readonly string[], onProgress: () => void): boolean[];
  /**
   * Whether a line of UTF-8 without control characters but tabs matches. Only for judges that need no text, which
   * takes most of the time where many lines are to be confirmed.
   */
  judgeBytes?(bytes: Uint8Array, start: number, end: number): boolean;
}

/** The end of a line without its CR; null if it has other control characters. */
export function plainEnd(bytes: Uint8Array, start: number, end: number): number | null {
  const last = end > start && bytes[end - 1] === 13 ? end - 1 : end;
  for (let i = start; i < last; i += 1) if (bytes[i]! < 32 && bytes[i] !== 9) return null;
  return last;
}

/** Runs the automaton, whose time is linear in the text. */
class AutomatonJudge implements LineJudge {
  readonly #rendered: Buffer;
  readonly #automaton: Automaton;
  readonly #simulation: Simulation;

  constructor(rendered: Buffer, automaton: Automaton, simulation: Simulation) {
    this.#rendered = rendered;
    this.#automaton = automaton;
    this.#simulation = simulation;
  }

  judge(texts: readonly string[], onProgress: () => void): boolean[] {
    const verdicts: boolean[] = [];
    while (verdicts.length < texts.length) {
      this.#judgeSome(texts, verdicts);
      onProgress();
    }
    return verdicts;
  }

  #judgeSome(texts: readonly string[], verdicts: boolean[]): void {
    if (this.#automaton.useless) {
      verdicts.push(this.#simulation.matches(texts[verdicts.length]!));
      return;
    }
    const ends: number[] = [];
    let filled = 0;
    for (let i = verdicts.length; i < texts.length; i += 1) {
      const text = texts[i]!;
      // A UTF-16 unit takes at most three bytes.
      if (filled + text.length * 3 + 1 > RENDERED_BYTES) break;
      filled += this.#rendered.write(text, filled);
      this.#rendered[filled] = 10;
      ends.push(filled);
      filled += 1;
    }
    if (ends.length === 0) {
      verdicts.push(this.#judgeLong(texts[verdicts.length]!));
      return;
    }
    const words = this.#automaton.scan(AT.rendered, AT.rendered + filled);
    if (words === null) {
      verdicts.push(this.#simulation.matches(texts[verdicts.length]!));
      return;
    }
    const matching = new Set<number>();
    for (const one of words) if (eventOf(one) === EVENT.match) matching.add(placeOf(one) - AT.rendered);
    for (const end of ends) verdicts.push(matching.has(end));
  }

  /** Reads a text part by part. */
  #judgeLong(text: string): boolean {
    const step = Math.floor((RENDERED_BYTES - 1) / 3);
    for (let at = 0; at < text.length; ) {
      // Don't split a surrogate pair.
      const high = (text.charCodeAt(at + step - 1) & 0xfc00) === 0xd800 ? 1 : 0;
      const next = Math.min(text.length, at + step - high);
      let filled = this.#rendered.write(text.slice(at, next));
      if (next === text.length) {
        this.#rendered[filled] = 10;
        filled += 1;
      }
      const event = this.#automaton.useless
        ? null
        : this.#automaton.feed(AT.rendered, AT.rendered + filled, at === 0);
      if (event === null) return this.#simulation.matches(text);
      if (next === text.length) return event === EVENT.match;
      at = next;
    }
    return false;
  }
}

/** Returns the text of a line, given without its line end. */
export function textOfLine(bytes: Buffer, start: number, end: number, raw: boolean): string {
  const text = bytes.toString('utf8', start, end);
  return raw ? text : lineText(text);
}
