/** The actions on JSON lines: unfolding them, showing them raw, copying them unfolded. */
import { formatCount } from '../../shared/text/format.ts';
import { jsonLine } from '../../shared/text/json/json-line.ts';
import { declareActions } from '../commands/action.ts';
import { SELECT_LINES_FIRST } from '../commands/select-first.ts';
import { bottomRow } from './scrolling/scroll-window.ts';
import type { CopyForm } from './selection/copy-forms.ts';
import { firstLine, lastLine } from './selection/selection.ts';
import { jsonOfRow } from './text/json/json-of-row.ts';
import { unfoldedText } from './text/json/unfolded-lines.ts';
import { MAX_UNFOLDED } from './text/json/unfolded-memory.ts';
import { UNFOLD_KEY } from './text/json/use-unfolding.ts';
import { changeLook, textLook } from './text/text-look.ts';
import type { Viewer } from './use-viewer.ts';

/** Each JSON object over several lines; other lines unchanged. */
const UNFOLDED: CopyForm = {
  line: (text) => {
    const line = jsonLine(text);
    return line ? unfoldedText(line) : text;
  },
};

const JSON_KEY = 'J';

export const jsonActions = declareActions<Viewer>()({
  unfold: {
    name: 'Unfold the JSON line, or fold it',
    keys: [UNFOLD_KEY],
    group: 'View',
    when: (viewer) => textLook.get().json && jsonLines(viewer).length > 0,
    otherwise: ({ say, currentLine }) =>
      say(
        textLook.get().json
          ? `Line ${formatCount(currentLine())} is not JSON: click a JSON line first`
          : `JSON lines are shown raw: ${JSON_KEY} shows their fields`,
      ),
    run: (viewer) => viewer.unfolding.toggle(jsonLines(viewer)),
  },
  unfoldAll: {
    name: 'Unfold the JSON lines in view, or fold all',
    keys: ['U'],
    group: 'View',
    when: (viewer) =>
      textLook.get().json && (viewer.unfolding.lines.size > 0 || linesInView(viewer).length > 0),
    run: ({ unfolding, ...viewer }) => {
      if (unfolding.lines.size > 0) unfolding.foldAll();
      else unfolding.toggle(linesInView(viewer));
    },
  },
  json: {
    name: 'Show JSON lines as message and fields, or raw',
    label: 'JSON',
    keys: [JSON_KEY],
    group: 'View',
    isOn: () => textLook.get().json,
    run: () => changeLook({ json: !textLook.get().json }),
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

type Shown = Pick<Viewer, 'rows' | 'scroll'>;

/** Returns the JSON lines of the selection, else the current line. */
function jsonLines(viewer: Viewer): number[] {
  const { selection, rows } = viewer;
  const current = viewer.currentLine();
  if (!selection || current < firstLine(selection) || current > lastLine(selection))
    return jsonAmong(viewer, rows.rowOf(current), rows.rowOf(current));
  return jsonAmong(viewer, rows.rowOf(firstLine(selection)), rows.rowOf(lastLine(selection)));
}

function linesInView({ rows, scroll }: Shown): number[] {
  const { position, height, heights } = scroll.view.get();
  return jsonAmong({ rows }, position.row, bottomRow(position, rows.count, height, heights));
}

/** Returns the JSON lines among the fetched rows from `first` to `last`. */
function jsonAmong({ rows }: Pick<Viewer, 'rows'>, first: number, last: number): number[] {
  const lines: number[] = [];
  for (let index = first; index <= last && lines.length < MAX_UNFOLDED; index += 1) {
    const row = rows.row(index);
    const line = rows.lineOf(index);
    if (!row) break;
    if (line !== null && jsonOfRow(row)) lines.push(line);
  }
  return lines;
}
