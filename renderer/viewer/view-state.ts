/** The view of a text, to return to it after another artifact was shown, or from an address. */
import type { StreamName } from '../../shared/artifact.ts';
import type { StreamLine } from './document/open-document.ts';
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
  /** Where the reader is: the selected line in view, else the one at the top. */
  current: number | null;
  /** Go to the line that corresponds to this line of another stream. */
  from?: StreamLine;
}

/** Where to open another stream. */
export interface StreamChange {
  /** The stream shown so far. */
  from: StreamName | null;
  /** The reader moved since that stream was shown: without it, going back shows what was left. */
  moved: boolean;
  view: ViewState;
}

export const START_OF_TEXT: ViewState = {
  line: null,
  px: 0,
  range: null,
  selection: null,
  following: false,
  current: null,
};
