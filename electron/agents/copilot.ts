/**
 * Copilot CLI. Long output is written to the temporary folder when the command ends, and deleted with the session. What
 * runs detached has its exit status in a file beside it. Commands stand in the session's events.
 */

import { join } from 'node:path';
import { quoted } from '../../shared/text/escape.ts';
import { type Agent, onPaths } from './agent.ts';
import { bashEntryPath, type Machine, plainServer, SERVER_NAME, serversAt } from './client.ts';
import {
  type Calls,
  type Conversation,
  described,
  field,
  MAX_CONVERSATIONS,
  text,
  timeMs,
} from './facts/calls.ts';
import { type AgentFile, type FileDescription, outcome } from './facts/described.ts';
import { type CallReader, type FactFiles, processExists } from './facts/fact-files.ts';
import { jsonFormat } from './formats/json.ts';

const strict = jsonFormat({ comments: false, trailingCommas: false });
/** Sessions whose events are searched for a command. */
const MAX_SESSIONS = 6;
/** A detached shell's file is made so long after its command was asked for, at most. */
const DETACH_MS = 10_000;
const DETACHED = /^copilot-detached-(.+)-(\d{13})-[0-9a-f-]{36}\.log$/;

export const copilot: Agent = {
  id: 'copilot',
  captures: {
    locate: ({ temporary }) => [temporary],
    includes: onPaths(
      [/^\d+-copilot-tool-output-\d+-[0-9a-f-]+\.txt$/],
      [/^copilot-tool-output-.+\.txt$/],
      [/^copilot-detached-.+\.log$/],
    ),
    describe: ({ names }) => (names.at(-1)!.startsWith('copilot-detached-') ? {} : { truncated: false }),
    detail,
    conversations,
  },
  client: {
    // Servers in a file of their own. A setting makes its shell read BASH_ENV from the environment that Copilot was started in.
    command: 'copilot',
    traces: (machine) => [ownFolder(machine)],
    files: (machine, wanted) => [
      {
        path: join(ownFolder(machine), 'mcp-config.json'),
        format: strict,
        settings: [
          {
            path: ['mcpServers', SERVER_NAME],
            value: { type: 'local', ...plainServer(wanted), tools: ['*'] },
          },
        ],
        servers: serversAt('mcpServers'),
      },
      {
        path: join(ownFolder(machine), 'settings.json'),
        format: jsonFormat({ comments: true, trailingCommas: false }),
        settings: wanted.record === null ? [] : [{ path: ['bashEnv'], value: true }],
      },
    ],
    recording: {
      way: { bashEnv: 'copilot' },
      limit: (home) =>
        `only when it is started with SHLVL=2 BASH_ENV=${quoted(bashEntryPath(home, 'copilot'))} copilot`,
    },
  },
  shell: { marker: 'COPILOT_AGENT_SESSION_ID', hasOptions: true },
  passes: { whole: 20_400, head: 500, tail: 0 },
  replies: { client: /copilot/i, mostBytes: 20_480, shows: 'both' },
};

async function* conversations(facts: FactFiles): AsyncIterable<Conversation> {
  const root = sessionsFolder(facts);
  for (const session of (await newestSessions(root, facts)).slice(0, MAX_CONVERSATIONS)) {
    const calls = await facts.calls(join(root, session, 'events.jsonl'), reader);
    if (calls) yield { session, startedMs: calls.startedMs, calls: calls.all };
  }
}

async function detail({ path, names }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  const name = names.at(-1)!;
  const reported = await fromEvents(name, facts);
  if (!name.startsWith('copilot-detached-')) return reported;
  const beside = path.replace(/\.log$/, '');
  const exit = (await facts.text(`${beside}.exit`, 100))?.trim();
  const pid = Number(await facts.text(`${beside}.pid`, 100));
  const own = pid > 0 ? { ...reported, pid } : reported;
  if (exit !== undefined && /^-?\d+$/.test(exit)) return { ...own, ...outcome(Number(exit)) };
  // It is written at the end, and may be half-written.
  if (exit !== undefined) return { ...own, status: 'finished' };
  return pid > 0 ? { ...own, status: processExists(pid) ? 'running' : 'interrupted' } : own;
}

