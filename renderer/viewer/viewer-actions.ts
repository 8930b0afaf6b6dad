/** The actions on the text: moving, selecting, copying, JSON lines, highlighters. */

import { lineFields } from '../../shared/text/fields.ts';
import { formatCount } from '../../shared/text/format.ts';
import { jsonLine } from '../../shared/text/json-line.ts';
import { declareActions, SELECT_LINES_FIRST, SELECT_TEXT_FIRST } from '../actions/action.ts';
import { COLOUR_NAMES, highlighters, toggleText } from './highlight/text-highlights.tsx';
import { bottomRow } from './scrolling/positions.ts';
import { type CopyForm, WITH_NUMBERS } from './selection/copy-lines.ts';
import { firstLine, lastLine } from './selection/selection.ts';
import { jsonOfRow, MAX_UNFOLDED, UNFOLD_KEY } from './text/json-layout.ts';
import { unfoldedText } from './text/json-lines.ts';
import { READ_BACK_KEY, READ_ON_KEY } from './text/RowLine.tsx';
import { changeTextSettings, columnsOf, textSettings } from './text/text-settings.ts';
import {
  extendColumns,
  extendSelection,
  moveCaret,
  moveCaretPage,
  moveSideways,
  pageRows,
  scrollRows,
  selectAll,
} from './text-moves.ts';
import type { Viewer } from './use-viewer.ts';

export type ViewerPopover = 'goTo' | 'range';

interface ViewerContext {
  viewer: Viewer;
  popover: ViewerPopover | null;
  showPopover: (popover: ViewerPopover | null) => void;
}

