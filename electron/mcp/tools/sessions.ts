/** `use_session` and `end_session`: which captures belong together, and when they are over. */
import * as z from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { EndSessionResult, Session } from '../../../shared/lifecycle.ts';
import { parseArguments } from '../arguments.ts';
import { fitLists } from '../fit-lists.ts';
import type { OwnSession } from '../own-session.ts';
import { facts, jsonSchema, type Tool } from './tool.ts';

const name = z.string().min(1).max(1000);

const UseArguments = z.strictObject({
  session: name.optional().describe('Name of the session, made when there is none (the present one).'),
  cwd: z.string().optional().describe('Directory for its commands that name none; absolute.'),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('Variables added to the environment of its commands; replaces those given before.'),
  ephemeral: z.boolean().optional().describe('Its captures go when this connection ends (false).'),
});

const EndArguments = z.strictObject({
  session: name.optional().describe('Name of the session (the present one).'),
  delete: z
    .boolean()
    .optional()
    .describe('Whether its captures are removed; by default as the setting `sessionEnd` says: kept.'),
});

const Ended = EndSessionResult.extend({ stopped: z.array(z.string()), lists_cut: z.boolean() });

/** `standsAlone`: nothing ties the calls of this connection together, so none can change what later ones mean. */
export function useSession(own: OwnSession, standsAlone: boolean): Tool {
  return {
    definition: {
      name: 'use_session',
      title: 'Use a session',
      description:
        'Use this before a task of several commands to keep their captures together under a name, or to set the directory and environment that its commands start with. ' +
        'Later calls of this connection belong to the session; without it they belong to one made for this connection. ' +
        'A session that is there already goes on with what it holds. The values of `env` are kept on this machine and never shown.',
      inputSchema: jsonSchema(UseArguments, 'input'),
      outputSchema: jsonSchema(Session, 'output'),
      annotations: {
        title: 'Use a session',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    call: async (args) => {
      const given = parseArguments('use_session', UseArguments, args);
      if (standsAlone) {
        throw new SpillwayError(
          'unsupported',
          'nothing ties the calls of this connection together',
          'give `session` (and `cwd`, `env`) with each call instead',
        );
      }
      return facts(await own.use(given));
    },
  };
}

/** `stop` ends what this connection runs in a session, and says which. */
export function endSession(
  own: OwnSession,
  stop: (session: string) => Promise<string[]>,
  maxReplyChars: number,
): Tool {
  return {
    definition: {
      name: 'end_session',
      title: 'End a session',
      description:
        'Use this when a task is done: the commands that this connection still runs in the session are stopped with all their children, and its captures are kept or, with `delete`, removed. ' +
        'The reply says what was stopped, what went and what stayed and why; pinned captures always stay. Later calls belong to a new session.',
      inputSchema: jsonSchema(EndArguments, 'input'),
      outputSchema: jsonSchema(Ended, 'output'),
      annotations: {
        title: 'End a session',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    call: async (args) => {
      const given = parseArguments('end_session', EndArguments, args);
      const stopped = await stop(given.session ?? own.name);
      const ended = await own.end(given);
      const fitted = fitLists(
        { ...ended, stopped },
        ['removed', 'stayed', 'removed_sessions', 'stopped'],
        maxReplyChars,
      );
      return facts({ ...fitted.facts, lists_cut: fitted.cut });
    },
  };
}
