/** Agents' directories, laid out as each agent writes them. */
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentKinds } from '../../../electron/agents/agents.ts';
import { foldersOf } from '../../../electron/host/library/agent-sources.ts';
import { Library } from '../../../electron/library/library.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { AgentHome, type Layout, PROJECT, SESSION } from '../../fixtures/agents/homes.ts';
import { LAYOUTS } from '../../fixtures/agents/layouts.ts';
import { poolHere } from '../../fixtures/disk.ts';

let agents: AgentHome;
let library: Library;
beforeEach(() => {
  agents = new AgentHome();
  library = new Library({
    home: join(agents.folder, 'spillway'),
    watch: false,
    user: agents.user,
    pool: poolHere,
  });
});
afterEach(() => {
  library.close();
  agents.remove();
});

/** Lists every agent's captures; resolves with them by path below the folder. */
async function found(): Promise<Map<string, Artifact>> {
  for (const kind of agentKinds)
    for (const path of await foldersOf(kind, agents.user, library.disk))
      await library.addSource({ path, kind, readableOverMcp: false });
  await library.settled(20_000);
  return new Map(
    library.catalogue
      .all()
      .map((artifact) => [relative(agents.folder, artifact.streams[0]!.file_path!), artifact]),
  );
}

/** Returns the only artifact whose path has this end. */
function ending(artifacts: Map<string, Artifact>, end: string): Artifact {
  const [artifact] = [...artifacts].filter(([path]) => path.endsWith(end)).map(([, one]) => one);
  return artifact!;
}

describe('a home with the captures of every agent', () => {
  it('lists each capture once, with its agent, and nothing else', async () => {
    const expected = Object.values(LAYOUTS).flatMap((layout) => agents.lay(layout));
    const artifacts = await found();
    expect([...artifacts.keys()].sort()).toEqual(
      expected.map((path) => relative(agents.folder, path)).sort(),
    );
    for (const [name, { captures }] of Object.entries(LAYOUTS))
      for (const path of Object.keys(captures))
        expect(artifacts.get(path), path).toMatchObject({ source: name, agent: { name } });
  });

  it('has a layout for each kind of source', () => {
    expect(Object.keys(LAYOUTS).sort()).toEqual(agentKinds.map(({ name }) => name).sort());
  });

  it('stays unchanged: no file or folder is added, removed or modified', async () => {
    for (const layout of Object.values(LAYOUTS)) agents.lay(layout);
    const before = states(agents.folder);
    await found();
    expect(states(agents.folder)).toEqual(before);
  });
});

