/** Lists the agents. To add one: its name in shared/agent-names.ts, its file here, and its line below. */
import { AGENT_NAMES, agentName, isAgentId } from '../../shared/agent-names.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { nearest } from '../../shared/text/nearest.ts';
import type { Agent, AgentShell, ReplyHabits, ShellHabits, SourceKind } from './agent.ts';
import { amp } from './amp.ts';
import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import type { Client } from './client.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { kimi } from './kimi.ts';
import { kilo, opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';
import { roo } from './roo.ts';
import { vscode } from './vscode.ts';

const AGENTS: readonly Agent[] = [
  ...[claudeCode, codex, gemini, opencode, kilo, copilot, qwen, kimi, droid, pi],
  ...[cline, cursor, vscode, roo, goose, claudeDesktop, amp],
];

/** The kinds of sources of their captures. */
export const agentKinds: readonly SourceKind[] = AGENTS.flatMap(({ id, captures }) =>
  captures && isAgentId(id)
    ? [{ name: id, title: AGENT_NAMES[id].title, agent: id, isDirectory: true, ...captures }]
    : [],
);

/** The clients that Spillway can be connected to. */
export const CLIENTS: readonly Client[] = AGENTS.flatMap(({ id, client }) =>
  client ? [{ id, name: agentName(id).title, ...client }] : [],
);

/** The agents whose shell reads BASH_ENV, by id. */
export const SHELLS: ReadonlyMap<string, AgentShell> = new Map(
  AGENTS.flatMap(({ id, shell }) => (shell ? [[id, shell]] : [])),
);

/** Finds a client by its id, command or name, ignoring case. Throws `usage`, which names the nearest. */
export function clientNamed(word: string): Client {
  const plain = word.toLowerCase().replace(/[\s_]+/g, '-');
  const found = CLIENTS.find((client) =>
    [client.id, client.command, client.name.toLowerCase().replaceAll(' ', '-')].includes(plain),
  );
  if (found) return found;
  const ids = CLIENTS.map(({ id }) => id);
  const [near] = nearest(plain, ids, 1);
  throw new SpillwayError(
    'usage',
    `there is no client ${JSON.stringify(word)}`,
    `${near ? `did you mean ${near}? The` : 'the'} clients are ${ids.join(', ')}`,
  );
}

/** Returns what the shell tool of the agent with this id passes on; null if that was not measured. */
export function shellHabitsOf(agent: string): ShellHabits | null {
  return AGENTS.find(({ id }) => id === agent)?.passes ?? null;
}

/** Returns what the client of that name passes on to its model; null for one that is not known. */
export function habitsOf(client: string | null): Omit<ReplyHabits, 'client'> | null {
  return agentNamed(client)?.replies ?? null;
}

/** Returns the agent that connects to MCP servers by that name. */
export function agentNamed(client: string | null): Agent | null {
  return AGENTS.find(({ replies }) => client !== null && replies?.client.test(client)) ?? null;
}
