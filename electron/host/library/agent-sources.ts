/**
 * Finds agents' directories, now and when they appear, and watches the sources that are switched on. A process
 * that serves an agent reads only the sources open to it.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Settings, SourceSetting } from '../../../shared/settings.ts';
import type { Rescue, SourceChange, SourceInfo, SourceList } from '../../../shared/sources.ts';
import { nearest } from '../../../shared/text/nearest.ts';
import type { SourceKind } from '../../agents/agent.ts';
import { agentKinds } from '../../agents/agents.ts';
import type { UserFolders } from '../../agents/facts/described.ts';
import type { Library } from '../../library/library.ts';
import type { Source } from '../../library/source.ts';
import type { Disk } from '../../workers/disk.ts';
import { readRescued } from '../recording/rescue.ts';
import { loadConfig } from '../settings/config.ts';
import { ConfigText } from '../settings/edit-config.ts';

/** How often to look for directories that did not exist. */
const CHECK_MS = 1000;

interface AgentSourcesOptions {
  home: string;
  library: Library;
  user: UserFolders;
  /** Look for directories that appear later. */
  watch: boolean;
  /** Watches over the growth of sources that agents may not read over MCP, and no more. */
  onlyGuards: boolean;
  /** Called when the settings have changed, here or in the file. */
  onChange(): void;
}

export class AgentSources {
  readonly #options: AgentSourcesOptions;
  readonly #sources = new Map<string, Source>();
  /** Directories looked at so far, by kind and the kind's path. */
  readonly #seen = new Set<string>();
  #settings: Settings['sources'] = [];
  #timer: NodeJS.Timeout | null = null;
  #refreshing: Promise<void> = Promise.resolve();
  #closed = false;
  /** State of config.json when last read. */
  #stamp: number | null = null;

  constructor(options: AgentSourcesOptions) {
    this.#options = options;
  }

