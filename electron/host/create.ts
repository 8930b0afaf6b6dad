/** Builds the host: pool, library and documents, and on top of them the parts of the API in host.ts. */

import { seenOf } from '../../shared/activity.ts';
import { type Notice, requests } from '../../shared/api/api.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { isFileId } from '../../shared/artifact-names.ts';
import type { CompareParams } from '../../shared/comparison.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { secretsOf } from '../../shared/secrets/mask.ts';
import { PREVIEW_BYTES } from '../../shared/setting-rules.ts';
import type { Settings } from '../../shared/settings.ts';
import type { UserFolders } from '../agents/facts/described.ts';
import { Library } from '../library/library.ts';
import { Disk } from '../workers/disk.ts';
import { createPool, type Pool } from '../workers/pool.ts';
import { activityPage, passedOn, readActivity } from './activity.ts';
import { Documents } from './documents/document.ts';
import { spoolIn } from './documents/origins/spool.ts';
import { OwnCaptures } from './documents/targets/own-captures.ts';
import { TargetDocuments } from './documents/targets/target-documents.ts';
import { Guard } from './guard.ts';
import type { Access, ClientsApi, Host, HostRequest, RequestOptions, RequestsApi } from './host.ts';
import { AgentSources } from './library/agent-sources.ts';
import { sameFailureBefore } from './library/baselines.ts';
import { CauseFinder } from './library/cause-finder.ts';
import { LastSessions, newestCommands } from './library/last-sessions.ts';
import { Listing } from './library/listing.ts';
import { MessageTables, TableKeeper } from './library/message-tables.ts';
import { PathOpener } from './library/opened.ts';
import { Lifecycle, pinFile } from './lifecycle/lifecycle.ts';
import { stopCommand, stopPlan } from './lifecycle/stop-command.ts';
import { Tidying } from './lifecycle/tidying.ts';
import { openInEditor } from './open-in-editor.ts';
import { Rescuer, rescuedBytes } from './recording/rescue.ts';
import { DroppedFiles } from './recording/stream.ts';
import { FilterJobs } from './search/filter-job.ts';
import { WindowFilters } from './search/filters.ts';
import { Searches } from './search/search-job.ts';
import { highlightTexts, readHighlighters, WindowSearch, writeHighlighters } from './search/window-search.ts';
import { type LiveSettings, loadConfig } from './settings/config.ts';
import { changePreference, readPreferences } from './settings/edit-config.ts';
import { systemFolders } from './settings/home-path.ts';
import { showInFolder } from './show-in-folder.ts';
import { Terminals } from './terminal/terminals.ts';
import { alignOutputs, compareOutputs } from './views/compare.ts';
import { failureReport } from './views/report.ts';
import { searchOutputs } from './views/search-outputs.ts';
import { Texts } from './views/texts.ts';

interface HostOptions {
  /** Spillway's home. It may be missing if nothing is served. */
  home: string;
  /** Files and directories to open: absolute paths, or relative to the working directory. */
  paths?: readonly string[];
  /** Whether to follow changes in the sources, rather than look at each once. */
  watch: boolean;
  /** Threads for heavy work; 0 runs it on the caller's thread. */
  threads?: number;
  /**
   * Folders are read when this resolves, or earlier if the list is requested; at once without it.
   */
  starting?: Promise<unknown>;
  /** Whether this process is the inspector, which publishes the paths it opens to the home's other processes. */
  publish?: boolean;
  /**
   * Cleans up by the retention settings at the start and every ten minutes, and compresses idle sessions. A number
   * delays the first round by that many milliseconds.
   */
  tidy?: boolean | number;
  /** The folders of agents' captures; by default the user's own. */
  user?: UserFolders;
  /** Connects agents, for the window. */
  clients?: ClientsApi;
  /** Called when config.json has changed. */
  onSettings?: (settings: Settings) => void;
}

export interface LocalHost extends Host {
  /** For tests that kill its threads. */
  readonly pool: Pool;
}

/** Paths that cannot be opened become warnings. */
export async function createHost(options: HostOptions): Promise<LocalHost> {
  const config = loadConfig(options.home);
  const parts = partsOf(options, config.settings);
  const { library, opening, agents, begin } = parts;
  const problems = await opening.start(config.settings.sources, options.paths ?? []);
  await agents.start(config.settings.sources);
  // A process that does not watch answers one question, so everything is listed first.
  if (!options.watch) await library.listed();
  parts.started();
  if (options.starting) void options.starting.then(begin, begin);
  else begin();
  return hostOf(parts, options, () => [...config.warnings, ...problems, ...library.problems]);
}

