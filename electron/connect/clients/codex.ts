/**
 * Codex: one TOML file. It starts servers with almost no environment, and lets commands write only to certain
 * folders.
 */
import { join } from 'node:path';
import { bashEntryPath } from '../../agent-shell/install.ts';
import { type Client, plainServer, type Setting } from '../client.ts';
import { tomlFormat } from '../edit/toml.ts';
import { serversAt } from '../proxied.ts';

export const codex: Client = {
  id: 'codex',
  name: 'Codex',
  command: 'codex',
  traces: ({ folder, env }) => [env.CODEX_HOME ?? join(folder, '.codex')],
  files: ({ folder, env }, wanted) => {
    const recording: Setting[] = [
      {
        path: ['shell_environment_policy', 'set', 'BASH_ENV'],
        value: bashEntryPath(wanted.home, 'codex'),
        keeps: 'a start-up file of bash',
      },
      { path: ['shell_environment_policy', 'set', 'SHLVL'], value: '2' },
      { path: ['sandbox_workspace_write', 'writable_roots'], value: wanted.home, isItem: true },
    ];
    return [
      {
        path: join(env.CODEX_HOME ?? join(folder, '.codex'), 'config.toml'),
        format: tomlFormat,
        settings: [
          {
            path: ['mcp_servers', 'spillway'],
            value: {
              ...plainServer({ ...wanted, env: {} }),
              env: { ...wanted.env, SPILLWAY_HOME: wanted.home },
            },
          },
          ...(wanted.record === null ? [] : recording),
        ],
        servers: serversAt('mcp_servers'),
      },
    ];
  },
  recording: { way: { bashEnv: 'codex' } },
  list: ['mcp', 'list'],
};