export const viewerActions = declareActions<ViewerContext>('Move')({
  head: {
    name: 'Go to the first line',
    label: 'Head',
    words: 'top start beginning home',
    icon: 'top',
    keys: ['h'],
    run: ({ viewer }) => viewer.toStart(),
  },
  tail: {
    name: 'Go to the last line',
    label: 'Tail',
    words: 'bottom end',
    icon: 'bottom',
    keys: ['t'],
    run: ({ viewer }) => viewer.toEnd(),
  },
  goTo: {
    name: 'Go to a line, a time, a percentage or a byte offset',
    label: 'Go to',
    words: 'goto jump number numbers date',
    icon: 'goto',
    keys: ['g', 'Ctrl+G'],
    run: ({ showPopover }) => showPopover('goTo'),
  },
  back: {
    name: 'Go back to the line before the last jump',
    words: 'history previous return',
    keys: ['Alt+←'],
    run: ({ viewer }) => viewer.travel(-1),
  },
  forward: {
    name: 'Go forward again',
    words: 'history next redo',
    keys: ['Alt+→'],
    run: ({ viewer }) => viewer.travel(1),
  },
  follow: {
    name: 'Follow the end as it grows',
    label: 'Follow',
    words: 'live watch autoscroll stream refresh',
    icon: 'follow',
    keys: ['f'],
    isOn: ({ viewer }) => viewer.followState === 'on' || viewer.followState === 'paused',
    run: ({ viewer }) => viewer.toggleFollow(),
  },
  lines: {
    name: 'One line up or down',
    keys: ['↑', '↓'],
    where: 'text',
    repeats: true,
    run: ({ viewer }, key) => moveCaret(viewer, key === '↑' ? -1 : 1),
  },
  scroll: {
    name: 'Scroll one line, and leave the selection',
    keys: ['Ctrl+↑', 'Ctrl+↓'],
    where: 'text',
    repeats: true,
    run: ({ viewer }, key) => scrollRows(viewer, key === 'Ctrl+↑' ? -1 : 1),
  },
  pages: {
    name: 'One screen up or down',
    keys: ['Page Up', 'Page Down', 'Space', 'Shift+Space'],
    where: 'text',
    repeats: true,
    run: ({ viewer }, key) =>
      moveCaretPage(
        viewer,
        key === 'Page Up' || key === 'Shift+Space' ? -pageRows(viewer) : pageRows(viewer),
      ),
  },
  sideways: {
    name: 'Sideways',
    keys: ['←', '→'],
    where: 'text',
    repeats: true,
    run: ({ viewer }, key) => moveSideways(viewer, key === '←' ? -1 : 1),
  },
  readOn: {
    name: 'Read on, or back, in a line over 64 KiB',
    words: 'long line piece',
    keys: [READ_ON_KEY, READ_BACK_KEY],
    where: 'text',
    run: ({ viewer }, key) => {
      const isBack = key === READ_BACK_KEY;
      if (!viewer.readOn(viewer.currentLine(), isBack ? -1 : 1))
        viewer.say(`Nothing of this line is left ${isBack ? 'before' : 'after'} what is shown`);
    },
  },
  start: {
    name: 'First line',
    keys: ['Home', 'Ctrl+Home'],
    where: 'text',
    run: ({ viewer }) => viewer.toStart(),
  },
  end: {
    name: 'Last line',
    keys: ['End', 'Ctrl+End'],
    where: 'text',
    run: ({ viewer }) => viewer.toEnd(),
  },
  selectLines: {
    name: 'Select one line more or less',
    keys: ['Shift+↑', 'Shift+↓'],
    group: 'Select and copy',
    where: 'text',
    repeats: true,
    run: ({ viewer }, key) => extendSelection(viewer, key === 'Shift+↑' ? -1 : 1, viewer.currentLine()),
  },
  selectCharacters: {
    name: 'Select one character more or less, after a drag in the text',
    keys: ['Shift+←', 'Shift+→'],
    group: 'Select and copy',
    where: 'text',
    repeats: true,
    when: ({ viewer }) => viewer.selection?.columns !== undefined,
    run: ({ viewer }, key) => extendColumns(viewer, key === 'Shift+←' ? -1 : 1),
  },
  selectPages: {
    name: 'Select one screen more or less',
    keys: ['Shift+Page Up', 'Shift+Page Down'],
    group: 'Select and copy',
    where: 'text',
    repeats: true,
    run: ({ viewer }, key) =>
      extendSelection(
        viewer,
        key === 'Shift+Page Up' ? -pageRows(viewer) : pageRows(viewer),
        viewer.currentLine(),
      ),
  },
  selectToEnds: {
    name: 'Select to the first or last line',
    keys: ['Shift+Home', 'Shift+End'],
    group: 'Select and copy',
    where: 'text',
    run: ({ viewer }, key) =>
      extendSelection(
        viewer,
        key === 'Shift+Home' ? -viewer.rows.count : viewer.rows.count,
        viewer.currentLine(),
      ),
  },
  selectAll: {
    name: 'Select all lines',
    words: 'everything',
    inMenu: 2,
    keys: ['Ctrl+A'],
    group: 'Select and copy',
    where: 'text',
    run: ({ viewer }) => selectAll(viewer),
  },
  selectEntry: {
    name: 'Select the entry around the line, such as an error with its stack trace',
    inMenu: 2,
    words: 'multiline frames exception',
    keys: ['='],
    group: 'Select and copy',
    where: 'text',
    run: ({ viewer }) => void viewer.selectEntry(),
  },
  copy: {
    name: 'Copy the selection',
    label: 'Copy',
    icon: 'copy',
    keys: ['Ctrl+C'],
    group: 'Select and copy',
    inMenu: 1,
    where: 'text',
    // The browser itself copies text selected in a panel.
    when: ({ viewer }) => viewer.selection !== null && (window.getSelection()?.isCollapsed ?? true),
    run: ({ viewer }) => viewer.selection && viewer.copy.copy(viewer.selection),
  },
  times: {
    name: 'Show the time of each line, the time since the line above, or neither',
    label: 'Times',
    words: 'timestamps clock date elapsed',
    icon: 'clock',
    keys: ['T'],
    group: 'View',
    isOn: ({ viewer }) => textSettings.get().times !== 'off' && !viewer.isTimeless,
    run: ({ viewer }) => void viewer.nextTimes(),
  },
  levels: {
    name: 'Colour lines by level, or not',
    words: 'color colors coloring severity',
    keys: ['L'],
    group: 'View',
    run: () => changeTextSettings({ levels: !textSettings.get().levels }),
  },
  wrap: {
    name: 'Wrap long lines, or not',
    label: 'Wrap',
    words: 'word soft break fold',
    icon: 'wrap',
    keys: ['w'],
    group: 'View',
    isOn: () => textSettings.get().wrap,
    run: () => changeTextSettings({ wrap: !textSettings.get().wrap }),
  },
  copyNumbered: {
    name: 'Copy the selection with line numbers',
    icon: 'copy',
    keys: ['#'],
    group: 'Select and copy',
    when: ({ viewer }) => viewer.selection !== null,
    otherwise: ({ viewer }) => viewer.say(SELECT_LINES_FIRST),
    run: ({ viewer }) => viewer.selection && viewer.copy.copy(viewer.selection, WITH_NUMBERS),
  },
  range: {
    name: 'Show only a range of lines',
    label: 'Range',
    icon: 'range',
    keys: ['r'],
    group: 'View',
    isOn: ({ viewer }) => viewer.range !== null,
    run: ({ showPopover }) => showPopover('range'),
  },
});

/** Each JSON object over several lines; other lines unchanged. */
const UNFOLDED: CopyForm = {
  line: (text) => {
    const line = jsonLine(text);
    return line ? unfoldedText(line) : text;
  },
};

const JSON_KEY = 'J';

