/** The real clients, from the npm registry, told to talk to a fake model; each in a folder of a person of its own. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call, FakeModel } from './fake-model.ts';
import { installedVersions } from './installed.ts';

export interface RealClient {
  /** As `spillway connect` calls it. */
  id: string;
  package: string;
  command: string;
  /** The version that it is held to, beside the newest. */
  pinned: string;
  /** Its commands cannot be recorded, and `connect` says why. */
  unrecorded?: true;
  /** What it says of a command whose output it lost, bare or not, as it does on a busy machine. */
  loses?: RegExp;
  /** Why `sources` lists nothing of it. */
  unlisted?: string;
  /** Its own shell tool, given a command. */
  call(command: string, tools: ReadonlySet<string>): Call;
  /** Configuration, relative to the person's folder, before Spillway's. */
  configs(model: FakeModel): Record<string, string>;
  env(model: FakeModel): NodeJS.ProcessEnv;
  /** Variables that `connect --record` asks for. */
  startedWith?: (home: string) => NodeJS.ProcessEnv;
  args: string[];
  /** Its commands write both streams to one file. */
  hasOneOutput?: true;
  /** Commands that it does not run, or waits minutes for, recorded or not. */
  avoid?: RegExp;
  /** With rules by which `echo` needs no question and `touch` is denied. */
  rules?: Pick<RealClient, 'configs' | 'args'>;
  /** A call that gives up after a second. */
  timed?: (command: string) => Call;
  /** How it is started on its screen, to do the same. */
  screen?: {
    args: string[];
    configs?: (project: string) => Record<string, string>;
    /** Enter sends what it was started with. */
    enter?: true;
  };
  /** A call that lets the command run in the background. */
  background?: (command: string) => Call;
}

const provider = (url: string) => `model = "m"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
`;