describe('a capture tells its command, folder, times and end', () => {
  it.each([
    ['b92wlmxk1.output', { command: 'npm run slow', status: 'failed', exit_code: 4, cwd: PROJECT }],
    ['bt8t66rj9.output', { status: 'cancelled' }],
    ['bjmnhg7o0.txt', { command: 'seq 1 2000', status: 'succeeded', exit_code: 0, duration_ms: 1000 }],
    ['61b896f85476.jsonl', { label: 'Codex session, 1 command', cwd: PROJECT }],
    ['__c4vs.txt', { command: 'seq 1 3000; exit 3', status: 'failed', exit_code: 3, cwd: PROJECT }],
    ['background-999999.log', { command: 'tick', status: 'finished', cwd: PROJECT }],
    ['db39c8db5477.txt', { command: 'seq 1 3000; exit 3', exit_code: 3, duration_ms: 1000, cwd: PROJECT }],
    ['8dcaa3366e73.log', { command: 'serve', exit_code: 7, status: 'failed' }],
    ['0123456789ab.output', { command: 'npm test', exit_code: 2, cwd: PROJECT }],
    ['shell-bg_0a1b2c3d.output', { command: 'npm start', exit_code: 0, cwd: PROJECT }],
    [
      'bash-h2k6b160/output.log',
      { command: 'seq 1 2000; exit 3', exit_code: 3, duration_ms: 1029, cwd: PROJECT },
    ],
    ['pi-bash-7d920db01e6fb6fe.log', { command: 'seq 1 2000; exit 3', exit_code: 3, cwd: PROJECT }],
    ['-a1b2c3d.log', { command: 'npm test', exit_code: 1, status: 'failed' }],
    ['-k3k3k3k.log', { command: 'yes', status: 'interrupted' }],
    ['863581.txt', { command: 'npm "test"', exit_code: 1, duration_ms: 13843, cwd: PROJECT }],
    ['91720956c3.txt', { label: 'Tool output', agent: expect.objectContaining({ project: PROJECT }) }],
    ['.tmpA1b2C3', { label: 'Long output' }],
    ['cmd-1763632801457.txt', { started_at: '2025-11-20T10:00:01.457Z' }],
  ])('%s', async (end, told) => {
    for (const layout of Object.values(LAYOUTS)) agents.lay(layout);
    expect(ending(await found(), end)).toMatchObject(told);
  });

  const uuid = '0541ebd8-1130-4381-a919-00085e849f41';
  const hash = '7'.repeat(64);
  const gemini = `home/.gemini/tmp/acme-api/tool-outputs/session-${uuid}/run_shell_command__c1.txt`;
  it.each<[what: string, files: Layout['captures'], path: string, told: object]>([
    [
      'Gemini CLI: an old footer names no signal',
      { [gemini]: '<untrusted_context>\nOutput: a\nSignal: (none)\n</untrusted_context>' },
      gemini,
      { status: 'succeeded', exit_code: 0, agent: { truncated: false } },
    ],
    [
      'Gemini CLI: the list of projects tells the folder',
      {
        [gemini]: 'text\n',
        'home/.gemini/projects.json': JSON.stringify({ projects: { [PROJECT]: 'acme-api' } }),
      },
      gemini,
      { cwd: PROJECT },
    ],
    [
      'Qwen Code: a signal ended the command',
      {
        [`home/.qwen/tmp/${hash}/run_shell_command_0123456789ab.output`]: `Command: sleep 9\nDirectory: ${PROJECT}\nOutput: a\nError: (none)\nExit Code: (none)\nSignal: 15\n`,
      },
      '0123456789ab.output',
      { command: 'sleep 9', status: 'cancelled', exit_code: null },
    ],
    [
      'Copilot CLI: a detached command whose exit status is half-written has ended',
      {
        [`tmp/copilot-detached-1-1795336625077-${uuid}.log`]: 'a\n',
        [`tmp/copilot-detached-1-1795336625077-${uuid}.exit`]: '',
        [`tmp/copilot-detached-1-1795336625077-${uuid}.pid`]: '999999',
      },
      '.log',
      { status: 'finished', exit_code: null, agent: { pid: 999999 } },
    ],
    [
      'Droid: a background process, found by the name of its output',
      {
        'tmp/droid-bg-1795336889565.out': 'a\n',
        'home/.factory/background-processes.json': JSON.stringify([
          {
            pid: process.pid,
            command: 'npm start',
            cwd: PROJECT,
            outputFile: '/private/tmp/droid-bg-1795336889565.out',
          },
        ]),
      },
      '.out',
      { command: 'npm start', cwd: PROJECT, status: 'running', started_at: '2026-11-22T08:41:29.565Z' },
    ],
    [
      'Droid: a background process of a session that ended, which emptied its list',
      {
        'tmp/droid-bg-1795336889565.out': 'a\n',
        'home/.factory/background-processes.json': '{"processes": []}',
        'home/.factory/sessions/-home-dev-work-acme-api/0db21eda-b0a0-4eb7-bc74-cf76b05c2b95.jsonl': [
          { type: 'session_start', cwd: PROJECT },
          {
            type: 'message',
            timestamp: '2026-11-22T08:41:29.500Z',
            message: {
              role: 'assistant',
              content: [{ type: 'tool_use', id: 'c1', name: 'Execute', input: { command: 'npm start' } }],
            },
          },
          {
            type: 'message',
            message: {
              role: 'user',
              content: [
                {
                  type: 'tool_result',
                  tool_use_id: 'c1',
                  content:
                    'Background process started (PID: 7)\nCommand: npm start\nOutput: /tmp/droid-bg-1795336889565.out\nStatus: Running in background\n',
                },
              ],
            },
          },
        ],
      },
      '.out',
      { command: 'npm start', cwd: PROJECT, started_at: '2026-11-22T08:41:29.500Z' },
    ],
    [
      'Cline: a command of several lines, and when it began',
      {
        'tmp/cline/proceed-while-running-1795336889565-a1b2c3d.log':
          '[Running command: cat <<X\na\nX]\ntext\n[Command completed with exit code 0]\n',
      },
      '.log',
      { command: 'cat <<X\na\nX', exit_code: 0, started_at: '2026-11-22T08:41:29.565Z' },
    ],
    [
      'Cursor: a command of 20,000 characters',
      {
        'home/.cursor/projects/a/terminals/1.txt': `---\npid: 999999\ncwd: "${PROJECT}"\ncommand: "echo ${'x'.repeat(20_000)}"\n---\ntext\n\n---\nexit_code: 2\n---\n`,
      },
      '1.txt',
      { command: `echo ${'x'.repeat(20_000)}`, exit_code: 2 },
    ],
    [
      'Codex: when the conversation began',
      {
        [`home/.codex/sessions/2026/11/22/rollout-2026-11-22T08-21-52-${uuid}.jsonl`]: `${JSON.stringify({
          timestamp: '2026-11-22T08:21:53.189Z',
          type: 'session_meta',
          payload: { timestamp: '2026-11-22T08:21:52.833Z', cwd: PROJECT },
        })}\n`,
      },
      '.jsonl',
      { started_at: '2026-11-22T08:21:52.833Z', cwd: PROJECT },
    ],
    [
      'Roo Code on a machine that is reached by SSH',
      {
        'home/.vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/tasks/t1/command-output/cmd-1763632801457.txt':
          'a\n',
      },
      'cmd-1763632801457.txt',
      { source: 'roo', agent: { session: 't1' } },
    ],
    [
      'pi: all of the output',
      { 'tmp/pi-bash-7d920db01e6fb6fe.log': 'a\n' },
      '.log',
      { agent: { truncated: false } },
    ],
  ])('%s', async (_, files, path, told) => {
    agents.lay({ captures: files });
    expect(ending(await found(), path)).toMatchObject(told);
  });

  it.each(['opencode', 'kilo'])('%s, which keeps commands in a database', async (agent) => {
    const name = `tool_${'299'.padStart(26, '0')}`;
    agents.write(`home/.local/share/${agent}/tool-output/${name}`, 'text\n');
    const packed = (file: string) =>
      gunzipSync(readFileSync(new URL(`../../fixtures/sqlite/${file}.gz`, import.meta.url)));
    writeFileSync(agents.write(`home/.local/share/${agent}/${agent}.db`, ''), packed('store.db'));
    const running = { command: 'make 299', status: 'running', cwd: PROJECT, ended_at: null };
    expect(ending(await found(), name)).toMatchObject({ ...running, agent: { session: 'ses_1' } });
    writeFileSync(agents.write(`home/.local/share/${agent}/${agent}.db-wal`, ''), packed('live.db-wal'));
    library.close();
    library = new Library({
      home: join(agents.folder, 'spillway'),
      watch: false,
      user: agents.user,
      pool: poolHere,
    });
    const ended = { command: 'make 299', status: 'failed', exit_code: 3, duration_ms: 1000 };
    expect(ending(await found(), name)).toMatchObject(ended);
  });

  it('a capture tells its session, project and process, and whether the agent cut it', async () => {
    for (const layout of Object.values(LAYOUTS)) agents.lay(layout);
    const artifacts = await found();
    expect(ending(artifacts, 'b92wlmxk1.output').agent).toMatchObject({ session: SESSION, project: PROJECT });
    expect(ending(artifacts, '__c4vs.txt').agent).toMatchObject({ pid: 28341, project: PROJECT });
    expect(ending(artifacts, '-k3k3k3k.log').agent).toMatchObject({ truncated: true });
    expect(ending(artifacts, '-k3k3k3k.log').warnings[0]).toMatch(/^Terminal closed/);
    expect(ending(artifacts, 'content.txt').agent).toMatchObject({ project: PROJECT });
  });
});

