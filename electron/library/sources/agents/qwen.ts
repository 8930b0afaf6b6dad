/**
 * Qwen Code. Output of a tool has a header with the command and ends with its exit status; what runs in the background
 * has a file of JSON beside it.
 */

import { join } from 'node:path';
import type { FactFiles } from '../facts/fact-files.ts';
import type { FileDescription } from '../facts/file-description.ts';
import {
  exitCodeIn,
  type FileEnds,
  FOOTER_LINE,
  footerOf,
  headerOf,
  latin1AsUtf8,
  outcome,
  signalIn,
  type TextFrame,
  UNFRAMED,
} from '../facts/frame.ts';
import { factsOf } from '../facts/json-facts.ts';
import { ANY, onPaths } from '../facts/paths.ts';
import { type AgentFile, agentFolder, type SourceKind } from '../source.ts';

const TOOL_OUTPUT = /^[^.].*_[0-9a-f]{12}\.output$/;
const SHELL_OUTPUT = /^shell-bg_[0-9a-f]+\.output$/;
const HASH = /^[0-9a-f]{64}$/;

export const qwen: SourceKind = {
  ...agentFolder('qwen'),
  locate: ({ home }) => [join(home, '.qwen')],
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
};

const HEADER = /^Command: ([\s\S]*?)\nDirectory: ([^\n]*)\n(?:(?:Output|Stdout):[ \n]?)?/;
/** The file's last line may lack its end. */
const FIELD = `${FOOTER_LINE}?`;
const FOOTER = new RegExp(`\\n((?:${FIELD})*Exit Code: [^\\n]*\\n?(?:${FIELD})*)$`);

function framed(ends: FileEnds): TextFrame {
  const header = headerOf(ends, HEADER);
  if (!header) return UNFRAMED;
  const footer = footerOf(ends, FOOTER);
  const said = footer?.match[1] ?? '';
  const exit = exitCodeIn(said);
  const directory = latin1AsUtf8(header[2]!);
  return {
    start: header[0].length,
    end: footer ? Math.max(header[0].length, footer.at) : null,
    facts: {
      command: latin1AsUtf8(header[1]!),
      ...(directory.startsWith('/') || /^[A-Za-z]:/.test(directory)
        ? { cwd: directory, project: directory }
        : {}),
      ...(exit === null ? {} : outcome(exit)),
      ...(signalIn(said) ? { status: 'cancelled' as const } : {}),
    },
  };
}

async function detail({ path }: AgentFile, facts: FactFiles): Promise<FileDescription> {
  if (!path.includes('shell-bg_')) return {};
  return factsOf(await facts.json(path.replace(/\.output$/, '.status')));
}
