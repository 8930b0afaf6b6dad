/** Claude Code: servers in `.claude.json`, which it also rewrites itself; the environment of its shell in `settings.json`. */
import { join } from 'node:path';
import { bashEntryPath } from '../../agent-shell/install.ts';
import { type Client, plainServer } from '../client.ts';
import { jsonFormat } from '../edit/json.ts';

/** A comment in either makes it call the file corrupted. */
const strict = jsonFormat({ comments: false, trailingCommas: false });

export const claudeCode: Client = {
  id: 'claude-code',
  name: 'Claude Code',
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
      // Else bash does not read BASH_ENV where standard input is a socket.
      { path: ['env', 'SHLVL'], value: '2' },
    ];
    return [
      {
        path: join(own ?? folder, '.claude.json'),
        format: strict,
        settings: [{ path: ['mcpServers', 'spillway'], value: { type: 'stdio', ...plainServer(wanted) } }],
      },
      {
        path: join(own ?? join(folder, '.claude'), 'settings.json'),
        format: strict,
        settings: wanted.record === null ? [] : settings,
      },
    ];
  },
  recording: { way: { bashEnv: 'claude-code' } },
  list: ['mcp', 'list'],
};
