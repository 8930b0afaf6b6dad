/** Filters and groups the library in one pass. */

import { AGENT_NAMES, agentName } from '../../../shared/agent-names.ts';
import { type AgentMark, type Artifact, CAPTURES_SOURCE, isMergedId } from '../../../shared/artifact.ts';
import { countFitting } from '../../../shared/line-set.ts';
import { escapeLine } from '../../../shared/text/escape.ts';
import { formatDay, localDay } from '../../ui/text/format.ts';
import { folderOf, pathOf, STATUS, sortTimeOf } from '../artifact-facts.ts';
import { type Entry, faceOf, newestEntryFirst, wordsIn } from '../library-store.ts';
import { filterWords, hasAll } from './filter-match.ts';

export type Only = 'all' | 'running' | 'failed';

export interface Question {
  groupBy: GroupBy;
  /** Only artifacts that contain every word of it, ignoring case. */
  query: string;
  only: Only;
  /** Only this agent's; null for all. */
  agent: string | null;
  /** Groups folded or unfolded by hand. None is folded while the filter has words. */
  folded: ReadonlyMap<string, boolean>;
  /** The local day, `2026-01-13`. */
  today: string;
}

interface Group extends GroupLabel {
  key: string;
  /** False for the single group of an ungrouped list, and for a command that ran once. */
  headed: boolean;
  folded: boolean;
  /** Newest first. */
  entries: readonly Entry[];
  running: number;
  failed: number;
}

interface GroupedList {
  /** The group with the newest artifact first. */
  groups: readonly Group[];
  /** Number of artifacts found, including those in folded groups. */
  found: number;
  /** Counts of all artifacts, including those filtered out. */
  running: number;
  failed: number;
  /** Agents with artifacts, including those filtered out; the one with the newest first. */
  agents: ReadonlySet<string>;
  /** Names, and names with folders, that several listed artifacts share. */
  shared: ReadonlySet<string>;
}

export function groupedList(
  sorted: readonly Entry[],
  { groupBy, query, only, agent, folded, today }: Question,
): GroupedList {
  const words = filterWords(query);
  const faces = new Set<string>();
  const shared = new Set<string>();
  const searching = words.length > 0 || only !== 'all';
  const agents = new Set<string>();
  const groups = new Map<string, Group & { entries: Entry[] }>();
  /** How many folders each command ran in. */
  const names = new Map<string, number>();
  const all = { found: 0, running: 0, failed: 0 };
  for (const entry of sorted) {
    const state = shownState(entry.artifact);
    if (state) all[state] += 1;
    const own = entry.artifact.agent?.name ?? null;
    if (own !== null) agents.add(own);
    if (agent !== null && own !== agent) continue;
    if (only !== 'all' && state !== only) continue;
    if (words.length > 0 && !hasAll(wordsIn(entry), words)) continue;
    all.found += 1;
    const { name, placed } = faceOf(entry);
    for (const face of [name, placed]) (faces.has(face) ? shared : faces).add(face);
    const key = groupKeyOf(entry, groupBy);
    let group = groups.get(key);
    if (!group) {
      const label = groupLabelOf(entry, groupBy, today);
      group = { key, ...label, headed: true, folded: false, entries: [], running: 0, failed: 0 };
      groups.set(key, group);
      if (label.isCommand) names.set(name, (names.get(name) ?? 0) + 1);
    }
    group.entries.push(entry);
    if (state) group[state] += 1;
  }
  // A single group of artifacts without a session needs no heading.
  const [first] = groups.values();
  const { agent: ofAgent = null, session: ofSession = null } = first?.entries[0]?.artifact ?? {};
  const isOfNone = groups.has(NO_GROUP) || (groupBy === 'session' && ofAgent === null && ofSession === null);
  const headless = groups.size === 1 && isOfNone;
  for (const group of groups.values()) {
    group.headed = !headless && !(group.isCommand && group.entries.length === 1);
    if (group.isCommand) group.label = commandLabel(group.entries[0]!, names);
    group.folded = group.headed && !searching && isFolded(group, folded);
  }
  return { groups: together([...groups.values()]), agents, shared, ...all };
}

/** Folders with more files are folded at first. */
const UNFOLDED_FILES = 50;

/** The runs of a command are folded at first, so that the list shows one line for each command. */
function isFolded({ key, entries, isCommand }: Group, chosen: ReadonlyMap<string, boolean>): boolean {
  const isLarge = entries.length > UNFOLDED_FILES && isInFolder(entries[0]!.artifact);
  return chosen.get(key) ?? (isCommand || isLarge);
}

