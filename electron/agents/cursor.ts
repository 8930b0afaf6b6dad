/**
 * Cursor. Each terminal is a file with a header between `---` lines, rewritten in place every five seconds, and
 * a footer when the command has ended. Output of its tools is kept raw.
 */

import { dirname, join } from 'node:path';
import { isoTime } from '../store/format/times.ts';
import { type Agent, ANY, onPaths } from './agent.ts';
import { plainServer, SERVER_NAME, serversAt } from './client.ts';
import { timeMs } from './facts/calls.ts';
import {
  type AgentFile,
  type FileDescription,
  type FileEnds,
  footerOf,
  headerOf,
  latin1AsUtf8,
  outcome,
  type TextFrame,
  UNFRAMED,
} from './facts/described.ts';
import { type FactFiles, processExists } from './facts/fact-files.ts';
import { jsonFormat } from './formats/json.ts';

const withComments = jsonFormat({ comments: true, trailingCommas: false });

/** Terminals of the project that are asked for its folder. */
const MAX_TERMINALS = 4;

export const cursor: Agent = {
  id: 'cursor',
  captures: {
    locate: ({ home }) => [join(home, '.cursor', 'projects')],
    includes: onPaths([ANY, 'terminals', /^\d+\.txt$/], [ANY, 'agent-tools', /^[^.].*\.txt$/]),
    describe: ({ names }) => ({
      project: names[0] ?? null,
      ...(names[1] === 'agent-tools' ? { label: 'Tool output' } : {}),
    }),
    frame: (ends, name) => (/^\d+\.txt$/.test(name) ? framed(ends) : UNFRAMED),
    detail,
  },
  client: {
    command: 'cursor',
    traces: ({ folder }) => [join(folder, '.cursor')],
    files: ({ folder }, wanted) => [
      {
        path: join(folder, '.cursor', 'mcp.json'),
        format: withComments,
        settings: [{ path: ['mcpServers', SERVER_NAME], value: plainServer(wanted) }],
        servers: serversAt('mcpServers'),
      },
    ],
    recording: { why: 'its commands run in terminals of its own, which it already keeps' },
  },
};

/** Output of a tool tells nothing; the project's terminals tell its folder. */
async function detail({ path, names }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  if (names[1] !== 'agent-tools') return {};
  const folder = join(dirname(dirname(path)), 'terminals');
  for (const terminal of await facts.last(folder, MAX_TERMINALS)) {
    const cwd = /^cwd: (.+)$/m.exec((await facts.text(terminal)) ?? '')?.[1];
    const project = cwd === undefined ? null : unquoted(cwd.trim());
    if (project !== null && slugOf(project) === names[0]) return { project };
  }
  return {};
}

/** Different folders can have one slug: compare slugs, and never derive a folder from one. */
function slugOf(folder: string): string {
  return folder.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function framed(ends: FileEnds): TextFrame {
  const header = headerOf(ends, /^---\n((?:[a-z_]+: ?[^\n]*\n)+)---\n/);
  if (!header) return UNFRAMED;
  const fields = fieldsOf(header[1]!);
  const footer = footerOf(ends, /\n---\n((?:(?:exit_code|elapsed_ms|ended_at): ?[^\n]*\n)+)---\n?$/);
  const ended = fieldsOf(footer?.match[1] ?? '');
  return {
    start: header[0].length,
    end: footer ? Math.max(header[0].length, footer.at) : null,
    facts: { ...factsOfHeader(fields, footer !== null), ...factsOfFooter(ended) },
  };
}

function factsOfHeader(fields: Map<string, string>, isOver: boolean): FileDescription {
  const command = fields.get('command') ?? fields.get('last_command');
  const cwd = fields.get('cwd');
  const pid = Number(fields.get('pid'));
  const started = timeMs(fields.get('started_at'));
  const last = fields.get('last_exit_code');
  return {
    ...(command === undefined ? {} : { command }),
    ...(cwd === undefined ? {} : { cwd, project: cwd }),
    ...(Number.isInteger(pid) && pid > 0 ? { pid } : {}),
    ...(started === null ? {} : { started_at: isoTime(started) }),
    ...(last !== undefined && /^-?\d+$/.test(last) ? outcome(Number(last)) : {}),
    ...(fields.has('command') && !isOver ? { status: processExists(pid) ? 'running' : 'interrupted' } : {}),
  };
}

function factsOfFooter(fields: Map<string, string>): FileDescription {
  const exit = fields.get('exit_code');
  const ended = timeMs(fields.get('ended_at'));
  const elapsed = Number(fields.get('elapsed_ms') ?? Number.NaN);
  return {
    ...(exit !== undefined && /^-?\d+$/.test(exit) ? outcome(Number(exit)) : {}),
    ...(ended === null ? {} : { ended_at: isoTime(ended) }),
    ...(elapsed >= 0 ? { duration_ms: elapsed } : {}),
  };
}

function fieldsOf(lines: string): Map<string, string> {
  return new Map(
    lines.split('\n').flatMap((line): [string, string][] => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at), unquoted(latin1AsUtf8(line.slice(at + 1).trim()))]];
    }),
  );
}

function unquoted(value: string): string {
  if (/^'.*'$/s.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  if (!/^".*"$/s.test(value)) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value.slice(1, -1);
  }
}
