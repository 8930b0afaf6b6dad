/** Matches artifacts with the filter: by the words in their rows, and by others, which the rows then show. */
import { agentName } from '../../../shared/agent-names.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import {
  contentTypeOf,
  folderOf,
  kindOf,
  nameOf,
  pathOf,
  shortStatusWord,
  statusWord,
} from '../artifact-facts.ts';

/** An artifact's words in lower case, one line for each text. */
export interface Words {
  text: string;
  /** Its id and other generated texts, which have digits of dates and random ones. */
  made: string;
}

export function wordsOf(artifact: Artifact): Words {
  const text = [...shownTexts(artifact), ...hiddenTexts(artifact).map(([, text]) => text)];
  const made = madeTexts(artifact).map(([, text]) => text);
  return { text: text.join('\n').toLowerCase(), made: made.join('\n').toLowerCase() };
}

/** Whether the artifact has every word of the filter. */
export function hasAll({ text, made }: Words, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word) || (isTelling(word) && made.includes(word)));
}

/** Whether a word may be meant for an id: `27` is in every id of that day. */
function isTelling(word: string): boolean {
  return word.length >= 4 && /\p{L}/u.test(word);
}

/** A text that the row does not show, in which a word of the filter was found. */
export interface HiddenMatch {
  /** `path`, `id`. */
  name: string;
  /** The found word, and the text around it. */
  before: string;
  word: string;
  after: string;
}

/** Returns null if the row shows every word. `shownToo`: texts near the row, such as its group's heading. */
export function hiddenMatch(
  artifact: Artifact,
  words: readonly string[],
  shownToo: readonly string[],
): HiddenMatch | null {
  const shown = [...shownTexts(artifact), ...shownToo].join('\n').toLowerCase();
  const missing = words.find((word) => !shown.includes(word));
  if (missing === undefined) return null;
  const made = isTelling(missing) ? madeTexts(artifact) : [];
  for (const [name, text] of [...hiddenTexts(artifact), ...made]) {
    const at = text.toLowerCase().indexOf(missing);
    if (at >= 0) return { name, ...around(text, at, missing.length) };
  }
  return null;
}

/** Splits the filter's text into words. */
export function filterWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** True if both have the same words and group. */
export function sameWords(a: Artifact, b: Artifact): boolean {
  return (
    a.status === b.status &&
    a.exit_code === b.exit_code &&
    a.signal === b.signal &&
    a.pinned === b.pinned &&
    a.session === b.session &&
    a.source === b.source &&
    a.agent?.name === b.agent?.name &&
    a.agent?.session === b.agent?.session &&
    a.agent?.project === b.agent?.project &&
    a.label === b.label &&
    a.command === b.command &&
    a.cwd === b.cwd &&
    a.kind === b.kind &&
    contentTypeOf(a) === contentTypeOf(b) &&
    pathOf(a) === pathOf(b) &&
    sameArgs(a.args, b.args)
  );
}

function shownTexts(artifact: Artifact): string[] {
  const type = contentTypeOf(artifact);
  return [
    nameOf(artifact),
    shortStatusWord(artifact),
    type === 'unknown' ? '' : type,
    artifact.pinned ? 'pinned' : '',
    artifact.agent ? agentName(artifact.agent.name).title : '',
  ].filter(Boolean);
}

/** Returns the texts with their names in the row. */
function hiddenTexts(artifact: Artifact): [name: string, text: string][] {
  const { agent, session, source, label } = artifact;
  return known([
    ['folder', folderOf(artifact)],
    ['path', isCapture(artifact) ? null : pathOf(artifact)],
    ['session', session],
    ['project', agent?.project ?? null],
    ['source', source],
    ['label', label],
    ['status', statusWord(artifact)],
    ['kind', kindOf(artifact).word],
  ]);
}

function madeTexts(artifact: Artifact): [name: string, text: string][] {
  return known([
    ['path', isCapture(artifact) ? pathOf(artifact) : null],
    ['session', artifact.agent?.session ?? null],
    ['id', artifact.artifact_id],
  ]);
}

function isCapture({ kind }: Artifact): boolean {
  return kind !== 'file';
}

function known(texts: readonly [string, string | null][]): [name: string, text: string][] {
  return texts.filter((entry): entry is [string, string] => Boolean(entry[1]));
}

function sameArgs(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((arg, index) => arg === b[index]);
}

/** Characters to show before the word: few, so that it is in view in a narrow list. */
const BEFORE_CHARS = 6;
const AFTER_CHARS = 24;

function around(text: string, at: number, length: number): Omit<HiddenMatch, 'name'> {
  const start = at <= BEFORE_CHARS + 1 ? 0 : at - BEFORE_CHARS;
  const end = at + length + AFTER_CHARS;
  return {
    before: `${start > 0 ? '…' : ''}${text.slice(start, at)}`,
    word: text.slice(at, at + length),
    after: `${text.slice(at + length, end)}${end < text.length ? '…' : ''}`,
  };
}
