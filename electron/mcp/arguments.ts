/** A tool's arguments as its schema has them, or a SpillwayError that says which one is wrong and what would be right. */
import type * as z from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import { nearest } from '../../shared/text/nearest.ts';

type Arguments = Record<string, unknown>;

/**
 * Throws `usage`. An argument of null, or of an empty string, counts as left out: some models fill in every argument
 * there is. `relevant` may leave out more of what was given, before it is looked at closely.
 */
export function parseArguments<S extends z.ZodObject>(
  tool: string,
  schema: S,
  given: unknown,
  relevant: (present: Arguments) => Arguments = (present) => present,
): z.output<S> {
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))) {
    throw new SpillwayError(
      'usage',
      `the arguments of ${tool} must be an object`,
      `give {${names(schema).join(', ')}}`,
    );
  }
  const filled = Object.entries(given ?? {}).filter(([, value]) => value !== null && value !== '');
  const known = names(schema);
  const unknown = Object.keys(given ?? {}).find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownArgument(tool, unknown, known);
  const present = relevant(Object.fromEntries(filled));
  const parsed = schema.safeParse(present);
  if (parsed.success) return parsed.data;
  throw badArgument(parsed.error.issues[0]!, present);
}

function names(schema: z.ZodObject): string[] {
  return Object.keys(schema.shape);
}

function unknownArgument(tool: string, name: string, known: string[]): SpillwayError {
  const [near] = nearest(name, known, 1);
  return new SpillwayError(
    'usage',
    `${tool} has no argument ${quoted(name)}`,
    `${near ? `did you mean \`${near}\`? ` : ''}It takes ${known.join(', ')}`,
  );
}

function badArgument(issue: z.core.$ZodIssue, given: Record<string, unknown>): SpillwayError {
  const name = String(issue.path[0] ?? '');
  const value = given[name];
  const said = `\`${name}\` cannot be ${quoted(value)}`;
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    const [near] = typeof value === 'string' ? nearest(value, values, 1) : [];
    return new SpillwayError(
      'usage',
      said,
      `${near ? `did you mean "${near}"? ` : ''}It is one of ${values.join(', ')}`,
    );
  }
  if (issue.code === 'too_small') return new SpillwayError('usage', said, `give at least ${issue.minimum}`);
  if (issue.code === 'too_big') return new SpillwayError('usage', said, `give at most ${issue.maximum}`);
  if (issue.code === 'invalid_type') {
    return new SpillwayError('usage', said, `give ${WANTED[issue.expected] ?? issue.expected}`);
  }
  return new SpillwayError('usage', said, issue.message);
}

const WANTED: Partial<Record<string, string>> = {
  int: 'a whole number',
  number: 'a whole number',
  string: 'a string',
  boolean: 'true or false',
};

/** As it was given, but never long: it is said back to a model. */
function quoted(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'a list' : 'an object') : null;
  const said = text ?? JSON.stringify(value) ?? 'nothing';
  return said.length > 80 ? `${said.slice(0, 80)}…` : said;
}
