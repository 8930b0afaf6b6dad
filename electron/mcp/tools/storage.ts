/** `storage_stats` and `cleanup_outputs`: what captures take, and letting go of them. */
import * as z from 'zod';
import { CleanupParams } from '../../../shared/lifecycle.ts';
import type { Host } from '../../host/host.ts';
import { parseArguments } from '../arguments.ts';
import type { CurrentSession } from '../current-session.ts';
import { fitLists } from '../replies/budget.ts';
import { factsReply } from '../replies/reply.ts';
import { definition, READS, type Tool } from './tool.ts';

const { shape } = CleanupParams;

const CleanupArguments = z.strictObject({
  session: shape.session.describe('only of this session (the current one)'),
  older_than_hours: shape.older_than_hours.describe(
    'only those that ended so many hours ago; 0: all that ended',
  ),
  artifact_ids: shape.artifact_ids.describe('only these, in any session'),
  keep: shape.keep.describe('artifact_ids to keep; alone, the rest of the session is removed'),
  dry_run: shape.dry_run.describe('only report what would be removed'),
});

const NoArguments = z.strictObject({});

export function storageStats(host: Host): Tool {
  return {
    definition: definition({
      name: 'storage_stats',
      title: 'Disk space of captures',
      description:
        'Use this to see how much disk space captures take, by session and by watched folder, and how long they are kept.',
      input: NoArguments,
      annotations: READS,
      search: 'disk usage, storage, sessions, retention',
    }),
    call: async (args, options) => {
      parseArguments('storage_stats', NoArguments, args);
      const fitted = fitLists(await host.stats(options), ['sessions', 'sources'], options.budget.usualBytes);
      return factsReply({ ...fitted.facts, lists_cut: fitted.cut });
    },
  };
}

export function cleanupOutputs(host: Host, current: CurrentSession): Tool {
  return {
    definition: definition({
      name: 'cleanup_outputs',
      title: 'Remove captured outputs',
      description:
        'Use this to remove captures that are no longer needed: by age, by artifact_id, or all but some. ' +
        'Running and pinned ones stay, and watched files are never touched. Without arguments, removes what is past the retention settings. ' +
        'Try `dry_run` first.',
      input: CleanupArguments,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
      search: 'cleanup, delete captures, free disk space',
    }),
    call: async (args, { budget }) => {
      const given = parseArguments('cleanup_outputs', CleanupArguments, args);
      // Ids are unique across sessions; without them, only the caller's own session is cleaned up.
      const session = given.session ?? (given.artifact_ids === undefined ? current.name : undefined);
      const result = await host.cleanup({ ...given, ...(session === undefined ? {} : { session }) });
      // The caller's own session may not exist yet. Warn of a missing one only if it was named: it may be mistyped.
      const warnings = given.session === undefined ? [] : result.warnings;
      const fitted = fitLists(
        { ...result, warnings },
        ['removed', 'stayed', 'removed_sessions', 'resting_sessions'],
        budget.usualBytes,
      );
      return factsReply({ ...fitted.facts, lists_cut: fitted.cut });
    },
  };
}
