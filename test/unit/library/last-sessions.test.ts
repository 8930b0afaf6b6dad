/** What of an agent's last session was recorded, by transcripts as each agent writes them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../../electron/agents/facts/calls.ts';
import { compared, LastSessions } from '../../../electron/host/library/last-sessions.ts';
import { lastSessionText, missingText } from '../../../shared/agents.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { AgentHome, PROJECT, SESSION, SLUG } from '../../fixtures/agents/homes.ts';
import { diskHere } from '../../fixtures/disk.ts';

/** When the session began; a command begins each ten seconds, and lasts four. */
const BEGAN = Date.parse('2026-01-13T10:30:00.000Z');
const at = (index: number, seconds = 0) => BEGAN + index * 10_000 + seconds * 1000;
const time = (index: number, seconds = 0) => new Date(at(index, seconds)).toISOString();

let agents: AgentHome;
let recorded: Artifact[];
beforeEach(() => {
  agents = new AgentHome();
  recorded = [];
  configure({});
});
afterEach(() => agents.remove());

function configure(settings: object) {
  const text = JSON.stringify({ retentionHours: 1_000_000, ...settings });
  writeFileSync(join(agents.folder, 'spillway', 'config.json'), text);
}

const lastOf = (client: string, connectedMs = BEGAN - 1) =>
  new LastSessions({
    ...{ home: join(agents.folder, 'spillway'), user: agents.user, disk: diskHere },
    captures: async () => recorded,
  }).of(client, connectedMs);

/** Records a command that an agent ran. */
function record(name: string, command: string, index: number, session: string = SESSION) {
  recorded.push({ command, started_at: time(index, 1), agent: { name, session } } as Artifact);
}

interface Given {
  command: string;
  exit?: number;
  /** It was refused, so it never ran. */
  refused?: boolean;
  /** It waits, or runs. */
  open?: boolean;
}

const claudeLines = (commands: readonly Given[], more: object = {}) =>
  commands.flatMap(({ command, exit = 0, refused, open }, index) => {
    const id = `toolu_${index}`;
    const content = refused ? 'Permission to use Bash has been denied.' : exit ? `Exit code ${exit}\n` : 'ok';
    const use = { type: 'tool_use', id, name: 'Bash', input: { command } };
    const result = { type: 'tool_result', tool_use_id: id, content, is_error: refused || exit > 0 };
    return [
      { cwd: PROJECT, timestamp: time(index), message: { role: 'assistant', content: [use] } },
      ...(open ? [] : [{ timestamp: time(index, 4), message: { role: 'user', content: [result] }, ...more }]),
    ];
  });

const WRITERS: Record<string, (commands: readonly Given[]) => void> = {
  'claude-code': (commands) =>
    agents.write(`home/.claude/projects/${SLUG}/${SESSION}.jsonl`, claudeLines(commands)),
  codex: (commands) =>
    agents.write(`home/.codex/sessions/2026/01/13/rollout-2026-01-13T10-30-00-${SESSION}.jsonl`, [
      {
        type: 'session_meta',
        payload: { session_id: SESSION, id: SESSION, timestamp: time(0), cwd: PROJECT },
      },
      ...commands.flatMap(({ command, exit = 0, refused, open }, index) => {
        const item = {
          ...{ type: 'CommandExecution', id: `call_${index}`, command: ['/bin/bash', '-lc', command] },
          ...{ source: 'unified_exec_startup', status: refused ? 'declined' : 'completed' },
          ...(refused ? {} : { exit_code: exit }),
        };
        const times = { started_at_ms: at(index), completed_at_ms: at(index, 4) };
        return open ? [] : [{ type: 'event_msg', payload: { type: 'item_completed', item, ...times } }];
      }),
    ]),
  gemini: (commands) =>
    agents.write('home/.gemini/tmp/acme/chats/session-2026-01-13T10-30-4842b901.jsonl', [
      { sessionId: SESSION, startTime: time(0), kind: 'main' },
      ...commands.flatMap(({ command, refused, open }, index) => {
        const call = {
          ...{ id: `call_${index}`, name: 'run_shell_command', args: { command } },
          ...{ status: refused ? 'error' : 'success', timestamp: time(index, 4), resultDisplay: 'ok' },
        };
        return open ? [] : [{ id: `m${index}`, timestamp: time(index), type: 'gemini', toolCalls: [call] }];
      }),
    ]),
  copilot: (commands) =>
    agents.write(`home/.copilot/session-state/${SESSION}/events.jsonl`, [
      { type: 'session.start', timestamp: time(0), data: { startTime: time(0), context: { cwd: PROJECT } } },
      ...commands.flatMap(({ command, exit = 0, refused, open }, index) => {
        const toolCallId = `call_${index}`;
        const start = { toolCallId, toolName: 'bash', arguments: { command } };
        const end = {
          toolCallId,
          success: !refused,
          ...(refused ? {} : { shellExecution: { exitCode: exit } }),
        };
        return [
          { type: 'tool.execution_start', timestamp: time(index), data: start },
          ...(open ? [] : [{ type: 'tool.execution_complete', timestamp: time(index, 4), data: end }]),
        ];
      }),
    ]),
};

