/** Filters and groups the library in one pass. */
import type { Artifact } from '../../../shared/artifact.ts';
import { isMergedId } from '../../../shared/merged.ts';
import { STATUS } from '../artifact-look.ts';
import { type Entry, faceOf, wordsIn } from '../library-store.ts';
import { filterWords } from './filter-match.ts';
import {
  type GroupBy,
  type GroupLabel,
  groupKeyOf,
  groupLabelOf,
  isInFolder,
  isOpenedFile,
  NO_GROUP,
} from './group-of.ts';

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
}

export interface Group extends GroupLabel {
  key: string;
  /** False for the single group of an ungrouped list. */
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
  { groupBy, query, only, agent, folded }: Question,
): GroupedList {
  const words = filterWords(query);
  const faces = new Set<string>();
  const shared = new Set<string>();
  const searching = words.length > 0 || only !== 'all';
  const agents = new Set<string>();
  const groups = new Map<string, Group & { entries: Entry[] }>();
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
    const key = groupKeyOf(entry.artifact, groupBy);
    let group = groups.get(key);
    if (!group) {
      const label = groupLabelOf(entry.artifact, groupBy);
      group = { key, ...label, headed: true, folded: false, entries: [], running: 0, failed: 0 };
      groups.set(key, group);
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
    group.headed = !headless;
    group.folded = group.headed && !searching && isFolded(group, folded);
  }
  return { groups: together([...groups.values()]), agents, shared, ...all };
}

/** Folders with more files are folded at first. */
const UNFOLDED_FILES = 50;

function isFolded({ key, entries }: Group, chosen: ReadonlyMap<string, boolean>): boolean {
  return chosen.get(key) ?? (entries.length > UNFOLDED_FILES && isInFolder(entries[0]!.artifact));
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

function hasAll(text: string, words: readonly string[]): boolean {
  for (const word of words) if (!text.includes(word)) return false;
  return true;
}

/** Returns the artifact to show first: the last file opened by hand, else the newest. */
export function firstToShow(sorted: readonly Entry[]): string | null {
  const opened = sorted.find((entry) => isOpenedFile(entry.artifact));
  const newest = sorted.find(({ id }) => !isMergedId(id));
  return (opened ?? newest)?.id ?? null;
}
