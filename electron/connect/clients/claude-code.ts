/** Claude Code: servers in `.claude.json`, which it rewrites itself; its shell's environment in `settings.json`. */

import { join } from 'node:path';
import { agentName } from '../../../shared/agents/agent-names.ts';
import { bashEntryPath } from '../../agent-shell/install.ts';
import { type Client, plainServer, SERVER_NAME } from '../client.ts';
import { type Path, valueAt } from '../edit/format.ts';
import { jsonFormat } from '../edit/json.ts';

/** Claude Code rejects either file as corrupted if it has a comment. */
const strict = jsonFormat({ comments: false, trailingCommas: false });

export const claudeCode: Client = {
  id: 'claude-code',
  name: agentName('claude-code').title,
  command: 'claude',
  traces: ({ folder, env }) => [
    env.CLAUDE_CONFIG_DIR ?? join(folder, '.claude'),
    join(folder, '.claude.json'),
  ],
  files: ({ folder, env }, wanted) => {
    const own = env.CLAUDE_CONFIG_DIR;
    const settings = [
      {
        path: ['env', 'BASH_ENV'],
        value: bashEntryPath(wanted.home, 'claude-code'),
        keeps: 'a start-up file of bash',
      },
      // Without it bash ignores BASH_ENV when standard input is a socket.
      { path: ['env', 'SHLVL'], value: '2' },
    ];
    return [
      {
        path: join(own ?? folder, '.claude.json'),
        format: strict,
        settings: [{ path: ['mcpServers', SERVER_NAME], value: { type: 'stdio', ...plainServer(wanted) } }],
        servers: { at: serverTables, form: 'plain' },
      },
      {
        path: join(own ?? join(folder, '.claude'), 'settings.json'),
        format: strict,
        settings: wanted.record === null ? [] : settings,
      },
    ];
  },
  recording: { way: { bashEnv: 'claude-code' } },
};

/** It has servers for all projects, and others for one project each. */
function serverTables(root: unknown): Path[] {
  const projects = Object.keys(Object(valueAt(root, ['projects'])));
  return [['mcpServers'], ...projects.map((folder) => ['projects', folder, 'mcpServers'])];
}
