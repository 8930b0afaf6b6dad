/** Describes the agents that Spillway can be connected to, and what connecting one changes. */
import * as z from 'zod';
import { escapeLine } from './text/escape.ts';

/**
 * How an agent's commands are recorded. With `preview`, the agent gets an excerpt of long output. With `redact`, secrets
 * are masked before it sees them.
 */
export const RecordMode = z.enum(['record', 'preview', 'redact']);
export type RecordMode = z.infer<typeof RecordMode>;

/** What was recorded of an agent's last session, by the agent's own transcript. */
export const LastSession = z.object({
  /** Commands that its shell tool ran. */
  commands: z.number(),
  recorded: z.number(),
  /** Some that were not recorded, and why if that is known: at least one for each reason, unknown ones first. */
  missing: z.array(z.object({ command: z.string(), why: z.string().nullable() })),
});
export type LastSession = z.infer<typeof LastSession>;

export const ClientState = z.object({
  client: z.string(),
  name: z.string(),
  installed: z.boolean(),
  /** `outdated`: Spillway is configured there, but differently from what `connect` would write now. */
  state: z.enum(['connected', 'outdated', 'not connected']),
  record: RecordMode.nullable(),
  /** Why its commands can't be recorded; null if they can. */
  not_recordable: z.string().nullable(),
  /** Which of its commands are recorded, if not all are; null unless they are recorded. */
  record_limit: z.string().nullable(),
  /** When it was last connected, in milliseconds since 1970; null if it is not. */
  connected_ms: z.number().nullable(),
  /** Null unless its commands are recorded and its transcript tells of some. */
  last_session: LastSession.nullable(),
  /** Another home of Spillway that it is connected to; null if there is none. */
  other_home: z.string().nullable(),
  /** MCP servers of its own that it starts as commands, and whether each is behind the proxy. */
  servers: z.array(z.object({ name: z.string(), proxied: z.boolean() })),
});
export type ClientState = z.infer<typeof ClientState>;

export const Handshake = z.object({
  ok: z.boolean(),
  /** Time from start to answer, in milliseconds. */
  duration_ms: z.number(),
  /** The reason it failed; null if it succeeded. */
  problem: z.string().nullable(),
});
export type Handshake = z.infer<typeof Handshake>;

export const ConnectResult = z.object({
  client: z.string(),
  name: z.string(),
  /** Changed files; not written yet if only a preview was asked for. */
  changes: z.array(
    z.object({ path: z.string(), made: z.boolean(), removed: z.boolean(), lines: z.array(z.string()) }),
  ),
  /** Why the changed settings are as they are: one line for each kind whose purpose a person could not guess. */
  reasons: z.array(z.string()),
  /** Identifies these changes. */
  change_id: z.string(),
  applied: z.boolean(),
  record: RecordMode.nullable(),
  /** How its commands were recorded before the change. */
  record_before: RecordMode.nullable(),
  notes: z.array(z.string()),
  /** Servers of its own behind the proxy. */
  proxied: z.array(z.string()),
  /** Null unless a client was connected. */
  handshake: Handshake.nullable(),
});
export type ConnectResult = z.infer<typeof ConnectResult>;

/** A person's choice for one client in the window. */
export const ClientChange = z.discriminatedUnion('action', [
  z.strictObject({
    ...{ action: z.literal('connect'), client: z.string(), record: RecordMode.nullable() },
    proxied: z.array(z.string()),
    /** The `change_id` that the person has seen; null only shows the change. */
    agreed: z.string().nullable(),
  }),
  z.strictObject({ action: z.literal('remove'), client: z.string(), agreed: z.string().nullable() }),
]);
export type ClientChange = z.infer<typeof ClientChange>;

/** Says how much of an agent's last session was recorded, and why the others were not, if that is one reason. */
export function lastSessionText(last: LastSession): string {
  const { commands, recorded } = last;
  if (commands === 1)
    return `the one command of its last session was ${recorded === 1 ? '' : 'not '}recorded`;
  const count =
    recorded === commands ? `all ${commands}` : `${recorded === 0 ? 'none' : recorded} of ${commands}`;
  const why = oneReason(last);
  return `${count} commands of its last session were recorded${why === null ? '' : recorded === 0 ? `: ${why}` : `; the others: ${why}`}`;
}

/** Names commands that were not recorded, and why; null if there are none, or `lastSessionText` says it. */
export function missingText(last: LastSession, most: number): string | null {
  const { missing, commands, recorded } = last;
  if (missing.length === 0 || oneReason(last) !== null) return null;
  const named = missing
    .slice(0, most)
    .map(({ command, why }) => `\`${escapeLine(command)}\`${why === null ? '' : ` (${why})`}`);
  return `${named.join(', ')}${commands - recorded > named.length ? ', …' : ''}`;
}

function oneReason({ missing }: LastSession): string | null {
  const [first, second] = missing;
  return second && missing.every(({ why }) => why === first!.why) ? first!.why : null;
}

/**
 * Declares the journal of agents' MCP calls that each serving process writes to the home's `run` directory. Times are
 * ISO 8601 in UTC.
 */
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