type Parts = ReturnType<typeof partsOf>;

function partsOf(options: HostOptions, atStart: Settings) {
  const { home, watch, publish = false, tidy = false } = options;
  let started = false;

  /** The settings from the current config.json, which parts ask at each use. */
  let settings = atStart;
  const live: LiveSettings = {
    get maxLineChars() {
      return settings.maxLineChars;
    },
    get previewBytes() {
      return PREVIEW_BYTES[settings.previewSize];
    },
    get fieldPatterns() {
      return settings.fieldPatterns;
    },
    get sectionPatterns() {
      return settings.sectionPatterns;
    },
    get retentionHours() {
      return settings.retentionHours;
    },
  };

  const notices = new Notices();
  const { say } = notices;
  // Without watching, the host answers one request: a second thread would start for nothing.
  const pool = createPool(options.threads, { early: publish, keepsOneForViews: watch });
  const user = options.user ?? systemFolders();
  // Only one process copies captures that agents delete.
  const rescue: Rescuer | null = publish
    ? new Rescuer({
        ...{ home, user, disk: new Disk(pool) },
        policy: (agent) => agents.rescue(agent),
        quotaBytes: () => loadConfig(home).settings.rescueQuotaBytes,
        keptBytes: (agent) => rescuedBytes(library.catalogue.all(), agent),
        say,
      })
    : null;
  const library = new Library({
    ...{ home, pool },
    watch,
    user,
    ...(rescue ? { listener: rescue } : {}),
    // Problems found before the start are already among the warnings.
    onProblem: (text) => started && say(text),
    onProblemOver: (text) => notices.tell({ type: 'over', text }),
  });
  const { catalogue } = library;
  const opening = new PathOpener({ home, watch, publish, library });

  // A process that watches and is not the inspector serves an agent.
  const agents: AgentSources = new AgentSources({
    home,
    library,
    user,
    watch,
    onlyGuards: watch && !publish,
    onChange: () => {
      settings = loadConfig(home).settings;
      rescue?.review(library.agentFiles());
      void opening.use(settings.sources, say).catch(() => {});
      options.onSettings?.(settings);
      notices.tellWindows({ type: 'settings' });
    },
  });

  const documents = new Documents();
  const text = { pool, unpack: spoolIn(home, pool) };
  const both = {
    put(artifact: Artifact) {
      catalogue.put(artifact);
      keeper?.put(artifact);
      if (watch) causes.notice(artifact);
    },
    remove(id: string) {
      catalogue.remove(id);
      keeper?.remove(id);
    },
  };
  const own = new OwnCaptures({ home, watch, live, catalogue: both, documents, text });
  const { captures } = own;
  const targets = new TargetDocuments({ library, opening, captures: own, documents, text, live });

  const tables = new MessageTables({ captures, documents: targets, pool, live });
  const keeper = watch ? new TableKeeper(tables) : null;

  const lastSessions = new LastSessions({
    ...{ home, user, disk: library.disk },
    captures: () => newestCommands(captures, () => catalogue.all()),
  });
  const searches = new Searches(pool);
  const filterJobs = new FilterJobs(searches);
  const documentOf = (ref: DocumentRef, access: Access) => targets.watchable(ref, access);
  const search = new WindowSearch(pool, searches, filterJobs, documentOf);
  const filters = new WindowFilters({ pool, jobs: filterJobs, search, documentOf });
  const texts = new Texts({
    documents: targets,
    ...{ pool, searches, filters: filterJobs, search, live },
    copySecrets() {
      const { redact } = loadConfig(home).settings;
      return redact.copy ? secretsOf(redact) : null;
    },
    typedCommands: (id) => terminals.typed(id),
  });
  const causes = new CauseFinder({ captures, documents: targets, texts, pool });
  const listing = new Listing({ library, captures, opening, causes, waits: !watch, begin: () => begin() });
  const terminals = new Terminals({ home, captures, catalogue, documents: targets, texts, live });
  const lifecycle = new Lifecycle(home);
  const tidying = new Tidying(home, say);
  const dropped = new DroppedFiles(home);

  const guard = watch
    ? new Guard({ home, library, limits: () => settings, say, stopped: (path) => rescue?.drop(path) })
    : null;

  const begin = once(() => {
    library.begin();
    own.start();
    if (tidy !== false) tidying.start(tidy === true ? TIDY_AFTER_MS : tidy);
  });
  return {
    ...{ pool, library, opening, agents, documents, targets, own, listing, search, filters, texts },
    terminals,
    ...{ dropped, lifecycle, tidying, guard, rescue, notices, begin, lastSessions, tables, keeper, causes },
    started: () => {
      started = true;
    },
  };
}

