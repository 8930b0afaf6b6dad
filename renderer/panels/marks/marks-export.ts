/** Copies and saves marks as Markdown, with their whole lines. */
import type { DocumentRef } from '../../../shared/api/rows.ts';
import { isMergedId, type StreamName, StreamName as StreamNames } from '../../../shared/artifact.ts';
import type { Saved } from '../../../shared/desktop.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { codeBlock, codeSpan, inOrder } from '../../../shared/text/escape.ts';
import { formatBytes, formatCount, plural } from '../../../shared/text/format.ts';
import { usePaletteDestinations } from '../../actions/palette-items.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { savedWords, saveText, writeClipboard } from '../../ui/state/page.ts';
import { jsonOf, persisted } from '../../ui/state/store.ts';
import type { Say } from '../../ui/state/time.ts';
import { pageAddress, permalink } from '../../ui/text/format.ts';
import { type FetchWhole, fetchWholeLines } from '../../viewer/document/open-document.ts';
import { maskedCopy } from '../../viewer/selection/CopyDialog.tsx';

/** From this length on, the size of what was copied or saved is told. */
const TOLD_CHARS = 100_000;

/** @param shown the shown text, and whether a mark is in it */
export function useMarksExport(
  shown: { document: DocumentRef | null; has: (mark: Mark) => boolean },
  say: Say,
) {
  const connection = useConnection();
  const fetchOf = (document: DocumentRef): FetchWhole =>
    connection
      ? (lines, signal) => fetchWholeLines(connection, document, lines, signal)
      : async () => ({ generation: 0, lines: new Map() });
  const documentOf = (mark: Mark): DocumentRef =>
    shown.document && shown.has(mark)
      ? shown.document
      : { artifact_id: mark.artifactId, stream: mark.stream };

  const run = async (
    does: string,
    chosen: readonly Mark[],
    put: (text: string) => Promise<Saved['outcome']>,
  ) => {
    try {
      const marks = await wholeMarks(chosen, fetchOf, documentOf);
      const { text, masked } = await maskedCopy(connection, marksAsMarkdown(marks, pageAddress()));
      const outcome = await put(text);
      const cut = marks.filter(({ isCut }) => isCut).length;
      const words = cut > 0 ? `; only the beginning of ${plural(cut, 'line')}, marked with …` : '';
      // The whole lines of marks may be long.
      const size = text.length > TOLD_CHARS ? ` (${formatBytes(text.length)})` : '';
      const message = savedWords(
        outcome,
        `${does} ${plural(marks.length, 'mark')} as Markdown${size}${words}${masked && `; ${masked}`}`,
      );
      if (message !== null) say(message);
    } catch (error) {
      say(toSpillwayError(error).message);
    }
  };
  return {
    copyMarks: (chosen: readonly Mark[]) =>
      void run('Copied', chosen, (text) => writeClipboard(text).then(() => 'saved' as const)),
    saveMarks: (chosen: readonly Mark[]) =>
      void run('Saved', chosen, (text) => saveText('marks.md', [text], 'text/markdown')),
  };
}

/** Reads the whole lines of marks, of which only the first characters are stored. */
export interface WholeMark extends Mark {
  /** Whether `text` is only the beginning of the line. */
  isCut: boolean;
}

/** Browsers let a page write to the clipboard for five seconds after a click. */
const MAX_READING_MS = 3000;
/** UTF-16 code units of all lines together. */
const MAX_CHARS = 64 * 1024 * 1024;

/**
 * Keeps the stored beginning of a line that cannot be read, that has changed, or that comes after MAX_CHARS.
 *
 * @param fetchOf fetches lines of any text
 * @param documentOf the text that a mark is in
 */
export async function wholeMarks(
  marks: readonly Mark[],
  fetchOf: (document: DocumentRef) => FetchWhole,
  documentOf: (mark: Mark) => DocumentRef,
): Promise<WholeMark[]> {
  const signal = AbortSignal.timeout(MAX_READING_MS);
  const found: WholeMark[] = [];
  let chars = 0;
  for (const mark of marks) {
    const isShort = mark.offset !== UNREAD && mark.text.length < GUARD_CHARS;
    if (isShort || chars > MAX_CHARS || signal.aborted) {
      found.push({ ...mark, isCut: !isShort });
      continue;
    }
    const line = await fetchOf(documentOf(mark))([mark.line], signal)
      .then(({ lines }) => lines.get(mark.line))
      .catch(() => undefined);
    if (line?.text.startsWith(mark.text)) {
      chars += line.text.length;
      found.push({ ...mark, text: line.text, isCut: line.clipped });
    } else found.push({ ...mark, isCut: true });
  }
  return found;
}

/**
 * Formats marks as Markdown: each artifact's lines with notes and permalinks. A merged text has no permalinks, as only
 * the window that merged it knows it.
 * @param page address of the window, without a fragment
 */
export function marksAsMarkdown(marks: readonly WholeMark[], page: string): string {
  const groups = new Map<string, WholeMark[]>();
  for (const mark of marks) groups.set(mark.artifactId, [...(groups.get(mark.artifactId) ?? []), mark]);
  return [...groups.values()].map((group) => section(group, page)).join('\n');
}

function section(group: readonly WholeMark[], page: string): string {
  const { name, artifactId } = group[0]!;
  const entries = sorted(group).map((mark) => entry(mark, page));
  const from = isMergedId(artifactId) ? 'Merged by time.' : codeSpan(`spillway inspect ${artifactId}`);
  return `## ${codeSpan(name)}\n\n${from}\n\n${entries.join('\n')}`;
}

