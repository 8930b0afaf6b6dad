/** Gemini CLI: servers in `settings.json`; its shell's environment in `.env` beside it. */

import { join } from 'node:path';
import { agentName } from '../../../shared/agents/agent-names.ts';
import { bashEntryPath } from '../../agent-shell/install.ts';
import { type Client, type Machine, plainServer, SERVER_NAME } from '../client.ts';
import { dotenvFormat } from '../edit/dotenv.ts';
import { jsonFormat } from '../edit/json.ts';
import { serversAt } from '../proxied.ts';

export const gemini: Client = {
  id: 'gemini',
  name: agentName('gemini').title,
  command: 'gemini',
  traces: (machine) => [ownFolder(machine)],
  files: (machine, wanted) => {
    const settings = [
      { path: ['BASH_ENV'], value: bashEntryPath(wanted.home, 'gemini'), keeps: 'a start-up file of bash' },
      { path: ['SHLVL'], value: '2' },
    ];
    return [
      {
        path: join(ownFolder(machine), 'settings.json'),
        format: jsonFormat({ comments: true, trailingCommas: false, mark: false }),
        settings: [{ path: ['mcpServers', SERVER_NAME], value: plainServer(wanted) }],
        servers: serversAt('mcpServers'),
      },
      {
        path: join(ownFolder(machine), '.env'),
        format: dotenvFormat,
        settings: wanted.record === null ? [] : settings,
      },
    ];
  },
  recording: {
    way: { bashEnv: 'gemini' },
    limit: () =>
      'unless it gives them a terminal, as its screen does (tools.shell.enableInteractiveShell), or the .env of a project takes the place of its own',
  },
};

function ownFolder({ folder, env }: Machine): string {
  return join(env.GEMINI_CLI_HOME || folder, '.gemini');
}
