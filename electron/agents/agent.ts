/** Declares what is known of an agent. Each has a file beside this one, and a line in agents.ts. */
import type { Captures } from './captures.ts';
import type { AgentClient } from './client.ts';
import type { AgentShell } from './shell.ts';

export interface Agent {
  /** Its name and mark are in shared/agents/agent-names.ts, for the window. */
  readonly id: string;
  /** Output that it keeps in files of its own. */
  readonly captures?: Captures;
  /** Its configuration, where Spillway can be its MCP server. */
  readonly client?: AgentClient;
  /** How it starts a shell that reads BASH_ENV. */
  readonly shell?: AgentShell;
  readonly replies?: ReplyHabits;
}

/** What it passes on to its model of a reply, as measured with the real one in November 2026. */
export interface ReplyHabits {
  /** In the name that it gives itself as a client. */
  readonly client: RegExp;
  /** It cuts a reply that has more bytes. A client that counts characters cuts later. */
  readonly mostBytes: number;
  /** The same where less is passed on at times; by default `mostBytes`. */
  readonly usualBytes?: number;
  /** The form that it shows of a result that has both, text and structured content. It shows the other if that one is empty. */
  readonly shows?: 'text' | 'structured' | 'both';
  /** The same for a result that is an error. */
  readonly showsOfError?: 'text' | 'structured' | 'both';
}
