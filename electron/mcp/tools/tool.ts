/** A tool: its announcement, and its call with arguments that are not yet checked. */

import type { CallToolResult, Tool as Definition } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { RequestOptions } from '../../host/host.ts';
import type { ReplyBudget } from '../budget.ts';

export interface Tool {
  readonly definition: Definition;
  /** Throws a SpillwayError meant for the agent; anything else that is thrown is a defect. */
  call(args: unknown, options: CallOptions): Promise<CallToolResult>;
}

export interface CallOptions extends RequestOptions {
  readonly access: 'agent';
  readonly signal: AbortSignal;
  /** The name the client gives itself; null where it gives none. */
  readonly client: { name: string; version: string } | null;
  readonly budget: ReplyBudget;
  /** Reports progress; does nothing where the client asked for none. */
  report(progress: Progress): void;
}

export interface Progress {
  /** Rises with every report. */
  progress: number;
  total?: number;
  message?: string;
}

/** Annotations of tools that change nothing. What equals the protocol's default is left out, as it costs tokens. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  openWorldHint: false,
} as const;

interface ToolFacts {
  name: string;
  title: string;
  /** Says in its first sentence when to use the tool, then what the reply holds. Is understood without other text. */
  description: string;
  input: z.ZodObject;
  annotations: NonNullable<Definition['annotations']>;
  /** Words to find it by beside its own, for clients that load tools when they need them. */
  search?: string;
  /** Such clients load it at once. */
  alwaysLoad?: boolean;
}

/**
 * A tool as `tools/list` shows it. Output schemas are left out: they would cost tokens in every model that lists the
 * tools.
 */
export function definition(facts: ToolFacts): Definition {
  const { input, search, annotations, alwaysLoad = false, ...rest } = facts;
  return {
    ...rest,
    annotations: { title: facts.title, ...annotations },
    inputSchema: jsonSchema(input),
    ...(search !== undefined || alwaysLoad ? { _meta: metaOf(search, alwaysLoad) } : {}),
  };
}

function metaOf(search: string | undefined, alwaysLoad: boolean) {
  return {
    ...(search === undefined ? {} : { 'anthropic/searchHint': search }),
    ...(alwaysLoad ? { 'anthropic/alwaysLoad': true } : {}),
  };
}

/** A schema as MCP announces it; made once, as a server is made for every connection. */
function jsonSchema(schema: z.ZodObject): Definition['inputSchema'] {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const { $schema: _, ...fresh } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema: part }) => dropFarBounds(part),
  });
  splitTypes(fresh);
  made.set(schema, fresh as Definition['inputSchema']);
  return fresh as Definition['inputSchema'];
}

const made = new WeakMap<z.ZodObject, Definition['inputSchema']>();

/** Models are not told of bounds this large; an error names them when they are crossed. */
const LARGE_BOUND = 10_000;

/** Drops bounds that no model would exceed. They would cost tokens for every client that lists the tools. */
function dropFarBounds(part: Bounds): void {
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
  if (part.maximum !== undefined && part.maximum >= LARGE_BOUND) delete part.maximum;
  for (const name of ['minLength', 'maxLength', 'maxItems', 'propertyNames'] as const) delete part[name];
}

interface Bounds {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  propertyNames?: unknown;
}

/** Writes a list of types as `anyOf`. Some clients need one word as `type` and would refuse the tool. */
function splitTypes(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const value of Object.values(part)) splitTypes(value);
  const { type: types, description, default: usual, ...limits } = part as Record<string, unknown>;
  if (!Array.isArray(types)) return;
  for (const key of Object.keys(part)) Reflect.deleteProperty(part, key);
  const anyOf = types.map((type) => (type === 'null' ? { type } : { type, ...limits }));
  Object.assign(
    part,
    description === undefined ? {} : { description },
    usual === undefined ? {} : { default: usual },
    {
      anyOf,
    },
  );
}
