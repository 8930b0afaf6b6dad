/** `use_session` and `end_session`: which captures belong together, and when they are over. */
import * as z from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { CleanupParams } from '../../../shared/lifecycle.ts';
import type { Host } from '../../host/host.ts';
import { fromUser } from '../../host/settings/home-path.ts';
import { parseArguments } from '../arguments.ts';
import { firstWords, fitLists } from '../budget.ts';
import type { CurrentSession } from '../current-session.ts';
import { factsReply } from '../reply.ts';
import { definition, READS, type Tool } from './tool.ts';

/** Most characters of the names of a session's variables in a reply. */
const MOST_NAMES_CHARS = 2000;

const name = z.string().min(1).max(1000);

const UseArguments = z.strictObject({
  session: name.optional().describe('name, made if missing (the current one)'),
  cwd: z.string().optional().describe('absolute directory of its commands'),
  env: z.record(z.string(), z.string()).optional().describe('their variables, instead of those set before'),
  ephemeral: z.boolean().optional().describe('its captures go with this connection'),
});

const EndArguments = z.strictObject({
  session: name.optional().describe('name (the current one)'),
  delete: z.boolean().optional().describe('remove its captures (as `sessionEnd` says: kept)'),
});

/** `standsAlone`: the connection keeps no session between calls, so no call can change what later ones mean. */
export function useSession(current: CurrentSession, standsAlone: boolean): Tool {
  return {
    definition: definition({
      name: 'use_session',
      title: 'Use a session',
      description:
        'Use this before a task to keep its captures together, or to set the directory and environment of its commands. Later calls belong to it.',
      input: UseArguments,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    }),
    call: async (args) => {
      const given = parseArguments('use_session', UseArguments, args);
      if (standsAlone) {
        throw new SpillwayError(
          'unsupported',
          'this connection keeps no session between calls',
          'give `session` (and `cwd`, `env`) with each call instead',
        );
      }
      const cwd = given.cwd === undefined ? {} : { cwd: fromUser(given.cwd) };
      const used = await current.use({ ...given, ...cwd });
      return factsReply({ ...used, env_names: firstWords(used.env_names, MOST_NAMES_CHARS) });
    },
  };
}

/** `stop` ends what this connection runs in a session, and says which. */
export function endSession(current: CurrentSession, stop: (session: string) => Promise<string[]>): Tool {
  return {
    definition: definition({
      name: 'end_session',
      title: 'End a session',
      description:
        'Use this when a task is done: stops its commands, and with `delete` removes its captures, but pinned ones.',
      input: EndArguments,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        openWorldHint: false,
      },
    }),
    call: async (args, { budget }) => {
      const given = parseArguments('end_session', EndArguments, args);
      const stopped = await stop(given.session ?? current.name);
      const ended = await current.end(given);
      const fitted = fitLists(
        { ...ended, stopped },
        ['removed', 'stayed', 'removed_sessions', 'stopped'],
        budget.usualBytes,
      );
      return factsReply({ ...fitted.facts, lists_cut: fitted.cut });
    },
  };
}

/** `storage_stats` and `cleanup_outputs`: what captures take, and letting go of them. */
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
