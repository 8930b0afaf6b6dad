/** The actions on the text: moving, selecting, copying. */
import { declareActions } from '../commands/action.ts';
import { SELECT_LINES_FIRST } from '../commands/select-first.ts';
import { WITH_NUMBERS } from './selection/copy-forms.ts';
import { changeLook, textLook } from './text/text-look.ts';
import { extendColumns, extendSelection, moveRows, moveSideways, pageRows, selectAll } from './text-moves.ts';
import type { Viewer } from './use-viewer.ts';

export type ViewerPopover = 'goTo' | 'range';

interface ViewerContext {
  viewer: Viewer;
  popover: ViewerPopover | null;
  showPopover: (popover: ViewerPopover | null) => void;
}

export const viewerActions = declareActions<ViewerContext>()({
  head: {
    name: 'Go to the first line',
    label: 'Head',
    words: 'top start beginning home',
    icon: 'top',
    keys: ['h'],
    group: 'Move',
    run: ({ viewer }) => viewer.toStart(),
  },
  tail: {
    name: 'Go to the last line',
    label: 'Tail',
    words: 'bottom end',
    icon: 'bottom',
    keys: ['t'],
    group: 'Move',
    run: ({ viewer }) => viewer.toEnd(),
  },
  goTo: {
    name: 'Go to a line, a time, a percentage or a byte offset',
    label: 'Go to',
    words: 'jump number numbers date',
    icon: 'goto',
    keys: ['g', 'Ctrl+G'],
    group: 'Move',
    run: ({ showPopover }) => showPopover('goTo'),
  },
  follow: {
    name: 'Follow the end as it grows',
    label: 'Follow',
    words: 'live watch autoscroll',
    icon: 'follow',
    keys: ['f'],
    group: 'Move',
    isOn: ({ viewer }) => viewer.followState === 'on' || viewer.followState === 'paused',
    run: ({ viewer }) => viewer.toggleFollow(),
  },
  lines: {
    name: 'One line up or down',
    keys: ['↑', '↓'],
    group: 'Move',
    where: 'text',
    repeats: true,
    run: ({ viewer }, key) => moveRows(viewer, key === '↑' ? -1 : 1),
  },
  pages: {
    name: 'One screen up or down',
    keys: ['Page Up', 'Page Down', 'Space', 'Shift+Space'],
    group: 'Move',
    where: 'text',
    repeats: true,
    run: ({ viewer }, key) =>
      moveRows(viewer, key === 'Page Up' || key === 'Shift+Space' ? -pageRows(viewer) : pageRows(viewer)),
  },
  sideways: {
    name: 'Sideways',
    keys: ['←', '→'],
    group: 'Move',
    where: 'text',
    repeats: true,
    run: ({ viewer }, key) => moveSideways(viewer, key === '←' ? -1 : 1),
  },
  start: {
    name: 'First line',
    keys: ['Home', 'Ctrl+Home'],
    group: 'Move',
    where: 'text',
    run: ({ viewer }) => viewer.toStart(),
  },
  end: {
    name: 'Last line',
    keys: ['End', 'Ctrl+End'],
    group: 'Move',
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
    keys: ['Ctrl+A'],
    group: 'Select and copy',
    where: 'text',
    run: ({ viewer }) => selectAll(viewer),
  },
  copy: {
    name: 'Copy the selection',
    label: 'Copy',
    icon: 'copy',
    keys: ['Ctrl+C'],
    group: 'Select and copy',
    isFirst: true,
    where: 'text',
    // The browser itself copies text selected in a panel.
    when: ({ viewer }) => viewer.selection !== null && (window.getSelection()?.isCollapsed ?? true),
    run: ({ viewer }) => viewer.selection && viewer.copy.copy(viewer.selection),
  },
  times: {
    name: 'Show the time of each line, the time since the line above, or neither',
    label: 'Times',
    words: 'timestamps',
    icon: 'clock',
    keys: ['T'],
    group: 'View',
    isOn: ({ viewer }) => textLook.get().times !== 'off' && !viewer.isTimeless,
    run: ({ viewer }) => void viewer.nextTimes(),
  },
  levels: {
    name: 'Colour lines by level, or not',
    words: 'color colors coloring severity',
    keys: ['L'],
    group: 'View',
    run: () => changeLook({ levels: !textLook.get().levels }),
  },
  wrap: {
    name: 'Wrap long lines, or not',
    label: 'Wrap',
    words: 'word',
    icon: 'wrap',
    keys: ['w'],
    group: 'View',
    isOn: () => textLook.get().wrap,
    run: () => changeLook({ wrap: !textLook.get().wrap }),
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
