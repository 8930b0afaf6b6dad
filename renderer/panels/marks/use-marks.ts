/** Holds the marks of the shown text: which are still valid, and the actions on them. */

import { type MouseEvent, useCallback, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Row } from '../../../shared/api/rows.ts';
import type { Artifact, StreamName } from '../../../shared/artifact.ts';
import { formatCount } from '../../../shared/text/format.ts';
import { useActions } from '../../actions/registry.ts';
import { recordChange } from '../../actions/undo.ts';
import { nameOf, pathOf } from '../../library/artifact-facts.ts';
import { useStore } from '../../ui/state/store.ts';
import type { Say } from '../../ui/state/time.ts';
import { includesLine, selectLine } from '../../viewer/selection/selection.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import { MARKS_PANEL_KEY, markActions } from '../panel-actions.ts';
import {
  addMark,
  completeMark,
  GUARD_CHARS,
  keyOf,
  type Mark,
  marks,
  moveMarks,
  removeMark,
  sorted,
  stillHolds,
  UNREAD,
  useMarksExport,
} from './marks-export.ts';

interface MarksOptions {
  artifact: Artifact | null;
  stream: StreamName | null;
  viewer: Viewer;
  /** The line that the keys act on. */
  lineHere: () => number;
  say: Say;
  isPanelOpen: boolean;
  togglePanel: () => void;
}

export type Marks = ReturnType<typeof useMarks>;

export function useMarks(options: MarksOptions) {
  const { artifact, stream, viewer, lineHere, say, isPanelOpen, togglePanel } = options;
  const all = useStore(marks);
  const id = artifact?.artifact_id ?? null;
  const path = artifact?.kind === 'file' ? pathOf(artifact) : null;
  useEffect(() => {
    if (id !== null && path !== null) moveMarks(path, id);
  }, [id, path]);
  const own = useMemo(
    () => sorted(all.filter((mark) => mark.artifactId === id && mark.stream === stream)),
    [all, id, stream],
  );
  const stale = useStale(own, viewer, say);
  const lines = useMemo(
    () => own.filter((mark) => !stale.has(keyOf(mark))).map(({ line }) => line),
    [own, stale],
  );
  /** All marks, those of the shown artifact first, as the panel lists them. */
  const listed = useMemo(() => [...all].sort((a, b) => rank(a, id) - rank(b, id)), [all, id]);
  const { copyMarks, saveMarks } = useMarksExport(
    { document: viewer.opened.document?.ref ?? null, has: (mark) => own.includes(mark) },
    say,
  );
  /** The mark whose note the panel focuses for editing. */
  const [editing, setEditing] = useState<string | null>(null);

  const remove = (mark: Mark): void => {
    removeMark(mark);
    const where = `line ${formatCount(mark.line)}`;
    if (mark.note === '') say(`Line ${formatCount(mark.line)} is no longer marked`);
    else
      say(
        `Mark on ${where} removed, with its note`,
        recordChange(null, () => addMark(mark)),
      );
  };
  /** Marks a line at once, even before it was read, as the next key may follow at once. */
  const toggle = (line: number): Mark | null => {
    if (!artifact || stream === null) return null;
    const known = own.find((mark) => mark.line === line);
    if (!known) return make(artifact, stream, line, rowHere(viewer, line));
    remove(known);
    return null;
  };
  /** The line the view is going to, even before it is shown; else the current line. */
  const lineToMark = () => {
    const { pending } = viewer;
    return typeof pending?.line === 'number' && pending.align !== 'top' ? pending.line : lineHere();
  };

  const context = {
    toggle: () => {
      const line = lineToMark();
      if (toggle(line)) say(`Marked line ${formatCount(line)}; list: ${MARKS_PANEL_KEY}`);
    },
    note: () => {
      const line = lineToMark();
      const mark = own.find((each) => each.line === line) ?? toggle(line);
      if (!mark) return;
      flushSync(() => {
        setEditing(keyOf(mark));
        if (!isPanelOpen) togglePanel();
      });
    },
    step: (direction: 1 | -1) => {
      const from = viewer.currentLine();
      const ahead =
        direction === 1
          ? lines.find((line) => shownFor(line, viewer) > from)
          : lines.findLast((line) => shownFor(line, viewer) < from);
      const line = ahead ?? lines.at(direction === 1 ? 0 : -1);
      if (line === undefined) return say(`No line is marked here. ${markActions.toggle.keys[0]} marks one`);
      // If filters hide the line, the viewer says so, instead of its note.
      viewer.showLine(line, 'unless visible');
      const { note } = own.find((mark) => mark.line === line)!;
      if (note !== '') say(note);
    },
    hasMarks: all.length > 0,
    copy: () => copyMarks(listed),
    save: () => saveMarks(listed),
  };
  useActions(markActions, context);

  return {
    all,
    own,
    stale,
    /** Lines with valid marks, rising. */
    lines,
    context,
    remove,
    copyMarks,
    saveMarks,
    editing,
    doneEditing: useCallback(() => setEditing(null), []),
    /** The shown artifact. */
    artifactId: id,
    stream,
    ...clicksOf(viewer, toggle),
  };
}

