/** `search_outputs`: which outputs have lines that match. */
import * as z from 'zod';
import { describedFields } from '../../../shared/arguments/argument.ts';
import { SEARCH_ARGUMENTS } from '../../../shared/arguments/views.ts';
import type { FoundLine, FoundOutput } from '../../../shared/search-outputs.ts';
import { plural } from '../../../shared/text/format.ts';
import type { Host, ReadProgress } from '../../host/host.ts';
import { parseArguments } from '../arguments.ts';
import { roomIn } from '../budget.ts';
import { maskedLine } from '../redaction.ts';
import { textReply } from '../reply.ts';
import { definition, READS, type Tool } from './tool.ts';

const shape = describedFields(SEARCH_ARGUMENTS);
const Arguments = z.strictObject({
  pattern: z.string().describe('as in inspect_output'),
  ...shape,
  fixed: shape.fixed.describe('pattern is plain text'),
  case_sensitive: shape.case_sensitive.describe('pattern heeds case'),
  session: shape.session.describe('only of this session'),
  kind: shape.kind.describe('only this kind'),
  status: shape.status.describe('only with this status'),
  since: shape.since.describe('written since: a time, or 2h (ago)'),
  cursor: shape.cursor.describe('next_cursor'),
});

export function searchOutputs(host: Host): Tool {
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
      const params = parseArguments('search_outputs', Arguments, args);
      const { access, signal } = options;
      const onProgress = ({ read_bytes }: ReadProgress) =>
        options.report({ progress: read_bytes, message: 'bytes searched' });
      const found = await host.searchOutputs(params, { access, signal, onProgress });
      const { outputs, shapes: _, ...head } = found;
      for (const { artifact_id, lines } of outputs)
        for (const line of lines)
          line.text = await maskedLine(host, { artifact_id }, line.line_number, line.text);
      const { texts, truncated } = fitting(outputs, options.budget.usualBytes);
      return textReply(
        { ...head, outputs: outputs.map(({ lines: _, truncated: _cut, ...facts }) => facts), truncated },
        texts.length > 0 ? texts.join('\n') : '(no lines)',
      );
    },
  };
}

const lineOf = ({ line_number, text, count }: FoundLine) =>
  `${line_number}:${text}${count > 1 ? `  (${count} like it)` : ''}`;

/**
 * Returns as much as fits: of every output its name, then the first line of each, then the second of each, until the
 * room is used.
 */
function fitting(outputs: readonly FoundOutput[], maxBytes: number) {
  const names = outputs.map(
    ({ artifact_id, label, match_count }) =>
      `[${artifact_id}, ${label}: ${plural(match_count, 'match', 'matches')}]`,
  );
  // The head repeats the names and has the facts.
  let room = roomIn(maxBytes) - 4 * names.reduce((sum, name) => sum + Buffer.byteLength(name) + 1, 0);
  const shown = outputs.map(() => 0);
  let truncated = outputs.some((one) => one.truncated);
  const rounds = Math.max(0, ...outputs.map(({ lines }) => lines.length));
  for (let round = 0; round < rounds; round++) {
    for (const [index, { lines }] of outputs.entries()) {
      const line = lines[round];
      if (line === undefined || shown[index]! < round) continue;
      const bytes = Buffer.byteLength(lineOf(line)) + 1;
      if (bytes > room) truncated = true;
      else {
        room -= bytes;
        shown[index] = round + 1;
      }
    }
  }
  const texts = outputs.flatMap(({ lines }, index) => [
    names[index]!,
    ...lines.slice(0, shown[index]).map(lineOf),
  ]);
  return { texts, truncated };
}
