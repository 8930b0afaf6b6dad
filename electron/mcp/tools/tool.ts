/** What a tool is here: how it is announced, and what it does with arguments that are not checked yet. */
import type { CallToolResult, Tool as Definition } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { RequestOptions } from '../../host/host.ts';

export interface Tool {
  readonly definition: Definition;
  /** Throws a SpillwayError meant for the agent; anything else that is thrown is a defect. */
  call(args: unknown, options: CallOptions): Promise<CallToolResult>;
}

export interface CallOptions extends RequestOptions {
  readonly access: 'agent';
  readonly signal: AbortSignal;
  /** As the client calls itself; null where it does not say. */
  readonly client: { name: string; version: string } | null;
  /** Says how far it is; nothing happens where the client asked for no progress. */
  report(progress: Progress): void;
}

export interface Progress {
  /** Rises with every report. */
  progress: number;
  total?: number;
  message?: string;
}

/** Annotations of tools that change nothing. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** A schema as MCP announces it; made once, as a server is made for every connection. */
export function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Definition['inputSchema'] {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const fresh = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: part }) => dropSafeIntegerBounds(part),
  }) as Definition['inputSchema'];
  splitTypes(fresh);
  made.set(schema, fresh);
  return fresh;
}

const made = new WeakMap<z.ZodObject, Definition['inputSchema']>();

/** "A whole number" comes out bounded by ±2^53, which only costs the reader. */
function dropSafeIntegerBounds(part: { minimum?: number; maximum?: number }): void {
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
  if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
}

/** Some clients map schemas to a form in which `type` is one word: they would refuse the tool. */
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

/** A reply that carries facts: for clients that read `structuredContent`, and the same for those that read text. */
export function facts(value: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
  };
}

/**
 * A reply that carries output: what is known of it in one line of JSON, then the text alone, or its parts. Clients that get
 * `structuredContent` drop the text, so there is none.
 */
export function output(head: object, ...texts: string[]): CallToolResult {
  return { content: [JSON.stringify(head), ...texts].map((text) => ({ type: 'text', text })) };
}
