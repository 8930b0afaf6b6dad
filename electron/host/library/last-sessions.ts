/** Compares an agent's transcript of its last session with what was recorded of it. */

import type { ClientState, LastSession } from '../../../shared/agents.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { recordedCommand } from '../../../shared/secrets/mask.ts';
import type { Settings } from '../../../shared/settings.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { agentKinds } from '../../agents/agents.ts';
import { type Call, type Conversation, MAX_CONVERSATIONS } from '../../agents/facts/calls.ts';
import type { UserFolders } from '../../agents/facts/described.ts';
import { FactFiles } from '../../agents/facts/fact-files.ts';
import { isWithin } from '../../reader/bytes/path-text.ts';
import { Captures } from '../../store/captures.ts';
import type { Disk } from '../../workers/disk.ts';
import { diskHere } from '../../workers/disk.ts';
import { loadConfig } from '../settings/config.ts';
import { systemFolders } from '../settings/home-path.ts';

/** Commands that are named of those which were not recorded. */
const NAMED = 5;
const NAMED_CHARS = 100;
/** Captures that are looked through. */
const MAX_CAPTURES = 4000;
/** Times of the agent and of the recorder differ by less. */
const SKEW_MS = 2000;
/** Captures that are about to be removed are not looked for. */
const MARGIN_MS = 15 * 60_000;

interface LastSessionsOptions {
  home: string;
  user: UserFolders;
  disk: Disk;
  /** The newest captures. */
  captures(): Promise<readonly Artifact[]>;
}

type Recorded = Pick<Artifact, 'command' | 'started_at' | 'agent'>;

export class LastSessions {
  readonly #options: LastSessionsOptions;
  readonly #facts: FactFiles;

  constructor(options: LastSessionsOptions) {
    this.#options = options;
    this.#facts = new FactFiles(options.user, options.disk);
  }

  /** Adds the last session of each client whose commands are recorded. */
  async addedTo(clients: readonly ClientState[]): Promise<ClientState[]> {
    return Promise.all(
      clients.map(async (state) => {
        const { client, record, connected_ms: connectedMs } = state;
        if (record === null || connectedMs === null) return state;
        return { ...state, last_session: await this.of(client, connectedMs).catch(() => null) };
      }),
    );
  }

  /**
   * Returns null for an agent whose transcripts cannot be read, or without a command since `connectedMs` whose capture
   * would still be there. Never throws for an agent's broken files.
   */
  async of(client: string, connectedMs: number): Promise<LastSession | null> {
    const kind = agentKinds.find(({ agent }) => agent === client);
    if (!kind?.conversations) return null;
    const { settings } = loadConfig(this.#options.home);
    const keptMs = settings.retentionHours * 3_600_000 - MARGIN_MS;
    const sinceMs = Math.max(connectedMs, Date.now() - keptMs);
    let looked = 0;
    for await (const conversation of kind.conversations(this.#facts)) {
      const calls = conversation.calls.filter((call) => isToBeFound(call, sinceMs));
      if (calls.length > 0) {
        const recorded = (await this.#options.captures()).filter((one) => one.agent?.name === client);
        const { found, missing } = compared(calls, recorded, conversation.session);
        if (found + missing.length > 0) {
          const why = (call: Call) =>
            call.obstacle ?? this.#exclusion(call, settings) ?? late(conversation, connectedMs);
          return {
            commands: found + missing.length,
            recorded: found,
            missing: named(
              missing.map((call) => ({
                command: clipText(call.command!, NAMED_CHARS).text,
                why: why(call),
              })),
            ),
          };
        }
      }
      if (++looked === MAX_CONVERSATIONS) break;
    }
    return null;
  }

  /** As the recorder decides (agent-shell/recorder/rare/parse.pl). */
  #exclusion({ command, cwd }: Call, { recordExclude, recordExcludeFolders }: Settings): string | null {
    if (recordExclude.some((pattern) => isMatch(pattern, command!))) return 'recordExclude leaves it out';
    const folders = recordExcludeFolders.map((folder) =>
      folder.replace(/^~(?=\/|$)/, this.#options.user.home),
    );
    return cwd !== null && folders.some((folder) => isWithin(cwd, folder.replace(/(?<=.)\/+$/, '')))
      ? 'recordExcludeFolders leaves it out'
      : null;
  }
}

/** For a process without a host. */
export function lastSessionsHere(home: string): LastSessions {
  const found: Artifact[] = [];
  const { retentionHours } = loadConfig(home).settings;
  const captures = new Captures({
    ...{ home, retentionHours, onRemove: () => {} },
    onPut: (artifact) => found.push(artifact),
  });
  return new LastSessions({
    ...{ home, user: systemFolders(), disk: diskHere() },
    captures: () => newestCommands(captures, () => found),
  });
}

export async function newestCommands(
  captures: Captures,
  all: () => readonly Artifact[],
): Promise<readonly Artifact[]> {
  await captures.newest(MAX_CAPTURES);
  return all().filter(({ kind, command }) => kind !== 'file' && command !== null);
}

function isToBeFound({ isShell, command, startedMs }: Call, sinceMs: number): boolean {
  return isShell && command !== null && /\S/.test(command) && startedMs !== null && startedMs >= sinceMs;
}

/**
 * Gives each call a capture of its own: of the same command, or of one with something around it, begun while the call
 * lasted.
 */
export function compared(
  calls: readonly Call[],
  recorded: readonly Recorded[],
  session: string | null,
): { found: number; missing: Call[] } {
  const free = new Set(recorded);
  const isOf = (call: Call, one: Recorded) => {
    const ofIt = one.agent?.session ?? null;
    // Where the agent gives its commands no name, the recorder names its process.
    if (session !== null && ofIt !== null && !ofIt.startsWith('pid-') && ofIt !== session) return false;
    const ms = Date.parse(one.started_at ?? '');
    return ms >= call.startedMs! - SKEW_MS && ms <= (call.endedMs ?? Number.POSITIVE_INFINITY) + SKEW_MS;
  };
  const take = (isAlike: (given: string, kept: string) => boolean) => (call: Call) => {
    const given = recordedCommand(call.command!.trim());
    for (const one of free)
      if (one.command !== null && isAlike(given, recordedCommand(one.command.trim())) && isOf(call, one))
        return !free.delete(one);
    return true;
  };
  const inOrder = [...calls].sort((a, b) => a.startedMs! - b.startedMs!);
  const others = inOrder
    .filter(take((given, kept) => given === kept))
    .filter(take((given, kept) => kept.includes(given)));
  // A call that still waits, or was refused, did not run.
  const missing = others.filter(
    ({ exitCode, status }) => exitCode !== null || (status !== null && status !== 'running'),
  );
  return { found: calls.length - others.length, missing };
}

/** Puts those without a reason first, then one for each reason. */
function named(missing: LastSession['missing']): LastSession['missing'] {
  const seen = new Set<string | null>([null]);
  const ofReasons = missing.filter(({ why }) => !seen.has(why) && seen.add(why));
  const unknown = missing.filter(({ why }) => why === null);
  return [...new Set([...unknown, ...ofReasons, ...missing])].slice(0, NAMED);
}

function isMatch(pattern: string, command: string): boolean {
  try {
    return new RegExp(pattern).test(command);
  } catch {
    return false;
  }
}

function late({ startedMs }: Conversation, connectedMs: number): string | null {
  return startedMs !== null && startedMs < connectedMs ? 'its session began before it was connected' : null;
}