/** Answers each request by the part that has a method of its name. One that no part has does not compile. */
function hostOf(parts: Parts, options: HostOptions, warnings: () => string[]): LocalHost {
  const { pool, opening, agents, own, listing, search, filters, texts, terminals, lifecycle, notices } =
    parts;
  const answers: RequestsApi = answersOf(
    listing,
    opening,
    agents,
    texts,
    filters,
    search,
    terminals,
    lifecycle,
    parts.dropped,
    acrossParts(parts, options),
  );
  return {
    ...answers,
    pool,
    get warnings() {
      return warnings();
    },
    watchLibrary: (listener) => listing.watch(listener),
    watchNotices: (listener) => notices.watch(listener),
    watchSummary: (ref, listener, onError) => texts.watchSummary(ref, listener, onError),
    watchDocument: (ref, listener, onError) => texts.watch(ref, listener, onError),
    watchSearch: (params, listener, onError) => search.watch(params, listener, onError),
    watchHistogram: (params, listener, onError) => texts.watchHistogram(params, listener, onError),
    watchFilter: (ref, listener, onError) => filters.watch(ref, listener, onError),
    watchAcross: (ref, listener, onError) => search.watchAcross(ref, listener, onError),
    sessions: async () => lifecycle.sessions(await own.knownRecord()),
    useSession: (params) => lifecycle.useSession(params),
    endSession: (params) => lifecycle.endSession(params),
    terminalOutput: (params, asked) => terminals.output(params, asked),
    notify: (notice) => notices.tell(notice),
    close: () => close(parts),
  };
}

/** Requests that need more than one part. */
function acrossParts(parts: Parts, options: HostOptions) {
  const { pool, library, own, listing, lifecycle, notices, texts } = parts;
  const { home } = options;
  const { catalogue, disk } = library;
  const { captures } = own;
  const compared = { pool, disk, documents: parts.targets, tables: parts.tables };
  const allArtifacts = async (asked?: RequestOptions) => {
    await captures.newest(COMPARED_WITH);
    return listing.artifacts(asked);
  };
  const passedOf = (artifact: Artifact, mostBytes: number, asked?: RequestOptions) => {
    const { artifact_id, streams } = artifact;
    const isLong = streams.some(({ total_bytes }) => total_bytes > mostBytes);
    return passedOn(artifact, async (offset) =>
      isLong ? null : (await texts.read({ artifact_id, offset, limit: 1, as_text: true }, asked)).start_line,
    ).catch(() => null);
  };
  const compare = (params: CompareParams, asked?: RequestOptions) =>
    compareOutputs(params, { ...compared, artifacts: () => allArtifacts(asked) }, asked);
  return {
    compare,
    report: (params, asked) =>
      failureReport(
        params,
        {
          artifact: (id) => listing.artifact(id, asked),
          inspect: (...args) => texts.inspect(...args),
          compare,
          secrets: () => secretsOf(loadConfig(home).settings.redact),
        },
        asked,
      ),
    searchOutputs: (params, asked) =>
      searchOutputs(
        params,
        { list: (...args) => listing.list(...args), inspect: (...args) => texts.inspect(...args) },
        asked,
      ),
    sameFailure: async ({ artifact_id: id }, asked) => {
      const all = await allArtifacts(asked);
      const failed = all.find(({ artifact_id }) => artifact_id === id);
      return failed ? sameFailureBefore(failed, all) : null;
    },
    masksInCopies: async () => {
      const { copy, patterns, except } = loadConfig(home).settings.redact;
      return copy ? { patterns, except } : null;
    },
    artifact: ({ artifact_id }, asked) => listing.artifact(artifact_id, asked),
    seen: async ({ artifact_id }, asked) => {
      const artifact = await listing.artifact(artifact_id, asked);
      const passed = artifact && (await passedOf(artifact, Infinity, asked));
      if (artifact) return seenOf(artifact, readActivity(home, artifact_id), passed);
      throw new SpillwayError('not_found', `no artifact has the id ${artifact_id}`, 'see `spillway list`');
    },
    unread: async ({ artifact_ids: ids }, asked) => {
      const isUnread = async (id: string) => {
        const artifact = await listing.artifact(id, asked);
        if (!artifact) return false;
        const seen = seenOf(artifact, readActivity(home, id), await passedOf(artifact, 0, asked));
        return seen.unread && seen.agents.length > 0;
      };
      const unread: string[] = [];
      for (const id of ids) if (await isUnread(id)) unread.push(id);
      return { artifact_ids: unread };
    },
    activity: async (params, asked) =>
      activityPage(home, params, {
        all: await listing.artifacts(asked),
        passed: (command) => passedOf(command, MOST_LISTED_BYTES, asked),
      }),
    align: (params, asked) => alignOutputs(params, compared, asked),
    highlight: (params, asked) => highlightTexts(pool, params, asked?.signal),
    preferences: async () => readPreferences(home),
    changePreference: async (change) => {
      const changed = changePreference(home, change);
      await parts.agents.apply();
      return changed;
    },
    highlighters: async () => readHighlighters(home),
    setHighlighters: async ({ highlighters }) => {
      writeHighlighters(home, highlighters);
      return {};
    },
    stats: async (_, asked) => lifecycle.statsWith(await listing.artifacts(asked), await own.knownRecord()),
    pin: async (params) => {
      const listed = isFileId(params.artifact_id) ? catalogue.get(params.artifact_id) : undefined;
      if (!listed) return lifecycle.pinCapture(params);
      // Its command may only just be read.
      await library.settledOf([listed], SETTLE_MS);
      const artifact = catalogue.get(params.artifact_id) ?? listed;
      const kind = library.kindAt(artifact.streams[0]?.file_path ?? '');
      return pinFile({ home, artifact, kind, disk, captures: catalogue.all(), say: notices.say });
    },
    stopPlan: async ({ artifact_id: id }) => stopPlan(captures.find(id), id),
    stopCommand: ({ artifact_id: id }) => stopCommand(home, () => captures.find(id), id),
    openInEditor: (params) =>
      openInEditor(params, { home, artifact: catalogue.get(params.artifact_id), disk }),
    showInFolder: ({ artifact_id }) => showInFolder(catalogue.get(artifact_id), { disk }),
    clients: async () => parts.lastSessions.addedTo(await (await clientsOf(options)).clients({})),
    changeClient: async (change) => (await clientsOf(options)).changeClient(change),
  } satisfies Partial<RequestsApi>;
}