describe.each(Object.keys(WRITERS))('%s', (client) => {
  /** As the recorder names a session of agents that give their commands no name for it. */
  const session = client === 'gemini' ? 'pid-77' : SESSION;
  const lay = WRITERS[client]!;

  it('has each command counted, and names those that were not recorded', async () => {
    lay([{ command: 'npm test', exit: 1 }, { command: 'npm test' }, { command: 'make' }, { command: 'ls' }]);
    record(client, 'npm test', 0, session);
    record(client, 'ls', 3, session);
    expect(await lastOf(client)).toEqual({
      ...{ commands: 4, recorded: 2 },
      missing: [
        { command: 'npm test', why: null },
        { command: 'make', why: null },
      ],
    });
  });

  it('has no command that was refused, or that waits, and each recorded one', async () => {
    lay([{ command: 'touch a', refused: true }, { command: 'make' }, { command: 'sleep 9', open: true }]);
    expect(await lastOf(client)).toEqual({
      ...{ commands: 1, recorded: 0 },
      missing: [{ command: 'make', why: null }],
    });
    record(client, 'make', 1, session);
    expect(await lastOf(client)).toEqual({ commands: 1, recorded: 1, missing: [] });
  });

  it('has no command from before it was connected, and says so of one after', async () => {
    lay([{ command: 'make' }, { command: 'ls' }]);
    expect(await lastOf(client, at(2))).toBeNull();
    expect(await lastOf(client, at(0, 5))).toEqual({
      ...{ commands: 1, recorded: 0 },
      missing: [{ command: 'ls', why: 'its session began before it was connected' }],
    });
  });

  it('is not credited with captures of others, of other times, or of another agent', async () => {
    lay([{ command: 'make' }]);
    record(client, 'make', 5, session);
    record('cursor', 'make', 0, session);
    if (client !== 'gemini') record(client, 'make', 0, 'another');
    expect(await lastOf(client)).toMatchObject({ commands: 1, recorded: 0 });
  });

  it('is counted where the command was recorded with what is around it', async () => {
    lay([{ command: 'make' }, { command: 'make all' }]);
    record(client, 'set -e; make all', 1, session);
    record(client, '{ make; }', 0, session);
    expect(await lastOf(client)).toMatchObject({ commands: 2, recorded: 2 });
  });

  it('says which settings left a command out', async () => {
    lay([{ command: 'secret 1' }]);
    configure({ recordExclude: ['(', '^secret'] });
    expect((await lastOf(client))?.missing).toEqual([
      { command: 'secret 1', why: 'recordExclude leaves it out' },
    ]);
  });
});

it('gives each capture to one of two commands that ran at the same time', () => {
  const call = { command: 'make', startedMs: at(0), endedMs: at(0, 4), exitCode: 0 } as Call;
  record('codex', 'make', 0);
  expect(compared([call, { ...call }], recorded, SESSION)).toEqual({ found: 1, missing: [call] });
});

