/** Checks a tool's arguments. An error names the wrong argument in the client's words, and says what would be right. */
import * as z from 'zod';
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { isObject } from '../../shared/text/json-line.ts';
import { nearest } from '../../shared/text/nearest.ts';
import type { Host, RequestOptions } from '../host/host.ts';
import { maskedText } from './redaction.ts';

type Arguments = Record<string, unknown>;

/**
 * Throws `usage`. An argument of null or of an empty string counts as left out, because some models fill in every
 * argument there is. `relevant` may drop more arguments before they are checked.
 */
export function parseArguments<S extends z.ZodObject>(
  tool: string,
  schema: S,
  given: unknown,
  relevant: (present: Arguments) => Arguments = (present) => present,
): z.output<S> {
  if (given !== undefined && !isObject(given)) {
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
  const present = relevant(
    Object.fromEntries(filled.map(([name, value]) => [name, asMeant(schema, name, value)])),
  );
  const parsed = schema.safeParse(present);
  if (parsed.success) return parsed.data;
  throw badArgument(narrowest(parsed.error.issues), present);
}

function names(schema: z.ZodObject): string[] {
  return Object.keys(schema.shape);
}

function unknownArgument(tool: string, name: string, known: string[]): SpillwayError {
  const [near] = nearest(name, known, 1);
  return new SpillwayError(
    'usage',
    `${tool} has no argument ${quoted(name)}`,
    known.length === 0
      ? 'leave it out: it takes none'
      : `${near ? `did you mean \`${near}\`? ` : ''}It takes ${known.join(', ')}`,
  );
}

/** Models write numbers and switches as strings: "5000", "true". */
function asMeant(schema: z.ZodObject, name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  let type: unknown = schema.shape[name];
  while (type instanceof z.ZodOptional) type = type.unwrap();
  if (type instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(value.trim())) return Number(value);
  if (type instanceof z.ZodBoolean && /^(true|false)$/i.test(value.trim()))
    return value.trim().toLowerCase() === 'true';
  return value;
}

/** Returns the narrowest of the bounds that the first value crosses: a next try must keep to it. */
function narrowest([first, ...others]: z.core.$ZodIssue[]): z.core.$ZodIssue {
  const path = first!.path.join('.');
  return others.reduce((one, other) => {
    if (other.path.join('.') !== path) return one;
    if (one.code === 'too_big' && other.code === 'too_big') return other.maximum < one.maximum ? other : one;
    if (one.code === 'too_small' && other.code === 'too_small')
      return other.minimum > one.minimum ? other : one;
    return one;
  }, first!);
}

function badArgument(issue: z.core.$ZodIssue, given: Record<string, unknown>): SpillwayError {
  const name = issue.path.map(String).join('.');
  const value = issue.path.reduce<unknown>(
    (part, step) =>
      typeof part === 'object' && part !== null ? (part as Record<PropertyKey, unknown>)[step] : undefined,
    given,
  );
  if (issue.path.length > 1 && issue.code === 'invalid_type') {
    const wanted = WANTED[issue.expected] ?? issue.expected;
    return new SpillwayError('usage', `${name} must be ${wanted}`, `it is ${quoted(value)}`);
  }
  const problem = `\`${name}\` cannot be ${quoted(value)}`;
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    const [near] = typeof value === 'string' ? nearest(value, values, 1) : [];
    return new SpillwayError(
      'usage',
      problem,
      `${near ? `did you mean "${near}"? ` : ''}It is one of ${values.join(', ')}`,
    );
  }
  if (issue.code === 'too_small' && issue.origin === 'array')
    return new SpillwayError(
      'usage',
      `\`${name}\` is an empty list`,
      `give at least ${issue.minimum}, or leave it out`,
    );
  const characters = 'origin' in issue && issue.origin === 'string' ? ' characters' : '';
  if (issue.code === 'too_small')
    return new SpillwayError('usage', problem, `give at least ${issue.minimum}${characters}`);
  if (issue.code === 'too_big')
    return new SpillwayError('usage', problem, `give at most ${issue.maximum}${characters}`);
  if (issue.code === 'invalid_type') {
    return new SpillwayError('usage', problem, `give ${WANTED[issue.expected] ?? issue.expected}`);
  }
  return new SpillwayError('usage', problem, 'give a value of the type that the tool announces');
}

/** The kinds of values in plain words, by the validator's names. */
export const WANTED: Partial<Record<string, string>> = {
  int: 'a whole number',
  number: 'a whole number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  record: 'an object',
  object: 'an object',
};

const MOST_QUOTED_CHARS = 40;

/** Returns the given value, cut to 40 characters. Masked before: a part of a token is not known for one. */
function quoted(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'a list' : 'an object') : null;
  const json = text ?? maskedText(JSON.stringify(value) ?? 'nothing');
  return json.length > MOST_QUOTED_CHARS ? `${json.slice(0, MOST_QUOTED_CHARS)}…"` : json;
}

// One artifact by its id, as an agent may see it.

/** Throws `not_found`, which suggests the nearest ids. */
export async function artifactOf(host: Host, id: string, options: RequestOptions): Promise<Artifact> {
  const known = await host.artifact({ artifact_id: id }, options);
  if (known !== null) return known;
  // Says in the usual words that there is none, and which are near; or brings to light one that is new.
  await host.read({ artifact_id: id, limit: 1, as_text: true }, options);
  const found = await host.artifact({ artifact_id: id }, options);
  if (found !== null) return found;
  throw new SpillwayError('not_found', 'the output no longer exists', 'list_outputs shows those there are');
}

/** Waits for an artifact to change: its text, that of one of its streams, or what became of it. */
export class ArtifactWatch {
  readonly #unwatch: readonly (() => void)[];
  #changed = false;
  #wake: () => void = () => {};

  /** Watches `streams` in addition to the default one. */
  constructor(host: Host, artifactId: string, streams: readonly StreamName[] = []) {
    const changed = () => {
      this.#changed = true;
      this.#wake();
    };
    const refs = [{}, ...streams.map((stream) => ({ stream }))];
    this.#unwatch = refs.map((ref) =>
      host.watchDocument({ artifact_id: artifactId, ...ref }, changed, changed),
    );
  }

  /** Resolves at a change since the last one that was waited for, after `ms` at the latest. Rejects when aborted. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#changed) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        const aborted = () => reject(signal.reason);
        signal.addEventListener('abort', aborted, { once: true });
        this.#wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', aborted);
          resolve();
        };
        if (signal.aborted) reject(signal.reason);
      });
    }
    this.#changed = false;
  }

  stop(): void {
    for (const unwatch of this.#unwatch) unwatch();
  }
}
