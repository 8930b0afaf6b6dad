/** Claude Desktop. */
import { join } from 'node:path';
import type { Agent } from './agent.ts';
import { applicationFolder, plainServer, SERVER_NAME, serversAt } from './client.ts';
import { jsonFormat } from './formats/json.ts';

const strict = jsonFormat({ comments: false, trailingCommas: false });

export const claudeDesktop: Agent = {
  id: 'claude-desktop',
  client: {
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
  },
};