describe('where an agent writes', () => {
  it('reads no folder of a temporary folder that other programs made', () => {
    const readFor = agentKinds
      .filter(({ locate }) => locate?.(agents.user).includes(agents.user.temporary))
      .filter(({ includes }) =>
        ['build', 'tmp.9dXk', 'v8-compile-cache-0'].some((it) => includes([], it, true)),
      );
    expect(readFor.map(({ name }) => name)).toEqual([]);
  });

  const at = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    agentKinds.flatMap((kind) => kind.locate!({ home: '/u', temporary: '/t', env, platform }));

  it('is known on each platform', () => {
    expect(at('linux')).toContain('/u/.config/Code/copilot-terminal-output');
    expect(at('darwin')).toContain('/u/Library/Application Support/Code/copilot-terminal-output');
    expect(at('win32', { APPDATA: '/r' })).toContain('/r/Code/copilot-terminal-output');
    expect(at('linux')).toContain('/tmp');
    expect(at('win32')).not.toContain('/tmp');
  });

  it('follows the variables that move it', () => {
    const moved = at('linux', {
      CLAUDE_CONFIG_DIR: '/c',
      CLAUDE_CODE_TMPDIR: '/ct',
      CODEX_HOME: '/x',
      GEMINI_CLI_HOME: '/g',
      XDG_DATA_HOME: '/d',
    });
    for (const path of ['/c/projects', '/ct', '/x/sessions', '/g/.gemini/tmp', '/d/opencode/tool-output'])
      expect(moved).toContain(path);
  });
});