/** Moves an agent's groups, and in them a project's, next to the one with the newest artifact. */
function together(groups: readonly Group[]): Group[] {
  const placed = new Map<string, Map<string, Group[]>>();
  for (const group of groups) {
    const [agent = group.key, project = ''] = group.above;
    const projects = placed.get(agent) ?? new Map<string, Group[]>();
    placed.set(agent, projects);
    projects.set(project, [...(projects.get(project) ?? []), group]);
  }
  return [...placed.values()].flatMap((projects) => [...projects.values()].flat());
}

function shownState(artifact: Artifact): 'running' | 'failed' | null {
  const { tone } = STATUS[artifact.status];
  return tone === 'running' || tone === 'failed' ? tone : null;
}

/** Returns the artifact to show first: the last file opened by hand, else the newest. */
export function firstToShow(sorted: readonly Entry[]): string | null {
  const opened = sorted.find((entry) => isOpenedFile(entry.artifact));
  const newest = sorted.find(({ id }) => !isMergedId(id));
  return (opened ?? newest)?.id ?? null;
}

/** In the order in which a key steps through them. */
export const GROUPINGS = ['session', 'day', 'command', 'source', 'nothing'] as const;

export type GroupBy = (typeof GROUPINGS)[number];

/** The text of a heading. */
interface GroupLabel {
  label: string;
  /** The end of the agent's session id, which distinguishes it. */
  session: string | null;
  /** The agent whose badge the heading shows. */
  agent: string | null;
  /** Keys of enclosing groups: groups of one agent are adjacent, and in them those of one project. */
  above: readonly string[];
  /** Whether it holds the runs of one command. */
  isCommand: boolean;
}

/** The key of artifacts without a session, or without grouping. */
const NO_GROUP = '';
/** The group of files opened one by one, each of which is its own source. */
const OPENED = 'opened';
/** Characters of an agent's session id to show. */
const SESSION_CHARS = 6;

function groupKeyOf(entry: Entry, groupBy: GroupBy): string {
  const { artifact } = entry;
  if (groupBy === 'nothing') return NO_GROUP;
  if (groupBy === 'day') return `day ${dayOf(artifact)}`;
  if (groupBy === 'command' && isRun(artifact)) return `command ${faceOf(entry).placed}`;
  if (groupBy === 'session' && artifact.agent) return agentKey(artifact.agent);
  if (groupBy === 'session' && artifact.session !== null) return `session ${artifact.session}`;
  // Files of a folder form their own group, as a large one would hide artifacts without a session.
  if (groupBy === 'session' && !isInFolder(artifact)) return NO_GROUP;
  if (artifact.source === null) return NO_GROUP;
  return isOpenedFile(artifact) ? OPENED : `source ${artifact.source}`;
}

function groupLabelOf({ artifact }: Entry, groupBy: GroupBy, today: string): GroupLabel {
  if (groupBy === 'day') return plain(formatDay(dayOf(artifact), today));
  if (groupBy === 'command' && isRun(artifact)) return { ...plain(''), isCommand: true };
  const { agent, session, source } = artifact;
  if (groupBy === 'session' && agent) return agentLabel(agent);
  if (groupBy === 'session' && !isInFolder(artifact)) return plain(session ?? 'No session');
  if (source === null) return plain('No source');
  if (isOpenedFile(artifact)) return plain('Opened files');
  if (Object.hasOwn(AGENT_NAMES, source)) return { ...plain(agentName(source).title), agent: source };
  return plain(source === CAPTURES_SOURCE ? 'Captures' : source);
}

/** The local day by which the list is sorted, `2026-01-13`. */
function dayOf(artifact: Artifact): string {
  const date = new Date(sortTimeOf(artifact) ?? '');
  return Number.isNaN(date.getTime()) ? '' : localDay(date);
}

function isRun({ kind, agent, command }: Artifact): boolean {
  return (kind === 'cmd' || agent !== null) && command !== null;
}

/** Returns the command, and its last folder if it ran in several. */
function commandLabel(entry: Entry, names: ReadonlyMap<string, number>): string {
  const { name } = faceOf(entry);
  const folder = folderOf(entry.artifact);
  return folder !== null && (names.get(name) ?? 0) > 1 ? `${name} · ${projectName(folder)}` : name;
}

/** True for a file found in a folder, unless it belongs to an agent. */
function isInFolder(artifact: Artifact): boolean {
  return (
    artifact.kind === 'file' &&
    artifact.agent === null &&
    artifact.session === null &&
    artifact.source !== null &&
    !isOpenedFile(artifact)
  );
}

/** True for a file opened by its own path. */
function isOpenedFile(artifact: Artifact): boolean {
  return artifact.kind === 'file' && artifact.source !== null && artifact.source === pathOf(artifact);
}

/** Returns the last folder of a project (`api`), which may be an agent's name for it. */
function projectName(project: string): string {
  return project.split(/[\\/]/).filter(Boolean).at(-1) ?? project;
}