function sessionsFolder({ user: { env, home } }: FactFiles): string {
  return join(env.COPILOT_HOME ?? join(home, '.copilot'), 'session-state');
}

async function fromEvents(name: string, facts: FactFiles): Promise<FileDescription> {
  const root = sessionsFolder(facts);
  for (const session of await newestSessions(root, facts)) {
    const calls = await facts.calls(join(root, session, 'events.jsonl'), reader);
    const call = calls?.of(name) ?? (calls ? detachedCall(name, calls) : undefined);
    if (!call) continue;
    const cwd = call.cwd ?? calls?.cwd ?? (await workspaceOf(join(root, session), facts));
    return { ...described(call), session, ...(cwd ? { cwd, project: cwd } : {}) };
  }
  return {};
}

/** The events name no file of a detached shell: it was made right after its command was asked for. */
function detachedCall(name: string, calls: Calls) {
  const made = DETACHED.exec(name);
  const call = made ? calls.of(`shell ${made[1]}`) : undefined;
  const late = Number(made?.[2]) - (call?.startedMs ?? 0);
  return late > -1000 && late < DETACH_MS ? call : undefined;
}

async function newestSessions(root: string, facts: FactFiles): Promise<string[]> {
  const found = await Promise.all(
    (await facts.names(root)).map(async (name) => {
      return { name, at: (await facts.writtenAt(join(root, name, 'events.jsonl'))) ?? 0 };
    }),
  );
  return found
    .filter(({ at }) => at > 0)
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_SESSIONS)
    .map(({ name }) => name);
}

async function workspaceOf(folder: string, facts: FactFiles): Promise<string | null> {
  return /^cwd: (.+)$/m.exec((await facts.text(join(folder, 'workspace.yaml'))) ?? '')?.[1]?.trim() ?? null;
}

const reader: CallReader = {
  marks: ['"session.start"', '"tool.execution_start"', '"tool.execution_complete"'],
  take(value, calls) {
    const data = field(value, 'data');
    calls.cwd = text(field(data, 'context', 'cwd')) ?? calls.cwd;
    calls.startedMs ??= timeMs(field(data, 'startTime'));
    const id = text(field(data, 'toolCallId'));
    if (id === null) return;
    const at = timeMs(field(value, 'timestamp'));
    if (field(value, 'type') === 'tool.execution_start') {
      const asked = field(data, 'arguments');
      const command = text(field(asked, 'command')) ?? searchCommand(data, asked);
      const isShell = field(data, 'toolName') === 'bash';
      calls.note(id, { command, startedMs: at, cwd: calls.cwd, isShell });
      return;
    }
    const content = text(field(data, 'result', 'content')) ?? '';
    const exit = field(data, 'shellExecution', 'exitCode');
    const saved =
      text(field(data, 'toolTelemetry', 'restrictedProperties', 'large_output_file')) ??
      /Saved to: (.+)/.exec(content)?.[1];
    if (saved) calls.attach(saved.replace(/^.*[\\/]/, ''), id);
    const shell = /detached background with shellId: (.+?)>/.exec(content)?.[1];
    if (shell === undefined)
      calls.note(id, { endedMs: at, exitCode: typeof exit === 'number' ? exit : null });
    else calls.attach(`shell ${shell}`, id);
  },
};

function searchCommand(data: unknown, asked: unknown): string | null {
  const [tool, pattern] = [text(field(data, 'toolName')), text(field(asked, 'pattern'))];
  return tool === null || pattern === null ? null : `${tool} ${pattern}`;
}

function ownFolder({ folder, env }: Machine): string {
  return env.COPILOT_HOME || join(folder, '.copilot');
}
