/** `search_outputs`: which outputs have lines that match. */
import * as z from 'zod';
import { describedFields } from '../../../shared/arguments/argument.ts';
import { SEARCH_ARGUMENTS } from '../../../shared/arguments/views.ts';
import { DEFAULT_LIST_LIMIT } from '../../../shared/limits.ts';
import type { FoundLine, FoundOutput, FoundOutputs } from '../../../shared/search-outputs.ts';
import { plural } from '../../../shared/text/format.ts';
import type { ReadProgress } from '../../host/host.ts';
import { parseArguments } from '../arguments.ts';
import { roomIn } from '../budget.ts';
import { maskedLine } from '../redaction.ts';
import { textReply } from '../reply.ts';
import { countFitting, IN_ARCHIVE, type WithArchive } from './list-outputs.ts';
import { definition, READS, type Tool } from './tool.ts';

const shape = describedFields(SEARCH_ARGUMENTS);
const Arguments = z.strictObject({
  pattern: z.string().describe('as in inspect_output'),
  ...shape,
  fixed: shape.fixed.describe('pattern is plain text'),
  case_sensitive: shape.case_sensitive.describe('pattern heeds case'),
  session: shape.session.describe('only this session'),
  kind: shape.kind.describe('only this kind'),
  status: shape.status.describe('only this status'),
  since: shape.since.describe('written since, as 2h'),
  cursor: shape.cursor.describe('next_cursor'),
  ...IN_ARCHIVE,
});

export function searchOutputs(host: WithArchive): Tool {
  return {
    definition: definition({
      name: 'search_outputs',
      title: 'Search all outputs',
      description:
        'Use this to find which outputs have a line, newest first, with counts. The second block is captured text.',
      input: Arguments,
      annotations: READS,
    }),
    call: async (args, options) => {
      const { host: machine, ...params } = parseArguments('search_outputs', Arguments, args);
      const { access, signal, budget } = options;
      const onProgress = ({ read_bytes }: ReadProgress) =>
        options.report({ progress: read_bytes, message: 'bytes searched' });
      let limit = params.limit ?? DEFAULT_LIST_LIMIT;
      for (;;) {
        const asked = { ...params, limit };
        const found =
          machine === undefined
            ? await host.searchOutputs(asked, { access, signal, onProgress })
            : await host.archive.search(asked, machine, { access, signal, onProgress });
        const head = headOf(found);
        const room = roomIn(budget.usualBytes);
        // Half of the room is for the lines. A smaller page is requested anew, so that its cursor is right.
        const fitting = countFitting(head, room / 2);
        if (fitting < head.outputs.length && limit > 1) limit = Math.max(1, fitting);
        else {
          const left = room - Buffer.byteLength(JSON.stringify(head));
          for (const { artifact_id, lines } of found.outputs)
            for (const line of lines)
              line.text = await maskedLine(host, { artifact_id }, line.line_number, line.text);
          const { text, truncated } = textOf(found.outputs, left);
          return textReply({ ...head, truncated }, text);
        }
      }
    },
  };
}

/** Leaves out the lines, which the text has. */
function headOf({ shapes: _, outputs, ...head }: FoundOutputs) {
  return { ...head, outputs: outputs.map(({ lines: _, truncated: _cut, ...facts }) => facts) };
}

const lineOf = ({ line_number, text, count }: FoundLine) =>
  `${line_number}:${text}${count > 1 ? `  (${count} like it)` : ''}`;

/**
 * Returns each output's name, then the first line of each, then the second of each, until the room is used. Names are
 * always there.
 */
function textOf(outputs: readonly FoundOutput[], room: number): { text: string; truncated: boolean } {
  const parts = outputs.map(({ artifact_id, label, match_count }) => [
    `[${artifact_id}, ${label}: ${plural(match_count, 'match', 'matches')}]`,
  ]);
  let left = parts.reduce((rest, [name]) => rest - Buffer.byteLength(name!) - 1, room);
  let truncated = outputs.some((one) => one.truncated);
  const rounds = Math.max(0, ...outputs.map(({ lines }) => lines.length));
  for (let round = 0; round < rounds; round++) {
    for (const [index, { lines }] of outputs.entries()) {
      const part = parts[index]!;
      // Its next line, unless one before did not fit.
      if (round >= lines.length || part.length <= round) continue;
      const line = lineOf(lines[round]!);
      const bytes = Buffer.byteLength(line) + 1;
      if (bytes > left) truncated = true;
      else {
        left -= bytes;
        part.push(line);
      }
    }
  }
  return { text: parts.length > 0 ? parts.flat().join('\n') : '(no lines)', truncated };
}
