/** `storage_stats` and `cleanup_outputs`: what captures take, and letting go of them. */
import * as z from 'zod';
import { CleanupParams, CleanupResult, StorageStats } from '../../../shared/lifecycle.ts';
import type { Host } from '../../host/host.ts';
import { parseArguments } from '../arguments.ts';
import { fitLists } from '../fit-lists.ts';
import type { OwnSession } from '../own-session.ts';
import { facts, jsonSchema, READS, type Tool } from './tool.ts';

const { shape } = CleanupParams;

const CleanupArguments = z.strictObject({
  session: shape.session.describe('Only in this session (the present one of this connection).'),
  older_than_hours: shape.older_than_hours.describe(
    'Those that ended at least so many hours ago; 0 is everything that has ended.',
  ),
  artifact_ids: shape.artifact_ids.describe(
    'Just these, whichever session they are in unless `session` is given.',
  ),
  keep: shape.keep.describe('artifact_ids that stay; given alone, everything else of the session goes.'),
  dry_run: shape.dry_run.describe('Only say what would go (false).'),
});

const Cleaned = CleanupResult.extend({ lists_cut: z.boolean() });
const NoArguments = z.strictObject({});
const Stats = StorageStats.extend({ lists_cut: z.boolean() });

export function storageStats(host: Host, maxReplyChars: number): Tool {
  return {
    definition: {
      name: 'storage_stats',
      title: 'What captures take on the disk',
      description:
        'Use this to see how much Spillway stores, by session and by watched directory, which sessions there are, and how long captures stay.',
      inputSchema: jsonSchema(NoArguments, 'input'),
      outputSchema: jsonSchema(Stats, 'output'),
      annotations: { title: 'What captures take on the disk', ...READS },
    },
    call: async (args, options) => {
      parseArguments('storage_stats', NoArguments, args);
      const fitted = fitLists(await host.stats(options), ['sessions', 'sources'], maxReplyChars);
      return facts({ ...fitted.facts, lists_cut: fitted.cut });
    },
  };
}

export function cleanupOutputs(host: Host, own: OwnSession, maxReplyChars: number): Tool {
  return {
    definition: {
      name: 'cleanup_outputs',
      title: 'Remove captured outputs',
      description:
        'Use this to remove captures that are no longer needed: of the present session unless another is named, by age, by artifact_id, or all but some. ' +
        'What still runs and what is pinned always stays; files in watched directories are never touched. Without an age, ids or `keep`, only what is older than the retention setting goes. ' +
        'The reply says what went, what stayed and why, and in `warnings` when there is no such session; try `dry_run` first.',
      inputSchema: jsonSchema(CleanupArguments, 'input'),
      outputSchema: jsonSchema(Cleaned, 'output'),
      annotations: {
        title: 'Remove captured outputs',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    call: async (args) => {
      const given = parseArguments('cleanup_outputs', CleanupArguments, args);
      // Ids are unmistakable; whatever else is asked for is asked of the caller's own.
      const session = given.session ?? (given.artifact_ids === undefined ? own.name : undefined);
      const result = await host.cleanup({ ...given, ...(session === undefined ? {} : { session }) });
      // The caller's own need not be there yet: nobody gave a name that could be mistyped.
      const warnings = given.session === undefined ? [] : result.warnings;
      const fitted = fitLists(
        { ...result, warnings },
        ['removed', 'stayed', 'removed_sessions', 'resting_sessions'],
        maxReplyChars,
      );
      return facts({ ...fitted.facts, lists_cut: fitted.cut });
    },
  };
}
