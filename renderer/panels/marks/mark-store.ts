/** Marked lines of all artifacts with their notes, kept in localStorage and shared by all windows. */

import { type StreamName, StreamName as StreamNames } from '../../../shared/artifact.ts';
import { inOrder } from '../../../shared/text/escape.ts';
import { formatCount } from '../../../shared/text/format.ts';
import { usePaletteDestinations } from '../../actions/palette-items.ts';
import { jsonOf, persisted } from '../../ui/state/store.ts';

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