/** The methods of some parts that are named like a request. */
type Answers<P> = (P extends unknown ? (_: Pick<P, keyof P & HostRequest>) => void : never) extends (
  _: infer All,
) => void
  ? All
  : never;

function answersOf<P extends object[]>(...parts: P): Answers<P[number]> {
  const answers: Record<string, unknown> = {};
  for (const part of parts as unknown as Record<string, unknown>[]) {
    for (const name of Object.keys(requests)) {
      const method = part[name];
      if (typeof method === 'function') answers[name] = method.bind(part);
    }
  }
  return answers as Answers<P[number]>;
}

async function close(parts: Parts): Promise<void> {
  const { pool, library, lifecycle } = parts;
  for (const part of [parts.opening, parts.agents, parts.own, parts.causes, parts.terminals]) part.close();
  parts.documents.closeAll();
  parts.guard?.close();
  await parts.rescue?.close();
  await parts.dropped.close();
  const kept = parts.tidying.close().then(() => lifecycle.close());
  await Promise.all([library.close(), pool.close(), kept, parts.keeper?.close()]);
}

/** Longest wait for what an agent tells about a file. */
const SETTLE_MS = 1000;
/** The list of calls gives no lines of longer outputs, whose numbers would take long to find. */
const MOST_LISTED_BYTES = 16 * 1024 * 1024;

/** Captures among which a comparison finds the last passes. */
const COMPARED_WITH = 2000;

/** Cleanup reads every record, so let the list come first. */
const TIDY_AFTER_MS = 2000;

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

async function clientsOf({ clients }: HostOptions): Promise<ClientsApi> {
  if (clients) return clients;
  throw new SpillwayError('unsupported', 'agents cannot be connected from here', 'use `spillway connect`');
}

/** Notices kept until a window connects. */
const UNSENT_MAX = 20;

class Notices {
  readonly #listeners = new Set<(notice: Notice) => void>();
  #unsent: Notice[] = [];

  /** The first window receives the notices sent before it opened. */
  watch(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener);
    for (const notice of this.#unsent.splice(0)) listener(notice);
    return () => this.#listeners.delete(listener);
  }

  /** Not kept for a window that opens later. */
  tellWindows(notice: Notice): void {
    for (const listener of this.#listeners) listener(notice);
  }

  readonly say = (text: string): void => this.tell({ type: 'message', text });

  tell(notice: Notice): void {
    if (this.#listeners.size === 0) this.#unsent = [...this.#unsent, notice].slice(-UNSENT_MAX);
    for (const listener of [...this.#listeners]) listener(notice);
  }
}