const samples = fileURLToPath(new URL('../../../../shared/agents', import.meta.url));

describe.skipIf(!existsSync(samples))('captures that real agents wrote', () => {
  it('are listed as their manifests say', async () => {
    const expected: string[] = [];
    const { cpSync } = await import('node:fs');
    for (const name of readdirSync(samples)) {
      const { globs } = JSON.parse(readFileSync(join(samples, name, 'manifest.json'), 'utf8'));
      for (const part of ['during-only', 'after'])
        if (existsSync(join(samples, name, part)))
          cpSync(join(samples, name, part), agents.folder, { recursive: true, verbatimSymlinks: true });
      expected.push(...globs);
    }
    const listed = [...(await found()).keys()];
    const isCapture = (path: string) =>
      expected.some((glob) => matches(glob, path)) &&
      // These files describe captures, and are not captures themselves.
      !/\.(pid|exit)$|events\.jsonl$/.test(path) &&
      lstatSync(join(agents.folder, path)).isFile() &&
      !/\/tasks\/a[0-9a-f]{16}\.output$/.test(path);
    expect(listed.sort()).toEqual(files(agents.folder).filter(isCapture).sort());
    expect(listed.length).toBeGreaterThan(25);
  });
});

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function states(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { size, mtimeMs, ctimeMs, ino, mode, nlink } = lstatSync(join(folder, name));
    return [name, size, mtimeMs, ctimeMs, ino, mode, nlink].join(' ');
  });
}

function matches(glob: string, path: string): boolean {
  const source = glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '[^/]*')
    .replace(/\?/g, '[^/]')
    .replace(/\{([^}]*)\}/g, (_, words: string) => `(?:${words.replaceAll(',', '|')})`);
  return new RegExp(`^${source}$`).test(path);
}