  /** Resolves when the directories that exist now are sources; their files are not listed yet. */
  async start(settings: Settings['sources']): Promise<void> {
    this.#settings = settings;
    this.#stamp = stampOf(this.#options.home);
    await this.#refresh();
    if (this.#options.watch) this.#refreshLater();
  }

  async sources(): Promise<SourceList> {
    await this.#options.library.listed();
    const counts = this.#counts();
    const rescued = readRescued(this.#options.home);
    const found: SourceInfo[] = [];
    for (const kind of agentKinds) {
      const { enabled, mcp, rescue } = this.#settingOf(kind);
      const folders = this.#isOff
        ? []
        : await foldersOf(kind, this.#options.user, this.#options.library.disk);
      const { captures, bytes } = counts.get(kind.name) ?? { captures: 0, bytes: 0 };
      // Every user has a temporary folder: only captures in it show that the agent is used.
      const own = folders.filter((path) => captures > 0 || !this.#isShared(path));
      if (own.length === 0 && settingOf(kind, this.#settings) === null) continue;
      const { name, title } = kind;
      found.push({
        name,
        title,
        agent: kind.agent ?? null,
        folders: own,
        enabled,
        mcp,
        rescue,
        rescued: rescued[name] ?? null,
        captures,
        bytes,
        in_memory: (await Promise.all(own.map((path) => this.#options.library.disk.space(path)))).some(
          (space) => space?.inMemory,
        ),
      });
    }
    const undecided = agentKinds.every((kind) => settingOf(kind, this.#settings) === null);
    return { sources: found, undecided: undecided && found.length > 0 };
  }

  async setSources({ names, ...change }: SourceChange): Promise<SourceList> {
    for (const name of names) checkSourceName(name);
    writeSources(this.#options.home, new Map(names.map((name) => [name, change])));
    await this.apply();
    return this.sources();
  }

  /** Applies the current settings: config.json has changed. */
  async apply(): Promise<void> {
    this.#stamp = stampOf(this.#options.home);
    this.#settings = loadConfig(this.#options.home).settings.sources;
    for (const [key, source] of this.#sources) {
      const { enabled, mcp } = this.#settingOf(source.kind);
      if (enabled && mcp === source.readableOverMcp) continue;
      this.#options.library.removeSource(source);
      this.#sources.delete(key);
      this.#seen.clear();
    }
    await this.#refresh();
    this.#options.onChange();
  }

  /** Returns which of an agent's captures to keep when it deletes them. */
  rescue(agent: string): Rescue {
    const kind = agentKinds.find(({ name }) => name === agent);
    return kind ? this.#settingOf(kind).rescue : 'off';
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  get #isOff(): boolean {
    return this.#options.user.env.SPILLWAY_FIND_AGENTS === '0';
  }

  #refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.then(() => this.#refreshNow());
    return this.#refreshing;
  }

  async #refreshNow(): Promise<void> {
    // The value 0 switches agents' directories off.
    if (this.#isOff) return;
    const { library, user, onlyGuards } = this.#options;
    const wanted = agentKinds
      .filter((kind) => this.#settingOf(kind).enabled)
      .flatMap((kind) => kind.locate?.(user).map((path) => ({ kind, path })) ?? [])
      .filter(({ kind, path }) => !this.#seen.has(`${kind.name} ${path}`));
    const found = await library.disk.foldersAt(wanted.map(({ path }) => path));
    for (const [index, { kind, path: named }] of wanted.entries()) {
      const path = found[index] ?? null;
      if (path !== null && !this.#closed) {
        this.#seen.add(`${kind.name} ${named}`);
        const { mcp } = this.#settingOf(kind);
        const key = `${kind.name} ${path}`;
        if (this.#sources.has(key)) continue;
        const isOnlyGuarded = onlyGuards && !mcp;
        const source: Source = { path, kind, readableOverMcp: mcp, isOnlyGuarded };
        this.#sources.set(key, source);
        // A slow or unreadable one must not delay the others.
        void library.addSource(source, true).catch(() => {});
      }
    }
  }

  #refreshLater(): void {
    this.#timer = setTimeout(async () => {
      const isChanged = stampOf(this.#options.home) !== this.#stamp;
      await (isChanged ? this.apply() : this.#refresh()).catch(() => {});
      if (!this.#closed) this.#refreshLater();
    }, CHECK_MS).unref();
  }

  #settingOf(kind: SourceKind): KindSetting {
    return settingOf(kind, this.#settings) ?? { enabled: true, mcp: false, rescue: 'off' };
  }

  #isShared(path: string): boolean {
    return agentKinds.filter((kind) => this.#sources.has(`${kind.name} ${path}`)).length > 1;
  }

  #counts(): Map<string, { captures: number; bytes: number }> {
    const counts = new Map<string, { captures: number; bytes: number }>();
    for (const { kind, sourceName, bytes } of this.#options.library.catalogue.listed()) {
      if (kind !== 'file' || sourceName === null) continue;
      const count = counts.get(sourceName) ?? { captures: 0, bytes: 0 };
      count.captures += 1;
      count.bytes += bytes;
      counts.set(sourceName, count);
    }
    return counts;
  }
}

function stampOf(home: string): number | null {
  return statSync(join(home, 'config.json'), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Names the agents with a kind of source. An agent that can only be connected, such as Amp, is none of them. */
export const AGENT_SOURCE_NAMES: readonly string[] = agentKinds.map(({ name }) => name);

/** Throws `not_found`, with the names there are, for a name that no agent's source has. */
export function checkSourceName(name: string): void {
  if (AGENT_SOURCE_NAMES.includes(name)) return;
  const [near] = nearest(name, AGENT_SOURCE_NAMES, 1);
  throw new SpillwayError(
    'not_found',
    `there is no source ${JSON.stringify(name.slice(0, 200))}`,
    `${near ? `did you mean ${near}? The` : 'the'} sources are ${AGENT_SOURCE_NAMES.join(', ')}`,
  );
}

/** The settings of one kind. */
interface KindSetting {
  enabled: boolean;
  mcp: boolean;
  rescue: Rescue;
}

/** Returns what the settings say about a kind, or null where they say nothing. */
export function settingOf(kind: SourceKind, settings: readonly SourceSetting[]): KindSetting | null {
  const found = settings.find((one) => typeof one === 'object' && 'kind' in one && one.kind === kind.name);
  return typeof found === 'object' && 'kind' in found ? found : null;
}

/** Resolves with the real paths of a kind's directories that exist. */
export async function foldersOf(kind: SourceKind, user: UserFolders, disk: Disk): Promise<string[]> {
  const found = await disk.foldersAt(kind.locate?.(user) ?? []);
  return [...new Set(found.filter((path) => path !== null))];
}

type Decision = Omit<SourceChange, 'names'>;

/** Throws `home` where config.json cannot be read as JSON, or written. */
function writeSources(home: string, decisions: ReadonlyMap<string, Decision>): void {
  const file = new ConfigText(home);
  if (!Array.isArray(file.given.sources)) file.set(['sources'], []);
  for (const [kind, decision] of decisions) {
    const { sources } = file.given as { sources: unknown[] };
    const index = sources.findIndex(
      (one) => typeof one === 'object' && one !== null && (one as { kind?: unknown }).kind === kind,
    );
    const known = index < 0 ? { kind, enabled: true, mcp: false } : (sources[index] as object);
    const value = JSON.parse(JSON.stringify({ ...known, ...decision })) as object;
    file.set(['sources', index < 0 ? sources.length : index], value, index < 0);
  }
  file.save();
}
