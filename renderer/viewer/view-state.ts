/** The view of a text, to return to it after another artifact was shown, or from an address. */
import type { LineRange } from './document/rows-view.ts';
import type { Selection } from './selection/selection.ts';

export interface ViewState {
  /** At the top of the view; null for the start of the text. */
  line: number | null;
  /** Pixels of that line that are scrolled away. */
  px: number;
  range: LineRange | null;
  selection: Selection | null;
  following: boolean;
}

export const START_OF_TEXT: ViewState = { line: null, px: 0, range: null, selection: null, following: false };
