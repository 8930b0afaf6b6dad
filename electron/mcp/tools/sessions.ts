/** `use_session` and `end_session`: which captures belong together, and when they are over. */
import * as z from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { parseArguments } from '../arguments.ts';
import type { CurrentSession } from '../current-session.ts';
import { fitLists } from '../replies/budget.ts';
import { factsReply } from '../replies/reply.ts';
import { definition, fromUser, type Tool } from './tool.ts';

const name = z.string().min(1).max(1000);

const UseArguments = z.strictObject({
  session: name.optional().describe('session name, created if missing (default: current)'),
  cwd: z.string().optional().describe('absolute directory for commands that name none'),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('variables for its commands; replaces those set before'),
  ephemeral: z.boolean().optional().describe('its captures are removed when this connection ends'),
});

const EndArguments = z.strictObject({
  session: name.optional().describe('session name (default: current)'),
  delete: z.boolean().optional().describe('remove its captures (as the setting `sessionEnd` says: kept)'),
});

/** `standsAlone`: the connection keeps no session between calls, so no call can change what later ones mean. */
export function useSession(current: CurrentSession, standsAlone: boolean): Tool {
  return {
    definition: definition({
      name: 'use_session',
      title: 'Use a session',
      description:
        'Use this before a task of several commands to keep their captures together under a name, or to set the directory and environment they start in. ' +
        'Later calls of this connection belong to the session; one that exists goes on. Values of `env` are never shown.',
      input: UseArguments,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      search: 'session, working directory, cwd, environment variables, task',
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
      return factsReply(await current.use({ ...given, ...cwd }));
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
        'Use this when a task is done: its running commands are stopped, and its captures are kept or, with `delete`, removed (pinned ones stay). ' +
        'Later calls belong to a new session.',
      input: EndArguments,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
      search: 'end session, task done, stop commands, remove captures',
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
