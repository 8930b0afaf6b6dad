/** What a tool is here: how it is announced, and what it does with arguments that are not checked yet. */
import type { CallToolResult, Tool as Definition } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { RequestOptions } from '../../host/host.ts';

export interface Tool {
  readonly definition: Definition;
  /** Throws a SpillwayError meant for the agent; anything else that is thrown is a defect. */
  call(args: unknown, options: RequestOptions): Promise<CallToolResult>;
}

/** A schema as MCP announces it. */
export function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Definition['inputSchema'] {
  const made = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: part }) => dropSafeIntegerBounds(part),
  });
  return made as Definition['inputSchema'];
}

/** "A whole number" comes out bounded by ±2^53, which only costs the reader. */
function dropSafeIntegerBounds(part: { minimum?: number; maximum?: number }): void {
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
  if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
}

/** A reply that carries facts: for clients that read `structuredContent`, and the same for those that read text. */
export function facts(value: object): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value as Record<string, unknown>,
  };
}

/**
 * A reply that carries output: what is known of it in one line of JSON, then the text alone. Clients that get
 * `structuredContent` drop the text, so there is none.
 */
export function output(head: object, text: string): CallToolResult {
  return {
    content: [
      { type: 'text', text: JSON.stringify(head) },
      { type: 'text', text },
    ],
  };
}