export const jsonActions = declareActions<Viewer>('View')({
  unfold: {
    name: 'Unfold the JSON line, or fold it',
    words: 'expand pretty print',
    inMenu: 2,
    keys: [UNFOLD_KEY],
    when: (viewer) => textSettings.get().json && jsonLines(viewer).length > 0,
    otherwise: ({ say, currentLine }) =>
      say(
        textSettings.get().json
          ? `Line ${formatCount(currentLine())} is not JSON: click a JSON line first`
          : `JSON lines are shown raw: ${JSON_KEY} shows their fields`,
      ),
    run: (viewer) => viewer.unfolding.toggle(jsonLines(viewer)),
  },
  unfoldAll: {
    name: 'Unfold the JSON lines in view, or fold all',
    keys: ['U'],
    when: (viewer) =>
      textSettings.get().json && (viewer.unfolding.lines.size > 0 || linesInView(viewer).length > 0),
    run: ({ unfolding, ...viewer }) => {
      if (unfolding.lines.size > 0) unfolding.foldAll();
      else unfolding.toggle(linesInView(viewer));
    },
  },
  json: {
    name: 'Show JSON lines as message and fields, CI lines without job and time, or both raw',
    words: 'pretty print format structured prefix step timestamps github',
    label: 'JSON',
    keys: [JSON_KEY],
    isOn: () => textSettings.get().json,
    run: () => changeTextSettings({ json: !textSettings.get().json }),
  },
  copyUnfolded: {
    name: 'Copy the selection with JSON lines unfolded',
    icon: 'copy',
    keys: ['C'],
    group: 'Select and copy',
    when: (viewer) => viewer.selection !== null && jsonLines(viewer).length > 0,
    otherwise: ({ say, selection }) => say(selection ? 'No JSON line is selected' : SELECT_LINES_FIRST),
    run: ({ selection, copy }) =>
      selection && copy.copy({ anchor: firstLine(selection), focus: lastLine(selection) }, UNFOLDED),
  },
});

type Shown = Pick<Viewer, 'rows' | 'scroll' | 'opened'>;

/** Returns the JSON lines of the selection, else the current line. */
function jsonLines(viewer: Viewer): number[] {
  const { selection, rows } = viewer;
  const current = viewer.currentLine();
  if (!selection || current < firstLine(selection) || current > lastLine(selection))
    return jsonAmong(viewer, rows.rowOf(current), rows.rowOf(current));
  return jsonAmong(viewer, rows.rowOf(firstLine(selection)), rows.rowOf(lastLine(selection)));
}

function linesInView({ rows, opened, scroll }: Shown): number[] {
  const { position, height, heights } = scroll.view.get();
  return jsonAmong({ rows, opened }, position.row, bottomRow(position, rows.count, height, heights));
}

/** Returns the JSON lines, and those whose fields are columns, among the fetched rows from `first` to `last`. */
function jsonAmong({ rows, opened }: Pick<Viewer, 'rows' | 'opened'>, first: number, last: number): number[] {
  const format = opened.snapshot.state?.format ?? null;
  const hasColumns = columnsOf(format).length > 0;
  const lines: number[] = [];
  for (let index = first; index <= last && lines.length < MAX_UNFOLDED; index += 1) {
    const row = rows.row(index);
    const line = rows.lineOf(index);
    if (!row) break;
    const isFolded =
      jsonOfRow(row) !== null || (hasColumns && lineFields(row.text, null, format?.pattern).length > 0);
    if (line !== null && isFolded) lines.push(line);
  }
  return lines;
}

/** The actions on highlighters. */
interface HighlightContext {
  /** Selected within one line; null without such a text. */
  selected: string | null;
  say: (message: string) => void;
  isOpen: boolean;
  setOpen: (open: boolean) => void;
}

export const highlightActions = declareActions<HighlightContext>('Highlight')({
  highlightSelected: {
    name: 'Highlight the selected text, or remove its highlight',
    inMenu: 2,
    words: 'color colour',
    keys: ['H'],
    when: ({ selected }) => selected !== null,
    otherwise: ({ say }) => say(SELECT_TEXT_FIRST),
    run: ({ selected, say }) => {
      const done = selected === null ? null : toggleText(selected);
      if (!done) return say('All ten highlighters are in use: free one in the list of highlighters');
      say(`${done.on ? 'Highlighted in' : 'No longer highlighted in'} ${COLOUR_NAMES[done.colour]}`);
    },
  },
  highlighters: {
    name: 'Highlighters: ten colours, each for a text or an expression',
    label: 'Highlighters',
    words: 'color colors colour',
    icon: 'marker',
    keys: ['Ctrl+Shift+H'],
    isOn: ({ isOpen }) => isOpen || highlighters.get().some(({ pattern, on }) => on && pattern !== ''),
    run: ({ isOpen, setOpen }) => setOpen(!isOpen),
  },
});
