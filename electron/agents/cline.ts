/**
 * Cline. In an editor, a command that is left running is logged between two lines in brackets. On the command line it
 * writes no captures: its sessions' messages hold up to 48,000 characters of each output, and are listed themselves.
 */

import { join } from 'node:path';
import { type Agent, ANY, onPaths } from './agent.ts';
import { type Machine, plainServer, SERVER_NAME } from './client.ts';
import { field, startedIn, text } from './facts/calls.ts';
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
import { type FactFiles, factsOf } from './facts/fact-files.ts';
import { jsonFormat } from './formats/json.ts';

const strict = jsonFormat({ comments: false, trailingCommas: false });

const MESSAGES = /^[^.].*\.messages\.json$/;
const FOOTER =
  /\[(?:Command completed(?: with exit code (-?\d+))?|(Terminal closed[^\]\n]*|Command completion could not be observed[^\]\n]*|Command failed after detaching[^\]\n]*))\]\s*$/;

export const cline: Agent = {
  id: 'cline',
  captures: {
    locate: ({ home, env, temporary }) => [
      join(temporary, 'cline'),
      join(env.CLINE_DIR || join(home, '.cline'), 'data', 'sessions'),
    ],
    includes: onPaths([/^[^.].*\.log$/], [ANY, MESSAGES]),
    describe: ({ names }) =>
      MESSAGES.test(names.at(-1)!)
        ? { label: 'Cline session', session: names[0] ?? null }
        : startedIn(/-(\d{13})-[^-]+\.log$/, names.at(-1)!),
    frame: (ends, name) => (name.endsWith('.log') ? framed(ends) : UNFRAMED),
    detail,
  },
  client: {
    command: 'cline',
    traces: (machine) => [clineFolder(machine)],
    files: (machine, wanted) => [
      {
        path: join(clineFolder(machine), 'data', 'settings', 'cline_mcp_settings.json'),
        format: strict,
        settings: [
          {
            path: ['mcpServers', SERVER_NAME],
            value: { transport: { type: 'stdio', ...plainServer(wanted) } },
          },
        ],
        servers: { at: () => [['mcpServers']], form: 'transport' },
      },
    ],
    recording: { why: 'it has no setting for the shell of its commands' },
  },
  replies: { client: /cline/i, mostBytes: 8000 },
};

function framed(ends: FileEnds): TextFrame {
  const header = headerOf(ends, /^\[Running command: ([\s\S]*?)\]\n/);
  if (!header) return UNFRAMED;
  const footer = footerOf(ends, FOOTER);
  const [, exit, lost] = footer?.match ?? [];
  const cut = /\[Log size cap of \d+ bytes reached; further output is not logged\.\]\n$/.exec(
    footer ? ends.tail.slice(0, footer.match.index) : ends.tail,
  );
  const end = footer ? footer.at - (cut?.[0].length ?? 0) : null;
  return {
    start: header[0].length,
    end: end === null ? null : Math.max(header[0].length, end),
    facts: {
      command: latin1AsUtf8(header[1]!),
      truncated: cut !== null,
      ...(exit === undefined ? {} : outcome(Number(exit))),
      ...(footer && exit === undefined ? { status: lost === undefined ? 'finished' : 'interrupted' } : {}),
      ...(lost === undefined ? {} : { warnings: [latin1AsUtf8(lost)] }),
      ...(footer ? {} : { status: 'running' }),
    },
  };
}

async function detail(
  { path, stats }: AgentFile,
  facts: FactFiles,
  known: FileDescription,
): Promise<FileDescription> {
  if (!path.endsWith('.messages.json')) {
    // It never learns how a command ended when the editor went away.
    const isStill = known.status === 'running' && Date.now() - stats.mtimeMs > STALE_MS;
    return isStill ? { ...known, status: 'finished' } : known;
  }
  const session = await facts.json(path.replace(/\.messages\.json$/, '.json'));
  const { command: _, exit_code: __, status, ...reported } = factsOf(session);
  const title = text(field(session, 'metadata', 'title'));
  return {
    ...reported,
    ...(status === 'running' ? { status } : {}),
    ...(title === null ? {} : { label: `Cline session: ${title}` }),
  };
}

/** Its longest wait for a command. */
const STALE_MS = 50 * 3_600_000;

function clineFolder({ folder, env }: Machine): string {
  return env.CLINE_DIR || join(folder, '.cline');
}
