/** Functions that the desktop's preload script gives the page. A page in a browser has none of them. */

export interface Desktop {
  /** The path of a file that was dropped or chosen; empty for one that is on no disk. */
  pathOf(file: object): string;
  /** Asks with the system's dialog which files, or which folder, to open, and opens them. */
  chooseToOpen(what: 'files' | 'folder'): void;
  /** Tells what the application menu offers now. */
  showMenu(entries: readonly MenuEntry[]): void;
  /** Draws menus and dialogs of the system in this theme. */
  showTheme(theme: 'system' | 'light' | 'dark'): void;
  /** Calls with the name of the action that the person chose in it. */
  onChosen(listener: (action: string) => void): void;
  /** Calls with the address of each download, once the person has chosen its file and it is there, or is not. */
  onSaved(listener: (saved: Saved) => void): void;
}

/** The property of the page's `window` that holds it. */
export const DESKTOP = 'spillwayDesktop';

/** An action of the page in the application menu. */
export interface MenuEntry {
  action: string;
  /** The menu that it is in. */
  menu: string;
  /** Its first key, as the page names keys. */
  key: string | null;
  applies: boolean;
  /** Null for an action that cannot be on or off. */
  isOn: boolean | null;
}

export interface Saved {
  url: string;
  /** Null: the person has chosen no file. */
  outcome: 'saved' | 'failed' | null;
}
