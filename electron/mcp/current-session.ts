/** The session that an agent's calls belong to when they name none: one of its own, until it uses another. */
import { randomBytes } from 'node:crypto';
import { SpillwayError } from '../../shared/errors.ts';
import type { EndSessionResult, Session, UseSessionParams } from '../../shared/lifecycle.ts';
import type { Host } from '../host/host.ts';

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
