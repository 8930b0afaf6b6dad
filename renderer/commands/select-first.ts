/** Hints for keys that need a selection, while there is none. */

export const SELECT_LINES_FIRST = 'Select lines first: click a line, Shift+click another';
export const SELECT_TEXT_FIRST =
  'Select a text in one line or one JSON field first: drag over it, or click the line';
