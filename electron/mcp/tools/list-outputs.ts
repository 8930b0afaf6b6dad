/** `list_outputs`: which captured outputs there are. */
import * as z from 'zod';
import { describedFields } from '../../../shared/arguments/argument.ts';
import { LIST_ARGUMENTS } from '../../../shared/arguments/views.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { DEFAULT_LIST_LIMIT } from '../../../shared/limits.ts';
import { shortenMiddle } from '../../../shared/text/format.ts';
import type { ListResult } from '../../../shared/views.ts';
import type { ArchiveLists } from '../../host/archive/access.ts';
import type { Host } from '../../host/host.ts';
import { parseArguments } from '../arguments.ts';
import { firstWords } from '../budget.ts';
import { factsReply } from '../reply.ts';
import { type CallOptions, definition, READS, type Tool } from './tool.ts';

export type WithArchive = Host & { archive: ArchiveLists };

/** Asks the archive instead. */
export const IN_ARCHIVE = { host: z.string().optional().describe('archive: a machine, or *') };

const shape = describedFields(LIST_ARGUMENTS);
const Arguments = z.strictObject({
  ...shape,
  session: shape.session.describe('only this session'),
  status: shape.status.describe('only this status'),
  query: shape.query.describe('text in id, label, command or path'),
  since: shape.since.describe('written since, as 2h'),
  cursor: shape.cursor.describe('next_cursor'),
  ...IN_ARCHIVE,
});

export function listOutputs(host: WithArchive): Tool {
  return {
    definition: definition({
      name: 'list_outputs',
      title: 'List captured outputs',
      description:
        'Use this to find the artifact_id of an output, or what still runs. ' +
        'Newest first, each with label, command, status, exit_code, streams (bytes, lines, file path).',
      input: Arguments,
      annotations: READS,
    }),
    call: async (args, options) => {
      const params = parseArguments('list_outputs', Arguments, args);
      return factsReply(await fittingPage(host, params, options));
    },
  };
}

/**
 * Returns a page that fits the reply, of at least one artifact. A smaller page is requested anew, so that its cursor
 * is right.
 */
async function fittingPage(
  host: WithArchive,
  { host: machine, ...params }: z.output<typeof Arguments>,
  options: CallOptions,
): Promise<ListResult> {
  let limit = params.limit ?? DEFAULT_LIST_LIMIT;
  for (;;) {
    const { outputs, ...rest } =
      machine === undefined
        ? await host.list({ ...params, limit }, { ...options, causes: true })
        : await host.archive.list({ ...params, limit }, machine, options);
    const page = { ...rest, outputs: outputs.map(shortened) };
    const fitting = countFitting(page, options.budget.usualBytes);
    if (fitting >= page.outputs.length || limit === 1) return page;
    limit = Math.max(1, fitting);
  }
}

/** A command may be a whole script, and a session may set thousands of variables. */
const MOST_CHARS = 200;

function shortened(artifact: Artifact): Artifact {
  const { command, args, env_names } = artifact;
  return {
    ...artifact,
    command: command === null ? null : shortenMiddle(command, MOST_CHARS),
    args: args === null ? null : firstWords(args, MOST_CHARS),
    env_names: env_names === null ? null : firstWords(env_names, MOST_CHARS),
  };
}

/** Returns how many outputs of a page fit into so many bytes. */
export function countFitting(page: { outputs: readonly object[] }, maxBytes: number): number {
  let bytes = Buffer.byteLength(JSON.stringify({ ...page, outputs: [] }));
  for (const [index, artifact] of page.outputs.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(artifact)) + 1;
    if (bytes > maxBytes) return index;
  }
  return page.outputs.length;
}