function agentKey({ name, project, session }: AgentMark): string {
  return session === null ? `agent ${name} in ${project ?? ''}` : `agent ${name} ${session}`;
}

function agentLabel({ name, project, session }: AgentMark): GroupLabel {
  const { title } = agentName(name);
  const label = project === null ? title : `${title} · ${projectName(project)}`;
  return {
    ...plain(label),
    session: session && escapeLine(shortSession(session)),
    agent: name,
    above: [name, project ?? ''],
  };
}

/** Shortens a session id: a random one to its beginning, others to their end, as ids made at one time begin alike. */
function shortSession(session: string): string {
  const isRandom = /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(session);
  return isRandom ? session.slice(0, SESSION_CHARS) : session.slice(-SESSION_CHARS);
}

function plain(label: string): GroupLabel {
  return { label: escapeLine(label), session: null, agent: null, above: [], isCommand: false };
}

/**
 * Maps rows of the list, from 0, to pixels and back. A row is a heading or an artifact. As rows have only two heights,
 * the layout stores figures for each group and none for each row.
 */
export const ITEM_HEIGHT_PX = 48;
export const HEADING_HEIGHT_PX = 28;

interface Placed {
  group: Group;
  /** Its first row, and that row's top in pixels. */
  row: number;
  top: number;
}

/** A row: an artifact, or the heading of its group if `entry` is null. `index` counts from 0 in the group. */
export interface ListRow {
  group: Group;
  entry: Entry | null;
  index: number;
}

export class ListLayout {
  readonly rows: number;
  /** Pixels. */
  readonly height: number;
  readonly groupBy: GroupBy;
  readonly #placed: Placed[] = [];
  readonly #byKey = new Map<string, Placed>();

  constructor(groups: readonly Group[], groupBy: GroupBy) {
    let row = 0;
    let top = 0;
    for (const group of groups) {
      const placed = { group, row, top };
      this.#placed.push(placed);
      this.#byKey.set(group.key, placed);
      const items = shown(group);
      row += (group.headed ? 1 : 0) + items;
      top += headingOf(group) + items * ITEM_HEIGHT_PX;
    }
    this.rows = row;
    this.height = top;
    this.groupBy = groupBy;
  }

  /** Returns undefined outside the list. */
  at(row: number): ListRow | undefined {
    if (row < 0 || row >= this.rows) return undefined;
    const { group, row: first } = this.#last((placed) => placed.row <= row);
    const index = row - first - (group.headed ? 1 : 0);
    return { group, entry: index < 0 ? null : (group.entries[index] ?? null), index };
  }

  topOf(row: number): number {
    if (this.#placed.length === 0) return 0;
    const { group, row: first, top } = this.#last((placed) => placed.row <= row);
    const within = row - first;
    if (!group.headed) return top + within * ITEM_HEIGHT_PX;
    return within === 0 ? top : top + HEADING_HEIGHT_PX + (within - 1) * ITEM_HEIGHT_PX;
  }

  heightOf(row: number): number {
    return this.at(row)?.entry === null ? HEADING_HEIGHT_PX : ITEM_HEIGHT_PX;
  }

  /** Returns the row at a pixel, or the nearest row. */
  rowAt(pixel: number): number {
    if (this.rows === 0) return 0;
    const { group, row, top } = this.#last((placed) => placed.top <= Math.max(0, pixel));
    const heading = headingOf(group);
    const within = pixel - top - heading;
    if (within < 0) return row;
    const items = Math.min(Math.floor(within / ITEM_HEIGHT_PX), shown(group) - 1);
    return row + (group.headed ? 1 : 0) + items;
  }

  /** Returns -1 if it is not listed or folded away. */
  rowOf(entry: Entry): number {
    const placed = this.#byKey.get(groupKeyOf(entry, this.groupBy));
    if (!placed || placed.group.folded) return -1;
    const { entries, headed } = placed.group;
    const index = countFitting(entries.length, (at) => newestEntryFirst(entries[at]!, entry) < 0);
    return entries[index] === entry ? placed.row + (headed ? 1 : 0) + index : -1;
  }

  /** Returns the row of the group's heading; -1 without one. */
  rowOfHeading(key: string): number {
    const placed = this.#byKey.get(key);
    return placed?.group.headed ? placed.row : -1;
  }

  #last(fits: (placed: Placed) => boolean): Placed {
    const index = countFitting(this.#placed.length, (at) => fits(this.#placed[at]!));
    return this.#placed[Math.max(0, index - 1)]!;
  }
}

function shown(group: Group): number {
  return group.folded ? 0 : group.entries.length;
}

function headingOf(group: Group): number {
  return group.headed ? HEADING_HEIGHT_PX : 0;
}