function entry(mark: WholeMark, page: string): string {
  const of = mark.stream === 'output' ? '' : ` of ${mark.stream}`;
  const note = mark.note.trim() === '' ? '' : `\n\n${mark.note.trim()}`;
  const line = `Line ${mark.line}${of}`;
  const place = isMergedId(mark.artifactId) ? line : `[${line}](${permalink(page, mark)})`;
  return `${place}${note}\n\n${codeBlock(mark.isCut ? `${mark.text} …` : mark.text)}\n`;
}

/** Sorts marks by stream, then by line. */
export function sorted<M extends Mark>(marks: readonly M[]): M[] {
  return [...marks].sort((a, b) => a.stream.localeCompare(b.stream) || a.line - b.line);
}

/** Marked lines of all artifacts with their notes, kept in localStorage and shared by all windows. */
export interface Mark {
  artifactId: string;
  /** A file's path: a file that is replaced gets another id, to which its marks move. */
  path?: string | undefined;
  stream: StreamName;
  /** From 1. */
  line: number;
  note: string;
  /** The artifact's name when the mark was made. */
  name: string;
  /** The line's offset in the stream in bytes, and its first characters, to detect another text. */
  offset: number;
  text: string;
}

/** The offset of a line marked before it was read. */
export const UNREAD = -1;
/** Most marks to keep; the oldest are dropped. */
const MAX_MARKS = 2000;
/** UTF-16 code units. */
export const GUARD_CHARS = 160;
const MAX_NOTE_CHARS = 4000;

/** In order of creation. */
export const marks = persisted<readonly Mark[]>('spillway.marks', parseMarks, true);

export function keyOf({ artifactId, stream, line }: Pick<Mark, 'artifactId' | 'stream' | 'line'>): string {
  return `${artifactId} ${stream} ${line}`;
}

/** Removed marks with a note, by key. Marking the line again restores the note, until the window is reloaded. */
const removed = new Map<string, Mark>();

/** Adds a mark. Without a note, it restores the line's removed note, unless the line's text changed. */
export function addMark(mark: Mark): void {
  const last = removed.get(keyOf(mark));
  const isUnread = mark.offset === UNREAD || last?.offset === UNREAD;
  const note = mark.note === '' && last && (isUnread || stillHolds(last, mark)) ? last.note : mark.note;
  marks.set(
    [...marks.get().filter((each) => keyOf(each) !== keyOf(mark)), { ...mark, note }].slice(-MAX_MARKS),
  );
}

export function removeMark(mark: Mark): void {
  if (mark.note !== '') removed.set(keyOf(mark), mark);
  marks.set(marks.get().filter((each) => keyOf(each) !== keyOf(mark)));
}

export function setNote(mark: Mark, note: string): void {
  const changed = { ...mark, note: note.slice(0, MAX_NOTE_CHARS) };
  marks.set(marks.get().map((each) => (keyOf(each) === keyOf(mark) ? changed : each)));
}

/** Fills in the text of a mark made before its line was read. */
export function completeMark(mark: Mark, { offset, text }: { offset: number; text: string }): void {
  const complete = { offset, text: text.slice(0, GUARD_CHARS) };
  marks.set(marks.get().map((each) => (keyOf(each) === keyOf(mark) ? { ...each, ...complete } : each)));
}

/** Moves the marks of a file that was replaced to its new id. */
export function moveMarks(path: string, artifactId: string): void {
  const isLeft = (mark: Mark) => mark.path === path && mark.artifactId !== artifactId;
  if (!marks.get().some(isLeft)) return;
  const moved = marks.get().map((mark) => (isLeft(mark) ? { ...mark, artifactId } : mark));
  // A line that was marked in both texts has one mark: the later one.
  marks.set([...new Map(moved.map((mark) => [keyOf(mark), mark])).values()]);
}

/** True if the mark's line still has its text; it may have grown. */
export function stillHolds(mark: Mark, row: { offset: number; text: string } | undefined): boolean {
  if (row === undefined || row.offset !== mark.offset) return false;
  return mark.text === '' ? row.text === '' : row.text.startsWith(mark.text);
}

/** Parses stored marks; skips invalid ones. */
export function parseMarks(text: string | null): Mark[] {
  const value = jsonOf(text);
  return Array.isArray(value) ? value.filter(isMark).slice(-MAX_MARKS) : [];
}

function isMark(value: unknown): value is Mark {
  if (typeof value !== 'object' || value === null) return false;
  const {
    artifactId,
    path = '',
    stream,
    line,
    note,
    name,
    offset,
    text,
  } = value as Record<keyof Mark, unknown>;
  const texts = [artifactId, path, note, name, text].every((each) => typeof each === 'string');
  return (
    texts &&
    Number.isSafeInteger(line) &&
    Number(line) >= 1 &&
    Number.isSafeInteger(offset) &&
    StreamNames.safeParse(stream).success
  );
}

/** Without a typed word, only the newest are offered. */
const NEWEST_MARKS = 3;

export function useMarkDestinations(
  show: (to: { artifactId: string; stream: StreamName | null; line: number | null }) => void,
): void {
  usePaletteDestinations((query) => {
    const newestFirst = [...marks.get()].reverse();
    return (query.trim() === '' ? newestFirst.slice(0, NEWEST_MARKS) : newestFirst).map((mark) => ({
      id: `mark ${keyOf(mark)}`,
      text: mark.note.split('\n', 1)[0] || inOrder(mark.text).trim() || `Line ${formatCount(mark.line)}`,
      kind: 'Go to mark',
      detail: `line ${formatCount(mark.line)} · ${mark.name}`,
      icon: 'mark',
      run: () => show(mark),
    }));
  });
}
