/** Amp. */
import { join } from 'node:path';
import type { Agent } from './agent.ts';
import { plainServer, SERVER_NAME, serversAt } from './client.ts';
import { jsonFormat } from './formats/json.ts';

const lenient = jsonFormat({ comments: true, trailingCommas: true });

export const amp: Agent = {
  id: 'amp',
  client: {
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
  },
};
