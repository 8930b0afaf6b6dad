/**
 * Copilot CLI: servers in a file of their own. A setting makes its shell read BASH_ENV from the environment that
 * Copilot was started in.
 */

import { join } from 'node:path';
import { agentName } from '../../../shared/agents/agent-names.ts';
import { bashEntryPath } from '../../agent-shell/install.ts';
import { quoted } from '../../agent-shell/program.ts';
import { type Client, type Machine, plainServer, SERVER_NAME } from '../client.ts';
import { jsonFormat } from '../edit/json.ts';
import { serversAt } from '../proxied.ts';

const strict = jsonFormat({ comments: false, trailingCommas: false });

export const copilot: Client = {
  id: 'copilot',
  name: agentName('copilot').title,
  command: 'copilot',
  traces: (machine) => [ownFolder(machine)],
  files: (machine, wanted) => [
    {
      path: join(ownFolder(machine), 'mcp-config.json'),
      format: strict,
      settings: [
        { path: ['mcpServers', SERVER_NAME], value: { type: 'local', ...plainServer(wanted), tools: ['*'] } },
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
};

function ownFolder({ folder, env }: Machine): string {
  return env.COPILOT_HOME || join(folder, '.copilot');
}
