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
import { BlockSearch } from '../block-search.ts';
import { AutomatonJudge, judgeByExpression, judgeByLevel } from '../lines/line-judge.ts';
import { byteLiteral } from '../literals/byte-literal.ts';
import { LiteralSearch } from '../literals/literal-search.ts';
import { requiredLiterals } from '../literals/literals.ts';
import { MAX_LITERAL_BYTES } from '../memory.ts';
import { roomOf } from '../scanner/several.ts';
import type { Workspace } from '../workspace.ts';
import { parseExpression } from './parse.ts';
import { compiled, expressionOf } from './query.ts';

/** Compiles a query. Throws `usage` for an invalid pattern. Ignores `invert`. With `raw`, the bytes are the text. */
export function compileMatcher(workspace: Workspace, query: SearchQuery, raw: boolean): BlockSearch {
  const expression = expressionOf(query);
  const { source, flags } = expression;
  const tree = parseExpression(expression);
  const nfa = tree && buildNfa(tree, flags);
  const alphabet = nfa && alphabetOf(nfa, flags.includes('u'));
  const automaton = nfa && alphabet ? new Automaton(workspace.kernel, nfa, alphabet, raw) : null;
  const { levels } = query;
  const exact = levels === undefined && (nfa?.exact ?? false);
  const judge = levels
    ? judgeByLevel(levels, query.pattern === '' ? null : compiled(source, flags))
    : exact && automaton
      ? new AutomatonJudge(workspace.rendered, automaton, new Simulation(nfa!, alphabet!))
      : judgeByExpression(compiled(source, flags));
  const required = tree && requiredLiterals(tree, flags);
  const literals = required?.texts.map((text) => byteLiteral(text, flags.includes('i'))) ?? [];
  const findable = literals.length > 0 && roomOf(literals) <= MAX_LITERAL_BYTES;
  return new BlockSearch(workspace, {
    raw,
    automaton,
    exact: exact && automaton !== null,
    judge,
    literals: findable ? new LiteralSearch(workspace.scanner, literals) : null,
    literalsDecide: levels === undefined && (required?.exact ?? false),
  });
}
