/** The view of a text, to restore it after another artifact was shown, or from an address. */
import type { StreamName } from '../../shared/artifact.ts';
import type { StreamLine } from './document/open-document.ts';
import type { LineRange } from './document/rows-view.ts';
import type { Following } from './following.ts';
import type { Selection } from './selection/selection.ts';

export interface ViewState {
  /** The line at the top of the view; null for the start of the text. */
  line: number | null;
  /** Pixels of that line above the view. */
  px: number;
  range: LineRange | null;
  selection: Selection | null;
  /** Pixels from the top of the view to the end of the selection; absent if it is out of view. */
  selectedAt?: number | undefined;
  following: Following;
  /** The reader's line: the selected one if in view, else the one at the top. */
  current: number | null;
  /** The line of another stream whose corresponding line to show. */
  from?: StreamLine;
}

/** Describes where to open another stream. */
export interface StreamChange {
  /** The stream shown before. */
  from: StreamName | null;
  /** Whether the reader moved since that stream was shown; if not, going back restores the earlier view. */
  moved: boolean;
  view: ViewState;
}

export const START_OF_TEXT: ViewState = {
  line: null,
  px: 0,
  range: null,
  selection: null,
  following: 'off',
  current: null,
};
