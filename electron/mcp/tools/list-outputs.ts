/** `list_outputs`: which captured outputs there are. */
import * as z from 'zod';
import { describedFields } from '../../../shared/arguments/argument.ts';
import { LIST_ARGUMENTS } from '../../../shared/arguments/views.ts';
import { DEFAULT_LIST_LIMIT } from '../../../shared/limits.ts';
import { ListResult } from '../../../shared/views.ts';
import type { Host, RequestOptions } from '../../host/host.ts';
import { parseArguments } from '../arguments.ts';
import { facts, jsonSchema, READS, type Tool } from './tool.ts';

const Arguments = z.strictObject(describedFields(LIST_ARGUMENTS));

/** `maxReplyChars`: longest reply, in characters of JSON; at least one artifact is given all the same. */
export function listOutputs(host: Host, maxReplyChars: number): Tool {
  return {
    definition: {
      name: 'list_outputs',
      title: 'List captured outputs',
      description:
        'Use this to find an output that Spillway holds (of a command, a tool, a terminal, or a file in a watched directory) when you do not know its artifact_id, or to see what is still running. ' +
        'Newest first. Each entry has the artifact_id that inspect_output takes, a label, the command, the status and, per stream, bytes, lines (null until counted) and the file path. ' +
        'Narrow it with `query`, `kind`, `status` or `session`; go on with `next_cursor` as `cursor`.',
      inputSchema: jsonSchema(Arguments, 'input'),
      outputSchema: jsonSchema(ListResult, 'output'),
      annotations: { title: 'List captured outputs', ...READS },
    },
    call: async (args, options) =>
      facts(await fittingPage(host, parseArguments('list_outputs', Arguments, args), maxReplyChars, options)),
  };
}

/** A page cut to what fits; asked for anew at its smaller size, so that its cursor is the right one. */
async function fittingPage(
  host: Host,
  params: z.output<typeof Arguments>,
  maxChars: number,
  options: RequestOptions,
): Promise<ListResult> {
  let limit = params.limit ?? DEFAULT_LIST_LIMIT;
  for (;;) {
    const page = await host.list({ ...params, limit }, options);
    const fitting = countFitting(page, maxChars);
    if (fitting >= page.outputs.length || limit === 1) return page;
    limit = Math.max(1, fitting);
  }
}

function countFitting(page: ListResult, maxChars: number): number {
  let chars = JSON.stringify({ ...page, outputs: [] }).length;
  for (const [index, artifact] of page.outputs.entries()) {
    chars += JSON.stringify(artifact).length + 1;
    if (chars > maxChars) return index;
  }
  return page.outputs.length;
}
