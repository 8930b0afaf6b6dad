/**
 * Compiles a query: which lines of a block match it.
 *
 *     literals     found in the bytes; where that is the whole query, that is the answer
 *     automaton    reads the lines that hold one, or every line, over colours and line ends
 *     line text    of a line that is redrawn, and of one that the expression itself has to confirm
 */
import type { SearchQuery } from '../../../shared/search-query.ts';
import { alphabetOf } from '../automaton/alphabet.ts';
import { Automaton } from '../automaton/automaton.ts';
import { buildNfa } from '../automaton/nfa.ts';
import { Simulation } from '../automaton/simulation.ts';
import { BlockSearch, type LineReader } from '../block-search.ts';
import { AutomatonJudge, judgeByExpression, judgeByLevel } from '../lines/line-judge.ts';
import { byteLiteral } from '../literals/byte-literal.ts';
import { LiteralSearch } from '../literals/literal-search.ts';
import { requiredLiterals } from '../literals/literals.ts';
import { MatchFinder } from '../locate/match-finder.ts';
import { MAX_LITERAL_BYTES } from '../memory.ts';
import { roomOf } from '../scanner/several.ts';
import type { Workspace } from '../workspace.ts';
import { parseExpression } from './parse.ts';
import { type Expression, expressionOf } from './query.ts';

/** Compiles a query. Throws `usage` for an invalid pattern. Ignores `invert`. With `raw`, the bytes are the text. */
export function compileMatcher(workspace: Workspace, query: SearchQuery, raw: boolean): BlockSearch {
  const expression = expressionOf(query);
  const tree = parseExpression(expression);
  const required = tree && requiredLiterals(tree, expression.flags);
  const ignoreCase = expression.flags.includes('i');
  const literals = required?.texts.map((text) => byteLiteral(text, ignoreCase)) ?? [];
  const findable = literals.length > 0 && roomOf(literals) <= MAX_LITERAL_BYTES;
  const literalsDecide = query.levels === undefined && (required?.exact ?? false);
  let made: LineReader | undefined;
  const reader = () => {
    made ??= makeReader(workspace, query, raw, expression, tree);
    return made;
  };
  // Most searches for words never need it, and somebody waits for their first match.
  if (!(findable && literalsDecide)) reader();
  return new BlockSearch(workspace, {
    raw,
    reader,
    literals: findable ? new LiteralSearch(workspace.scanner, literals) : null,
    literalsDecide,
  });
}

function makeReader(
  workspace: Workspace,
  { pattern, levels }: SearchQuery,
  raw: boolean,
  expression: Expression,
  tree: ReturnType<typeof parseExpression>,
): LineReader {
  const { flags } = expression;
  const nfa = tree && buildNfa(tree, flags);
  const alphabet = nfa && alphabetOf(nfa, flags.includes('u'));
  const automaton = nfa && alphabet ? new Automaton(workspace.kernel, nfa, alphabet, raw) : null;
  const exact = levels === undefined && automaton !== null && nfa!.exact;
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
