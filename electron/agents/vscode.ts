/** Copilot in VS Code. Long output of its terminals and tools is written at the end, and deleted with the session. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Agent, ANY, editorFolders, onPaths } from './agent.ts';
import { applicationFolder, plainServer, SERVER_NAME, serversAt } from './client.ts';
import { field, text } from './facts/calls.ts';
import type { AgentFile, FileDescription } from './facts/described.ts';
import type { FactFiles } from './facts/fact-files.ts';
import { jsonFormat } from './formats/json.ts';

const lenient = jsonFormat({ comments: true, trailingCommas: true });

export const vscode: Agent = {
  id: 'vscode',
  captures: {
    locate: (user) =>
      editorFolders(user).flatMap((folder) => [
        join(folder, 'copilot-terminal-output'),
        join(folder, 'User', 'workspaceStorage'),
      ]),
    includes: onPaths(
      [/^copilot-terminal-output-.+\.txt$/],
      [/^[0-9a-f]{32}$/, 'GitHub.copilot-chat', 'chat-session-resources', ANY, ANY, 'content.txt'],
    ),
    describe: ({ names }) =>
      names.length === 1 ? { label: 'Terminal output' } : { label: 'Tool output', session: names[3] ?? null },
    detail,
  },
  client: {
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
  },
};

async function detail({ path, names }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  if (names.length === 1) return {};
  const workspace = path.slice(0, path.indexOf('GitHub.copilot-chat'));
  const folder = text(field(await facts.json(join(workspace, 'workspace.json')), 'folder'));
  const project = folder?.startsWith('file://') ? pathOf(folder) : null;
  return project === null ? {} : { project };
}

function pathOf(url: string): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}
