/**
 * Codex: one TOML file. It starts servers with almost no environment, and lets commands write only to certain
 * folders.
 */

import { join } from 'node:path';
import { agentName } from '../../../shared/agents/agent-names.ts';
import { bashEntryPath } from '../../agent-shell/install.ts';
import { sandboxFolder } from '../../store/format/places.ts';
import { type Client, type Machine, plainServer, SERVER_NAME, type Setting } from '../client.ts';
import { readConfig } from '../config-file.ts';
import { valueAt } from '../edit/format.ts';
import { tomlFormat } from '../edit/toml.ts';
import { serversAt } from '../proxied.ts';

export const codex: Client = {
  id: 'codex',
  name: agentName('codex').title,
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
      {
        path: ['sandbox_workspace_write', 'writable_roots'],
        value: sandboxFolder(wanted.home, 'codex'),
        isItem: true,
        // Commands in the sandbox could change what runs outside it.
        former: wanted.home,
      },
    ];
    return [
      {
        path: configPath({ folder, env }),
        format: tomlFormat,
        settings: [
          {
            path: ['mcp_servers', SERVER_NAME],
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
  recording: {
    ...{ way: { bashEnv: 'codex' }, obstacle, isSandboxed: true },
    limit: () => 'unless its sandbox lets nothing be written (read-only)',
  },
};

function configPath({ folder, env }: Pick<Machine, 'folder' | 'env'>): string {
  return join(env.CODEX_HOME ?? join(folder, '.codex'), 'config.toml');
}

/**
 * Codex 0.169 applies `include_only` to the variables of `set`, too; `inherit` and `exclude` it applies before them.
 * An empty list filters nothing. Names are compared without case, `*` and `?` are wildcards.
 */
function obstacle(machine: Machine): string | null {
  const path = configPath(machine);
  const root = tomlFormat.parse(readConfig(path) ?? '');
  const only = valueAt(root, ['shell_environment_policy', 'include_only']);
  if (!Array.isArray(only) || only.length === 0) return null;
  const names = ['BASH_ENV', 'SHLVL'].filter((name) => !only.some((one) => isMatch(String(one), name)));
  if (names.length === 0) return null;
  return `shell_environment_policy.include_only in ${path} leaves out ${names.join(' and ')}`;
}

function isMatch(pattern: string, name: string): boolean {
  const plain = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${plain.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i').test(name);
}
