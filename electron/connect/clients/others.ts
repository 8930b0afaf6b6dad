/** Clients that only get an MCP server: the commands they run can't be recorded safely. */

import { join } from 'node:path';
import { agentName } from '../../../shared/agents/agent-names.ts';
import { type Client, type Machine, plainServer, SERVER_NAME } from '../client.ts';
import { jsonFormat } from '../edit/json.ts';
import { serversAt } from '../proxied.ts';

const strict = jsonFormat({ comments: false, trailingCommas: false });
const withComments = jsonFormat({ comments: true, trailingCommas: false });
const withoutMark = jsonFormat({ comments: true, trailingCommas: false, mark: false });
const lenient = jsonFormat({ comments: true, trailingCommas: true });

export const qwen: Client = {
  id: 'qwen',
  name: agentName('qwen').title,
  command: 'qwen',
  traces: (machine) => [qwenFolder(machine)],
  files: (machine, wanted) => [
    {
      path: join(qwenFolder(machine), 'settings.json'),
      // It renames a file with a byte order mark, and starts with none.
      format: withoutMark,
      settings: [{ path: ['mcpServers', SERVER_NAME], value: plainServer(wanted) }],
      servers: serversAt('mcpServers'),
    },
  ],
  recording: { why: 'it gives its commands a terminal' },
};

export const cline: Client = {
  id: 'cline',
  name: agentName('cline').title,
  command: 'cline',
  traces: (machine) => [clineFolder(machine)],
  files: (machine, wanted) => [
    {
      path: join(clineFolder(machine), 'data', 'settings', 'cline_mcp_settings.json'),
      format: strict,
      settings: [
        {
          path: ['mcpServers', SERVER_NAME],
          value: { transport: { type: 'stdio', ...plainServer(wanted) } },
        },
      ],
      servers: { at: () => [['mcpServers']], form: 'transport' },
    },
  ],
  recording: { why: 'it has no setting for the shell of its commands' },
};

export const cursor: Client = {
  id: 'cursor',
  name: agentName('cursor').title,
  command: 'cursor',
  traces: ({ folder }) => [join(folder, '.cursor')],
  files: ({ folder }, wanted) => [
    {
      path: join(folder, '.cursor', 'mcp.json'),
      format: withComments,
      settings: [{ path: ['mcpServers', SERVER_NAME], value: plainServer(wanted) }],
      servers: serversAt('mcpServers'),
    },
  ],
  recording: { why: 'its commands run in terminals of its own, which it already keeps' },
};

export const vscode: Client = {
  id: 'vscode',
  name: 'VS Code',
  command: 'code',
  traces: (machine) => [applicationFolder(machine, 'Code')],
  files: (machine, wanted) => [
    {
      path: join(applicationFolder(machine, 'Code'), 'User', 'mcp.json'),
      format: lenient,
      settings: [{ path: ['servers', SERVER_NAME], value: { type: 'stdio', ...plainServer(wanted) } }],
      servers: serversAt('servers'),
    },
  ],
  recording: { why: 'its commands run in terminals of its own' },
};

export const claudeDesktop: Client = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  command: null,
  traces: (machine) => [applicationFolder(machine, 'Claude')],
  files: (machine, wanted) => [
    {
      path: join(applicationFolder(machine, 'Claude'), 'claude_desktop_config.json'),
      format: strict,
      settings: [{ path: ['mcpServers', SERVER_NAME], value: plainServer(wanted) }],
      servers: serversAt('mcpServers'),
    },
  ],
  recording: { why: 'it runs no commands' },
};

export const amp: Client = {
  id: 'amp',
  name: agentName('amp').title,
  command: 'amp',
  traces: ({ folder, env }) => [join(env.XDG_CONFIG_HOME ?? join(folder, '.config'), 'amp')],
  files: ({ folder, env }, wanted) => [
    {
      path: join(env.XDG_CONFIG_HOME ?? join(folder, '.config'), 'amp', 'settings.json'),
      format: lenient,
      settings: [{ path: ['amp.mcpServers', SERVER_NAME], value: plainServer(wanted) }],
      servers: serversAt('amp.mcpServers'),
    },
  ],
  recording: { why: 'it was not tried' },
};

function qwenFolder({ folder, env }: Machine): string {
  return env.QWEN_HOME || join(folder, '.qwen');
}

function clineFolder({ folder, env }: Machine): string {
  return env.CLINE_DIR || join(folder, '.cline');
}

/** Returns the system's folder for an application's data. */
function applicationFolder({ folder, env, platform }: Machine, name: string): string {
  if (platform === 'darwin') return join(folder, 'Library', 'Application Support', name);
  if (platform === 'win32') return join(env.APPDATA ?? join(folder, 'AppData', 'Roaming'), name);
  return join(env.XDG_CONFIG_HOME ?? join(folder, '.config'), name);
}
