/** `use_session` and `end_session`: which captures belong together, and when they are over. */

import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import {
  CleanupParams,
  type EndSessionResult,
  type Session,
  type UseSessionParams,
} from '../../../shared/lifecycle.ts';
import type { Host } from '../../host/host.ts';
import { fromUser } from '../../host/settings/home-path.ts';
import { parseArguments } from '../arguments.ts';
import { firstWords, fitLists } from '../budget.ts';
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

/** The session that an agent's calls belong to when they name none: one of its own, until it uses another. */
export interface CurrentSessionOptions {
  /** A session to use from the start. It stays when the agent leaves. */
  session?: string | undefined;
  /** Captures go when the agent leaves. */
  ephemeral?: boolean | undefined;
}

type Defaults = { [K in keyof UseSessionParams]?: UseSessionParams[K] | undefined };

export class CurrentSession {
  readonly #host: Host;
  readonly #ephemeral: boolean;
  #name: string;
  /** It was made up here, so it ends here. */
  #ours: boolean;
  #made = false;
  /** Its captures go when it is left. */
  #goes: boolean;

  constructor(host: Host, options: CurrentSessionOptions) {
    this.#host = host;
    this.#ephemeral = options.ephemeral ?? false;
    this.#goes = this.#ephemeral;
    this.#ours = options.session === undefined;
    this.#name = options.session ?? freshName();
  }

  /** Nothing of it need be on disk. */
  get name(): string {
    return this.#name;
  }

  /** Returns the session for a capture, `asked` or this one, and makes it if it must exist beforehand. */
  async forCapture(asked: string | undefined): Promise<string> {
    if (asked !== undefined && asked !== this.#name) return asked;
    if (this.#ephemeral && !this.#made) await this.#host.useSession({ session: this.#name, ephemeral: true });
    this.#made = true;
    return this.#name;
  }

  async use(given: Defaults): Promise<Session> {
    const { session = this.#name, ...rest } = given;
    const isCurrent = session === this.#name;
    const ephemeral = rest.ephemeral ?? (isCurrent && this.#ephemeral ? true : undefined);
    const used = await this.#host.useSession({
      session,
      ...(rest.cwd === undefined ? {} : { cwd: rest.cwd }),
      ...(rest.env === undefined ? {} : { env: rest.env }),
      ...(ephemeral === undefined ? {} : { ephemeral }),
    });
    if (!isCurrent) await this.#leave();
    this.#goes = used.ephemeral && (rest.ephemeral === true || (isCurrent && this.#goes));
    this.#ours = isCurrent && this.#ours;
    this.#made = true;
    this.#name = session;
    return used;
  }

  /**
   * Ends a session. After the current session has ended, later captures go to a new one. Errors are those of
   * `Host.endSession`, except that the current session can also end while it is empty.
   */
  async end(given: {
    session?: string | undefined;
    delete?: boolean | undefined;
  }): Promise<EndSessionResult> {
    const { session = this.#name, delete: goes } = given;
    const result = await this.#host
      .endSession({ session, ...(goes === undefined ? {} : { delete: goes }) })
      .catch((error: unknown) => {
        const isUnknown = error instanceof SpillwayError && error.code === 'not_found';
        if (isUnknown && session === this.#name) return nothingIn(session);
        throw error;
      });
    if (session === this.#name) {
      this.#name = freshName();
      this.#ours = true;
      this.#goes = this.#ephemeral;
      this.#made = false;
    }
    return result;
  }

  async close(): Promise<void> {
    await this.#leave();
  }

  async #leave(): Promise<void> {
    if (!this.#made || !(this.#ours || this.#goes)) return;
    this.#made = false;
    await this.#host
      .endSession({ session: this.#name, ...(this.#goes ? { delete: true } : {}) })
      .catch(() => {});
  }
}

function nothingIn(session: string): EndSessionResult {
  return {
    ...{ session, ended_at: new Date().toISOString(), deleted: false },
    ...{ removed_count: 0, removed_bytes: 0, stayed_count: 0, removed: [], stayed: [] },
    removed_sessions: [],
  };
}

function freshName(): string {
  const at = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return `mcp-${at}-${randomBytes(3).toString('hex')}`;
}
