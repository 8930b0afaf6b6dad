/** `storage_stats` and `cleanup_outputs`: what captures take, and letting go of them. */
import * as z from 'zod';
import { CleanupParams } from '../../../shared/lifecycle.ts';
import type { Host } from '../../host/host.ts';
import { parseArguments } from '../arguments.ts';
import { fitLists } from '../budget.ts';
import type { CurrentSession } from '../current-session.ts';
import { factsReply } from '../reply.ts';
import { definition, READS, type Tool } from './tool.ts';

const { shape } = CleanupParams;

const CleanupArguments = z.strictObject({
  session: shape.session.describe('its session (the current one)'),
  older_than_hours: shape.older_than_hours.describe('only what ended so many hours ago (0: all that ended)'),
  artifact_ids: shape.artifact_ids.describe('only these'),
  keep: shape.keep.describe('all but these; alone, all but these of the session'),
  dry_run: shape.dry_run.describe('only say what would go'),
});

const NoArguments = z.strictObject({});

export function storageStats(host: Host): Tool {
  return {
    definition: definition({
      name: 'storage_stats',
      title: 'Disk space of captures',
      description: 'Use this to see the disk space that captures take, and how long they are kept.',
      input: NoArguments,
      annotations: READS,
    }),
    call: async (args, options) => {
      parseArguments('storage_stats', NoArguments, args);
      const fitted = fitLists(
        await host.stats({}, options),
        ['sessions', 'sources'],
        options.budget.usualBytes,
      );
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
        'Use this to free disk space: removes captures, by default those past their retention. Running, pinned and watched ones stay. Try `dry_run` first.',
      input: CleanupArguments,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
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