describe('Claude Code', () => {
  it('counts commands of sub-agents, and none of a server', async () => {
    const lines = JSON.stringify(claudeLines([{ command: 'seq 9' }]));
    const ofServer = JSON.parse(lines.replace('"Bash"', '"mcp__spillway__run_command"')) as unknown[];
    agents.write(`home/.claude/projects/${SLUG}/${SESSION}.jsonl`, ofServer);
    expect(await lastOf('claude-code')).toBeNull();
    agents.write(
      `home/.claude/projects/${SLUG}/${SESSION}/subagents/agent-1.jsonl`,
      claudeLines([{ command: 'make' }]),
    );
    expect(await lastOf('claude-code')).toMatchObject({ commands: 1, missing: [{ command: 'make' }] });
  });

  it('says that a command ran in its sandbox', async () => {
    agents.write(
      `home/.claude/projects/${SLUG}/${SESSION}.jsonl`,
      claudeLines([{ command: 'make' }], { sandboxed: true }),
    );
    expect((await lastOf('claude-code'))?.missing).toEqual([{ command: 'make', why: 'it ran in a sandbox' }]);
  });

  it('names a folder that the settings leave out', async () => {
    agents.write(`home/.claude/projects/${SLUG}/${SESSION}.jsonl`, claudeLines([{ command: 'make' }]));
    configure({ recordExcludeFolders: ['/home/dev/'] });
    expect((await lastOf('claude-code'))?.missing[0]?.why).toBe('recordExcludeFolders leaves it out');
  });

  it('looks past a newer conversation without commands, and not at captures that are gone', async () => {
    const old = agents.write(
      `home/.claude/projects/${SLUG}/${SESSION}.jsonl`,
      claudeLines([{ command: 'make' }]),
    );
    agents.write(`home/.claude/projects/other/${SESSION.replace('4', '5')}.jsonl`, [{ type: 'user' }]);
    expect(readFileSync(old, 'utf8')).not.toBe('');
    expect(await lastOf('claude-code')).toMatchObject({ commands: 1 });
    configure({ retentionHours: 1 });
    expect(await lastOf('claude-code')).toBeNull();
  });
});

it('says that a command of Codex had a terminal', async () => {
  WRITERS.codex!([{ command: 'top -b' }]);
  const path = `home/.codex/sessions/2026/01/13/rollout-2026-01-13T10-30-00-${SESSION}.jsonl`;
  const lines = readFileSync(join(agents.folder, path), 'utf8');
  const call = { name: 'exec_command', call_id: 'call_0', arguments: '{"cmd":"top -b","tty":true}' };
  agents.write(path, `${JSON.stringify({ type: 'response_item', payload: call })}\n${lines}`);
  expect((await lastOf('codex'))?.missing).toEqual([{ command: 'top -b', why: 'it had a terminal' }]);
});

it('says that a read-only sandbox of Codex lets nothing be written', async () => {
  const path = `home/.codex/sessions/2026/01/13/rollout-2026-01-13T10-30-00-${SESSION}.jsonl`;
  const turn = (type: string) => ({ type: 'turn_context', payload: { sandbox_policy: { type } } });
  /** A command that the sandbox stopped has no item of its own. */
  const call = (index: number, command: string, output?: string) => {
    const id = { call_id: `call_${index}` };
    const given = { name: 'exec_command', arguments: JSON.stringify({ cmd: command }) };
    return [
      { timestamp: time(index), type: 'response_item', payload: { type: 'function_call', ...given, ...id } },
      ...(output === undefined
        ? []
        : [{ type: 'response_item', payload: { type: 'function_call_output', ...id, output } }]),
    ];
  };
  const exited = (status: number) =>
    `Chunk ID: 1a2\nWall time: 0.0 seconds\nProcess exited with code ${status}\nOutput:\n`;
  agents.write(path, [
    { type: 'session_meta', payload: { session_id: SESSION, timestamp: time(0), cwd: PROJECT } },
    turn('workspace-write'),
    ...call(0, 'make', exited(0)),
    turn('read-only'),
    ...call(1, 'ls', exited(0)),
    ...call(2, 'touch a', exited(1)),
    ...call(3, 'rm -rf a', 'exec_command failed: rejected'),
    ...call(4, 'sleep 99'),
  ]);
  record('codex', 'make', 0);
  const why = 'its sandbox lets nothing be written';
  const last = await lastOf('codex');
  expect(last).toEqual({
    ...{ commands: 3, recorded: 1 },
    missing: [
      { command: 'ls', why },
      { command: 'touch a', why },
    ],
  });
  expect(lastSessionText(last!)).toBe(
    `1 of 3 commands of its last session were recorded; the others: ${why}`,
  );
  expect(missingText(last!, 5)).toBeNull();
});

