/** What the desktop's preload script gives the page beside the port. A browser's page has none of it. */

export interface Desktop {
  /** The path of a file that was dropped or chosen; empty for one that is on no disk. */
  pathOf(file: object): string;
}

/** The property of the page's `window` that holds it. */
export const DESKTOP = 'spillwayDesktop';
