/** Filters and groups the library in one pass. */
import { type Artifact, CAPTURES_SOURCE } from '../../shared/artifact.ts';
import { pathOf, STATUS } from './artifact-look.ts';
import { filterWords } from './filter-match.ts';
import { type Entry, faceOf, wordsIn } from './library-store.ts';

export type GroupBy = 'session' | 'source' | 'nothing';
export type Only = 'all' | 'running' | 'failed';

export interface Question {
  groupBy: GroupBy;
  /** Artifacts that hold every word of it somewhere, in any case. */
  query: string;
  only: Only;
  /** Groups that were folded or unfolded by hand; while something is looked for none is folded. */
  folded: ReadonlyMap<string, boolean>;
}

export interface Group {
  key: string;
  label: string;
  /** False for the one group of a list without groups. */
  headed: boolean;
  folded: boolean;
  /** Newest first. */
  entries: readonly Entry[];
  running: number;
  failed: number;
}

export interface Listed {
  /** The one with the newest artifact first. */
  groups: readonly Group[];
  /** Artifacts that were found, folded or not. */
  found: number;
  /** Counts of all artifacts, filtered out or not. */
  running: number;
  failed: number;
  /** Names, and names with folders, that several listed artifacts share. */
  shared: ReadonlySet<string>;
}

export function listed(sorted: readonly Entry[], { groupBy, query, only, folded }: Question): Listed {
  const words = filterWords(query);
  const faces = new Set<string>();
  const shared = new Set<string>();
  const searching = words.length > 0 || only !== 'all';
  const groups = new Map<string, Group & { entries: Entry[] }>();
  const all = { found: 0, running: 0, failed: 0 };
  for (const entry of sorted) {
    const state = stateOf(entry.artifact);
    if (state) all[state] += 1;
    if (only !== 'all' && state !== only) continue;
    if (words.length > 0 && !hasAll(wordsIn(entry), words)) continue;
    all.found += 1;
    const { name, placed } = faceOf(entry);
    for (const face of [name, placed]) (faces.has(face) ? shared : faces).add(face);
    const key = groupKeyOf(entry.artifact, groupBy);
    let group = groups.get(key);
    if (!group) {
      const label = labelOf(entry.artifact, groupBy);
      group = { key, label, headed: true, folded: false, entries: [], running: 0, failed: 0 };
      groups.set(key, group);
    }
    group.entries.push(entry);
    if (state) group[state] += 1;
  }
  // A single group of what belongs to none needs no heading.
  const [first] = groups.values();
  const isOfNone =
    groups.has(NO_GROUP) || (groupBy === 'session' && first?.entries[0]?.artifact.session === null);
  const headless = groups.size === 1 && isOfNone;
  for (const group of groups.values()) {
    group.headed = !headless;
    group.folded = group.headed && !searching && isFolded(group, folded);
  }
  return { groups: [...groups.values()], shared, ...all };
}

/** Files of a folder that are listed unfolded at first. */
const UNFOLDED_FILES = 50;

function isFolded({ key, entries }: Group, chosen: ReadonlyMap<string, boolean>): boolean {
  return chosen.get(key) ?? (entries.length > UNFOLDED_FILES && isInFolder(entries[0]!.artifact));
}

/** Artifacts that belong to no session, or are not grouped at all. */
const NO_GROUP = '';
/** The group of files that a person opened one by one: each is its own source. */
const OPENED = 'opened';

export function groupKeyOf(artifact: Artifact, groupBy: GroupBy): string {
  if (groupBy === 'nothing') return NO_GROUP;
  if (groupBy === 'session' && artifact.session !== null) return `session ${artifact.session}`;
  // Files of a folder are a group of their own: a large one would bury what belongs to no session.
  if (groupBy === 'session' && !isInFolder(artifact)) return NO_GROUP;
  if (artifact.source === null) return NO_GROUP;
  return isOpenedFile(artifact) ? OPENED : `source ${artifact.source}`;
}

function labelOf(artifact: Artifact, groupBy: GroupBy): string {
  if (groupBy === 'session' && !isInFolder(artifact)) return artifact.session ?? 'No session';
  if (artifact.source === null) return 'No source';
  if (isOpenedFile(artifact)) return 'Opened files';
  return artifact.source === CAPTURES_SOURCE ? 'Captures' : artifact.source;
}

/** True for a file that was found in a folder. */
function isInFolder(artifact: Artifact): boolean {
  return (
    artifact.kind === 'file' &&
    artifact.session === null &&
    artifact.source !== null &&
    !isOpenedFile(artifact)
  );
}

/** True for a file that was opened by its own path, not found in a folder. */
export function isOpenedFile(artifact: Artifact): boolean {
  return artifact.kind === 'file' && artifact.source !== null && artifact.source === pathOf(artifact);
}

export function stateOf(artifact: Artifact): 'running' | 'failed' | null {
  const { tone } = STATUS[artifact.status];
  return tone === 'running' || tone === 'failed' ? tone : null;
}

function hasAll(text: string, words: readonly string[]): boolean {
  for (const word of words) if (!text.includes(word)) return false;
  return true;
}

/** The artifact to show first: the file a person opened last, else the newest of all. */
export function firstToShow(sorted: readonly Entry[]): string | null {
  const opened = sorted.find((entry) => isOpenedFile(entry.artifact));
  return (opened ?? sorted[0])?.id ?? null;
}