const opencodeConfig = (url: string, more: object) =>
  JSON.stringify({
    model: 'fake/m',
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}/v1`, apiKey: 'x' },
        models: { m: { name: 'm', tool_call: true } },
      },
    },
    ...more,
  });

const GEMINI_SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
};

const geminiConfigs: RealClient['configs'] = ({ url }) => ({
  '.gemini/.env': `GEMINI_API_KEY=x\nGOOGLE_GEMINI_BASE_URL=${url}\n`,
  '.gemini/settings.json': JSON.stringify(GEMINI_SETTINGS),
});

export const REAL_CLIENTS: readonly RealClient[] = [
  {
    ...{
      id: 'claude-code',
      package: '@anthropic-ai/claude-code',
      command: 'claude',
      pinned: '2.1.332',
      hasOneOutput: true,
    },
    call: (command) => ({ tool: 'Bash', arguments: { command, description: 'x' } }),
    configs: () => ({ '.claude/settings.json': '{"permissions":{"allow":["Bash"]}}\n' }),
    rules: {
      configs: () => ({
        '.claude/settings.json': '{"permissions":{"allow":["Bash(echo:*)"],"deny":["Bash(touch:*)"]}}\n',
      }),
      args: ['-p', 'go'],
    },
    timed: (command) => ({ tool: 'Bash', arguments: { command, description: 'x', timeout: 1000 } }),
    background: (command) => ({
      tool: 'Bash',
      arguments: { command, description: 'x', run_in_background: true },
    }),
    env: ({ url }) => ({
      ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'x', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    }),
    args: ['-p', 'go'],
    screen: {
      args: ['--permission-mode', 'default', 'go'],
      configs: (project) => ({
        '.claude.json': JSON.stringify({
          ...{ hasCompletedOnboarding: true, theme: 'dark' },
          customApiKeyResponses: { approved: ['x'], rejected: [] },
          projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
        }),
      }),
    },
  },
  {
    ...{ id: 'codex', package: '@openai/codex', command: 'codex', pinned: '0.171.0' },
    call: (command) => ({ tool: 'exec_command', arguments: { cmd: command } }),
    configs: ({ url }) => ({ '.codex/config.toml': provider(url) }),
    rules: {
      configs: ({ url }) => ({
        '.codex/config.toml': provider(url).replace('danger-full-access', 'read-only'),
        '.codex/rules/default.rules':
          'prefix_rule(pattern = ["echo"], decision = "allow")\nprefix_rule(pattern = ["touch"], decision = "forbidden")\n',
      }),
      args: ['exec', '--skip-git-repo-check', 'go'],
    },
    // It goes on in a session; the reply comes after a second.
    background: (command) => ({ tool: 'exec_command', arguments: { cmd: command, yield_time_ms: 1000 } }),
    env: () => ({}),
    args: ['exec', '--skip-git-repo-check', 'go'],
    screen: { args: ['go'] },
  },
  {
    // It waits two minutes for a shell that died of a signal.
    ...{ id: 'opencode', package: 'opencode-ai', command: 'opencode', pinned: '1.18.33', avoid: /^kill/ },
    call: (command) => ({ tool: 'bash', arguments: { command, description: 'x' } }),
    configs: ({ url }) => ({
      '.config/opencode/opencode.json': opencodeConfig(url, { permission: 'allow' }),
    }),
    rules: {
      configs: ({ url }) => ({
        '.config/opencode/opencode.json': opencodeConfig(url, {
          permission: { bash: { '*': 'ask', 'echo *': 'allow', 'touch *': 'deny' } },
        }),
      }),
      args: ['run', '-m', 'fake/m', 'go'],
    },
    timed: (command) => ({ tool: 'bash', arguments: { command, description: 'x', timeout: 1000 } }),
    env: () => ({}),
    args: ['run', '-m', 'fake/m', 'go'],
    screen: { args: ['-m', 'fake/m', '--prompt', 'go'] },
  },
  {
    ...{ id: 'gemini', package: '@google/gemini-cli', command: 'gemini', pinned: '0.61.0' },
    call: (command) => ({ tool: 'run_shell_command', arguments: { command, description: 'x' } }),
    configs: geminiConfigs,
    rules: {
      configs: (model) => ({
        ...geminiConfigs(model),
        '.gemini/settings.json': JSON.stringify({
          ...GEMINI_SETTINGS,
          tools: { allowed: ['run_shell_command(echo)'], exclude: ['run_shell_command(touch)'] },
        }),
      }),
      args: ['-m', 'gemini-2.5-pro', '-p', 'go'],
    },
    background: (command) => ({
      tool: 'run_shell_command',
      arguments: { command, description: 'x', is_background: true },
    }),
    env: () => ({}),
    args: ['-m', 'gemini-2.5-pro', '--yolo', '-p', 'go'],
    screen: { args: ['-m', 'gemini-2.5-pro', '--yolo', '-i', 'go'] },
  },
  {
    // It refuses to end processes that it does not know by number.
    ...{ id: 'copilot', package: '@github/copilot', command: 'copilot', pinned: '1.0.102', avoid: /^kill/ },
    // It deletes its captures at the end, and has no folder for them.
    unlisted: 'deleted',
    call: (command) => ({ tool: 'bash', arguments: { command, description: 'x' } }),
    configs: () => ({}),
    rules: {
      configs: () => ({}),
      args: ['-p', 'go', '--allow-tool', 'shell(echo)', '--deny-tool', 'shell(touch)'],
    },
    startedWith: (home) => ({ BASH_ENV: join(home, 'bin/agents/copilot.bash') }),
    env: ({ url }) => ({
      ...{ COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_MODEL: 'gpt-4.1', COPILOT_OFFLINE: 'true' },
      // `connect` says to start it with this; commands see one more.
      SHLVL: '2',
    }),
    args: ['-p', 'go', '--allow-all-tools', '--allow-all-paths'],
    screen: { args: ['-i', 'go', '--allow-all-tools', '--allow-all-paths'], enter: true },
  },
  {
    ...{ id: 'qwen', package: '@qwen-code/qwen-code', command: 'qwen', pinned: '0.24.4', unrecorded: true },
    loses: /^Output: \(empty\)$/m,
    call: (command) => ({
      tool: 'run_shell_command',
      arguments: { command, description: 'x', is_background: false },
    }),
    configs: () => ({
      '.qwen/settings.json':
        '{"security":{"auth":{"selectedType":"openai"}},"privacy":{"usageStatisticsEnabled":false}}\n',
    }),
    env: ({ url }) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'm' }),
    args: ['--yolo', '-p', 'go'],
  },
  {
    ...{ id: 'cline', package: 'cline', command: 'cline', pinned: '3.0.65', unrecorded: true },
    call: (command) => ({ tool: 'run_commands', arguments: { commands: [command] } }),
    configs: ({ url }) => ({
      '.cline/data/settings/providers.json': JSON.stringify({
        ...{ version: 1, lastUsedProvider: 'openai-compatible', modes: {} },
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: 'x', model: 'm', baseUrl: `${url}/v1` },
            ...{ updatedAt: '2026-11-01T00:00:00.000Z', tokenSource: 'manual' },
          },
        },
      }),
    }),
    // Else it leaves a process behind, and updates itself.
    env: () => ({ CLINE_SESSION_BACKEND_MODE: 'local', CLINE_NO_AUTO_UPDATE: '1' }),
    // It takes a single word for a command of its own.
    args: ['please go'],
  },
];

/** A client by its id. */
export const clientOf = (id: string) => REAL_CLIENTS.find((client) => client.id === id)!;

interface Found {
  name: string;
  client: RealClient;
  program: string | null;
}

/** Each client in each version; without a program where the registry does not have it. */
export function realClients(): Found[] {
  return REAL_CLIENTS.flatMap((client): Found[] => {
    const found = installedVersions(client.package, client.command, client.pinned);
    if (found.length === 0) return [{ name: client.id, client, program: null }];
    return found.map(({ version, program }) => ({ name: `${client.id} ${version}`, client, program }));
  });
}

/** Returns the path of a client's program; null if the registry does not have it. */
export function programOf({ package: name, command, pinned }: RealClient): string | null {
  return installedVersions(name, command, pinned)[0]?.program ?? null;
}

export function writeConfigs(folder: string, configs: Record<string, string>): void {
  for (const [name, text] of Object.entries(configs)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

export function environment(
  client: RealClient,
  model: FakeModel,
  folder: string,
  more: NodeJS.ProcessEnv = {},
): NodeJS.ProcessEnv {
  return {
    ...{ PATH: process.env.PATH, HOME: folder, SHELL: '/bin/bash', LANG: 'C.UTF-8' },
    ...{ TERM: 'xterm', SHLVL: '1', ...client.env(model), ...more },
  };
}

/** Runs the client until it has done what the model wanted. */
export function runClient(
  program: string,
  client: RealClient,
  model: FakeModel,
  { folder, project, env: more = {} }: { folder: string; project: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const env = environment(client, model, folder, more);
  const child = spawn(program, client.args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 600_000);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(said);
    });
  });
}