/**
 * Handlers for the element around the text: a click beside a number marks the line; the menu selects the clicked
 * line.
 */
function clicksOf({ selection, select }: Viewer, toggle: (line: number) => void) {
  return {
    onClick: (event: MouseEvent) => {
      const line = lineBeside(event);
      if (line !== null) toggle(line);
    },
    onContextMenu: (event: MouseEvent) => {
      const line = lineOf(event.target);
      const isSelected = line !== null && (includesLine(selection, line) || selection?.columns);
      if (line !== null && !isSelected) select(selectLine(line));
    },
  };
}

function rank({ artifactId }: Mark, shown: string | null): number {
  return artifactId === shown ? 0 : 1;
}

/** Width in pixels of the gutter's right part, in which a click marks the line. */
const BESIDE_PX = 13;

function lineBeside({ target, clientX }: MouseEvent): number | null {
  const gutter = target instanceof Element ? target.closest('[data-gutter]') : null;
  if (!gutter || clientX < gutter.getBoundingClientRect().right - BESIDE_PX) return null;
  return lineOf(gutter);
}

function lineOf(target: EventTarget | null): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null;
  return row === null ? null : Number(row.dataset.line);
}

function make(artifact: Artifact, stream: StreamName, line: number, row: Row | undefined): Mark {
  const text = row?.text.slice(0, GUARD_CHARS) ?? '';
  const id = artifact.artifact_id;
  const path = artifact.kind === 'file' ? (pathOf(artifact) ?? undefined) : undefined;
  const mark = { artifactId: id, path, stream, line, note: '', name: nameOf(artifact) };
  const made = { ...mark, offset: row?.offset ?? UNREAD, text };
  addMark(made);
  return made;
}

/** Returns the line that is selected for a marked line: if filters hide that, the next one or the last one. */
function shownFor(line: number, { rows }: Viewer): number {
  return rows.lineOf(Math.min(rows.rowOf(line), rows.count - 1)) ?? line;
}

/** Returns the row of a line, if it was fetched. */
function rowHere({ rows }: Viewer, line: number): Row | undefined {
  const index = rows.rowOf(line);
  return rows.lineOf(index) === line ? rows.row(index) : undefined;
}

/** Returns the row of a line; fetches it if needed. */
async function rowAt(viewer: Viewer, line: number, signal = new AbortController().signal) {
  const here = rowHere(viewer, line);
  if (here) return here;
  const { opened } = viewer;
  return (await opened.document?.fetchRows(line, 1, signal))?.rows[0];
}

/** Returns the keys of marks whose lines have changed. Checks once in each text, and reads lines not read yet. */
function useStale(own: readonly Mark[], viewer: Viewer, say: (message: string) => void): ReadonlySet<string> {
  const { opened, counted } = viewer;
  const generation = opened.snapshot.state?.generation ?? null;
  const [looked, setLooked] = useState<Looked>({ generation: null, holds: new Map() });
  const known = looked.generation === generation ? looked.holds : NOTHING_KNOWN;
  const missing = own.filter((mark) => mark.offset === UNREAD || !known.has(keyOf(mark)));
  const wanted = missing.map(keyOf).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` names the marks
  useEffect(() => {
    if (!opened.document || !counted || generation === null || missing.length === 0) return;
    const request = new AbortController();
    const look = async () => {
      const holds = new Map(known);
      for (const mark of missing) {
        const answer = rowAt(viewer, mark.line, request.signal);
        const row = await answer.catch(() => null);
        if (request.signal.aborted) return;
        // The line could not be read: try again at the next check.
        if (row === null) continue;
        if (mark.offset === UNREAD && row) completeMark(mark, row);
        if (mark.offset === UNREAD && !row) {
          removeMark(mark);
          say(`There is no line ${formatCount(mark.line)}`);
        }
        holds.set(keyOf(mark), mark.offset === UNREAD || stillHolds(mark, row));
      }
      setLooked({ generation, holds });
    };
    void look();
    return () => request.abort();
  }, [opened.document, counted, generation, wanted]);
  return useMemo(() => new Set(own.map(keyOf).filter((key) => known.get(key) === false)), [own, known]);
}

interface Looked {
  generation: number | null;
  holds: ReadonlyMap<string, boolean>;
}

const NOTHING_KNOWN: ReadonlyMap<string, boolean> = new Map();