it('says that a command of Codex ran in another shell', async () => {
  WRITERS.codex!([{ command: 'ls' }]);
  const path = `home/.codex/sessions/2026/01/13/rollout-2026-01-13T10-30-00-${SESSION}.jsonl`;
  const lines = readFileSync(join(agents.folder, path), 'utf8');
  agents.write(path, lines.replace('/bin/bash', '/bin/zsh'));
  expect((await lastOf('codex'))?.missing).toEqual([{ command: 'ls', why: 'it ran in zsh, not in bash' }]);
});

it('names a command for each reason, those without one first', async () => {
  const commands = Array.from({ length: 9 }, (_, index) => ({ command: `secret ${index}` }));
  WRITERS.gemini!([...commands, { command: 'make' }]);
  configure({ recordExclude: ['^secret'] });
  const last = (await lastOf('gemini'))!;
  const { missing } = last;
  expect(missing.map(({ command }) => command)).toEqual([
    ...['make', 'secret 0', 'secret 1', 'secret 2', 'secret 3'],
  ]);
  expect(lastSessionText(last)).toBe('none of 10 commands of its last session were recorded');
  expect(missingText(last, 2)).toBe('`make`, `secret 0` (recordExclude leaves it out), …');
});

it('says that a command of Gemini CLI had a terminal', async () => {
  WRITERS.gemini!([{ command: 'make' }]);
  const path = 'home/.gemini/tmp/acme/chats/session-2026-01-13T10-30-4842b901.jsonl';
  const lines = readFileSync(join(agents.folder, path), 'utf8');
  agents.write(path, lines.replace('"resultDisplay":"ok"', '"resultDisplay":[[{"text":"ok"}]]'));
  expect((await lastOf('gemini'))?.missing).toEqual([{ command: 'make', why: 'it had a terminal' }]);
});

it('reads the database of opencode', async () => {
  const folder = join(agents.home, '.local/share/opencode');
  mkdirSync(folder, { recursive: true });
  const packed = new URL('../../fixtures/sqlite/store.db.gz', import.meta.url);
  writeFileSync(join(folder, 'opencode.db'), gunzipSync(readFileSync(packed)));
  for (let i = 0; i < 290; i += 1)
    recorded.push({
      ...{ command: `make ${i}`, started_at: new Date(1795337963000 + i).toISOString() },
      agent: { name: 'opencode', session: 'pid-9' },
    } as Artifact);
  const last = await lastOf('opencode', 0);
  // The last one runs still.
  expect(last).toMatchObject({ commands: 299, recorded: 290 });
  expect(last?.missing.map(({ command }) => command)).toEqual(
    [290, 291, 292, 293, 294].map((i) => `make ${i}`),
  );
});

it.each(['claude-code', 'codex', 'gemini', 'copilot', 'opencode', 'qwen', 'cursor', 'none'])(
  'says nothing of %s without a transcript, or with a broken one',
  async (client) => {
    expect(await lastOf(client)).toBeNull();
    const broken =
      '{"tool_use" "CommandExecution" "toolCalls" "session.start"\n\u0000[1, null, 7\n"toolCalls"\n{"toolCalls":[null,1,{"id":5}],"payload":7,"message":{"content":{"tool_use":1}},"type":"tool.execution_start"}\n';
    for (const path of [
      ...[
        `home/.claude/projects/${SLUG}/${SESSION}.jsonl`,
        'home/.codex/sessions/2026/01/13/rollout-1.jsonl',
      ],
      ...[
        'home/.gemini/tmp/acme/chats/session-1.jsonl',
        `home/.copilot/session-state/${SESSION}/events.jsonl`,
      ],
      ...['home/.local/share/opencode/opencode.db'],
    ])
      agents.write(path, broken);
    expect(await lastOf(client)).toBeNull();
  },
);
