/**
 * Qwen Code. Output of a tool has a header with the command and ends with its exit status; what runs in the background
 * has a file of JSON beside it.
 */

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Agent, ANY, onPaths } from './agent.ts';
import { type Machine, plainServer, SERVER_NAME, serversAt } from './client.ts';
import { field, text } from './facts/calls.ts';
import {
  type AgentFile,
  exitCodeIn,
  type FileDescription,
  type FileEnds,
  FOOTER_LINE,
  footerOf,
  headerOf,
  latin1AsUtf8,
  outcome,
  signalIn,
  type TextFrame,
  UNFRAMED,
} from './facts/described.ts';
import { type CallReader, type FactFiles, factsOf } from './facts/fact-files.ts';
import { jsonFormat } from './formats/json.ts';

const withoutMark = jsonFormat({ comments: true, trailingCommas: false, mark: false });

const TOOL_OUTPUT = /^[^.].*_[0-9a-f]{12}\.output$/;
const SHELL_OUTPUT = /^shell-bg_[0-9a-f]+\.output$/;
const HASH = /^[0-9a-f]{64}$/;
/** Projects whose chats are searched for the folder of a capture. */
const MAX_PROJECTS = 64;
const HEADER = /^Command: ([\s\S]*?)\nDirectory: ([^\n]*)\n(?:(?:Output|Stdout):[ \n]?)?/;
/** The file's last line may lack its end. */
const FIELD = `${FOOTER_LINE}?`;
const FOOTER = new RegExp(`\\n((?:${FIELD})*Exit Code: [^\\n]*\\n?(?:${FIELD})*)$`);

export const qwen: Agent = {
  id: 'qwen',
  captures: {
    locate: ({ home, env }) => [env.QWEN_HOME || join(home, '.qwen')],
    includes: onPaths(
      ['tmp', HASH, TOOL_OUTPUT],
      ['tmp', HASH, 'background-shells', ANY, SHELL_OUTPUT],
      ['tmp', 'background-shells', ANY, SHELL_OUTPUT],
      ['background-shells', ANY, SHELL_OUTPUT],
      ['projects', ANY, 'background-shells', ANY, SHELL_OUTPUT],
    ),
    describe: ({ names }) => ({
      session: names.at(-3) === 'background-shells' ? (names.at(-2) ?? null) : null,
    }),
    frame: (ends, name) => (TOOL_OUTPUT.test(name) ? framed(ends) : UNFRAMED),
    detail,
  },
  client: {
    command: 'qwen',
    traces: (machine) => [qwenFolder(machine)],
    files: (machine, wanted) => [
      {
        path: join(qwenFolder(machine), 'settings.json'),
        // It renames a file with a byte order mark, and starts with none.
        format: withoutMark,
        settings: [{ path: ['mcpServers', SERVER_NAME], value: plainServer(wanted) }],
        servers: serversAt('mcpServers'),
      },
    ],
    recording: {
      why: 'its settings cannot lead its shell here, and its screen gives commands a terminal',
    },
  },
  replies: { client: /qwen/i, mostBytes: 26_000, shows: 'both' },
};

function framed(ends: FileEnds): TextFrame {
  const header = headerOf(ends, HEADER);
  if (!header) return UNFRAMED;
  const footer = footerOf(ends, FOOTER);
  const ending = footer?.match[1] ?? '';
  const exit = exitCodeIn(ending);
  const directory = latin1AsUtf8(header[2]!);
  return {
    start: header[0].length,
    end: footer ? Math.max(header[0].length, footer.at) : null,
    facts: {
      command: latin1AsUtf8(header[1]!),
      // It writes `(root)` for the folder in which it was started.
      ...(directory.startsWith('/') || /^[A-Za-z]:/.test(directory)
        ? { cwd: directory, project: directory }
        : {}),
      ...(exit === null ? {} : outcome(exit)),
      ...(signalIn(ending) ? { status: 'cancelled' as const } : {}),
    },
  };
}

async function detail(
  { path, names }: AgentFile,
  facts: FactFiles,
  framed: FileDescription,
): Promise<FileDescription> {
  if (path.includes('shell-bg_')) return factsOf(await facts.json(path.replace(/\.output$/, '.status')));
  const project = await projectOf(names[1]!, dirname(dirname(dirname(path))), facts);
  return project === null ? {} : { project, cwd: framed.cwd ?? project };
}

/** Returns the folder whose path has the hash, as one of the chats names it; null if none does. */
async function projectOf(hash: string, root: string, facts: FactFiles): Promise<string | null> {
  const projects = join(root, 'projects');
  for (const name of (await facts.names(projects)).slice(0, MAX_PROJECTS)) {
    const [chat] = await facts.last(join(projects, name, 'chats'), 1);
    const cwd = chat === undefined ? null : ((await facts.calls(chat, reader))?.cwd ?? null);
    if (cwd !== null && createHash('sha256').update(cwd).digest('hex') === hash) return cwd;
  }
  return null;
}

const reader: CallReader = {
  marks: ['"cwd"'],
  take(value, calls) {
    calls.cwd ??= text(field(value, 'cwd'));
  },
};

function qwenFolder({ folder, env }: Machine): string {
  return env.QWEN_HOME || join(folder, '.qwen');
}
