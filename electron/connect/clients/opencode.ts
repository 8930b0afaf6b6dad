/** opencode: one file, with or without comments. Its `shell` setting names the shell that runs commands. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentName } from '../../../shared/agents/agent-names.ts';
import { spillwayShellPath } from '../../agent-shell/install.ts';
import type { Client } from '../client.ts';
import { SERVER_NAME } from '../client.ts';
import { jsonFormat } from '../edit/json.ts';

export const opencode: Client = {
  id: 'opencode',
  name: agentName('opencode').title,
  command: 'opencode',
  traces: ({ folder, env }) => [configFolder(folder, env)],
  files: ({ folder, env }, { server, env: serverEnv, home, record }) => {
    const own = configFolder(folder, env);
    const names = ['opencode.jsonc', 'opencode.json'].map((name) => join(own, name));
    const environment = Object.keys(serverEnv).length > 0 ? { environment: serverEnv } : {};
    return [
      {
        path: names.find((path) => existsSync(path)) ?? names[0]!,
        format: jsonFormat({ comments: true, trailingCommas: true }),
        settings: [
          {
            path: ['mcp', SERVER_NAME],
            value: { type: 'local', command: [...server], ...environment, enabled: true },
          },
          ...(record === null
            ? []
            : [{ path: ['shell'], value: spillwayShellPath(home), keeps: 'a shell of your own' }]),
        ],
        servers: { at: () => [['mcp']], form: 'list' },
      },
    ];
  },
  recording: { way: { shell: 'opencode' } },
};

function configFolder(folder: string, env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME ?? join(folder, '.config'), 'opencode');
}
