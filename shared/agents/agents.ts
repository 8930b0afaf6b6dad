/**
 * Declares the journal of agents' MCP calls that each serving process writes to the home's `run` directory. Times are
 * ISO 8601 in UTC.
 */
import * as z from 'zod';

export const AgentCall = z.object({
  at: z.string(),
  tool: z.string(),
  /** The request in one line: a command, a pattern, a range. Never values of variables. */
  what: z.string(),
  /** The output that it read or made. */
  artifact_id: z.string().nullable(),
  /** Null while it runs. */
  ok: z.boolean().nullable(),
  /** Milliseconds; null while it runs. */
  duration_ms: z.number().nullable(),
});
export type AgentCall = z.infer<typeof AgentCall>;

export const AgentRecord = z.object({
  /** Unique in its process. */
  id: z.number().int().min(1),
  transport: z.enum(['socket', 'stdio', 'http']),
  /** The client's own name and version; null until it sends them. */
  client: z.object({ name: z.string(), version: z.string() }).nullable(),
  session: z.string(),
  connected_at: z.string(),
  /** Null while it is connected. */
  left_at: z.string().nullable(),
  call_count: z.number().int().min(0),
  /** The last calls, newest last. */
  calls: z.array(AgentCall),
});
export type AgentRecord = z.infer<typeof AgentRecord>;
