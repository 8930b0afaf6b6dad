/** Every key there is: buttons, the help dialog and the handlers read them here. */
import { useEffect, useRef } from 'react';

interface Shortcut {
  keys: readonly string[];
  does: string;
  group: string;
  /** As long as the key is held. */
  repeats?: boolean;
}

export const SHORTCUTS = {
  head: { keys: ['h'], does: 'Go to the first line', group: 'Move' },
  tail: { keys: ['t'], does: 'Go to the last line', group: 'Move' },
  goTo: { keys: ['g', 'Ctrl+G'], does: 'Go to a line, a percentage or a byte offset', group: 'Move' },
  follow: { keys: ['f'], does: 'Follow the end as it grows', group: 'Move' },
  range: { keys: ['r'], does: 'Show only a range of lines', group: 'Look' },
  summary: { keys: ['s'], does: 'Summary: counts, levels, errors, shapes', group: 'Look' },
  stream: { keys: ['c'], does: 'A command’s streams: combined, stdout, stderr', group: 'Look' },
  details: { keys: ['i'], does: 'Details: path, times, status', group: 'Look' },
  commands: { keys: ['k'], does: 'Commands typed in a recorded terminal', group: 'Look' },
  lastFailed: {
    keys: ['x'],
    does: 'The output of the last command that failed in a terminal',
    group: 'Look',
  },
  cancel: {
    keys: ['Esc'],
    does: 'Close the search, then its results; clear the selection, then the range',
    group: 'Look',
  },
  search: { keys: ['/', 'Ctrl+F'], does: 'Search the text', group: 'Search' },
  nextMatch: { keys: ['n'], does: 'Next match', group: 'Search', repeats: true },
  previousMatch: { keys: ['N'], does: 'Previous match', group: 'Search', repeats: true },
  results: { keys: ['m'], does: 'To the matching lines and back', group: 'Search' },
  filter: { keys: ['l'], does: 'Filter the list', group: 'List' },
  grouping: { keys: ['b'], does: 'Group the list by session, by source, or not at all', group: 'List' },
  library: { keys: ['Ctrl+B'], does: 'Show or hide the list', group: 'List' },
  open: { keys: ['o'], does: 'Open a file or directory by its path', group: 'List' },
  help: { keys: ['?'], does: 'These keys', group: 'Window' },
  theme: { keys: ['Ctrl+Shift+L'], does: 'Light, dark, or as the system', group: 'Window' },
} as const satisfies Record<string, Shortcut>;

export type CommandId = keyof typeof SHORTCUTS;

/** Keys that work while the text has the focus; listed here for the help dialog. */
export const TEXT_KEYS = [
  { keys: ['↑', '↓'], does: 'One line up or down' },
  { keys: ['←', '→'], does: 'Sideways' },
  { keys: ['Page Up', 'Page Down', 'Space'], does: 'One screen up or down' },
  { keys: ['Home', 'Ctrl+Home'], does: 'First line' },
  { keys: ['End', 'Ctrl+End'], does: 'Last line' },
  {
    keys: ['Shift+↑', 'Shift+↓'],
    does: 'Select lines (so do the arrow, page, Home and End keys with Shift)',
  },
  { keys: ['Ctrl+A'], does: 'Select all lines' },
  { keys: ['Ctrl+C'], does: 'Copy the selected lines' },
] as const;

/** Keys that work while the search field or the results have the focus. */
export const SEARCH_KEYS = [
  { keys: ['Enter', 'Shift+Enter'], does: 'Next, previous match (in the field)' },
  { keys: ['Alt+C', 'Alt+R', 'Alt+I'], does: 'Match case, regular expression, lines that do not match' },
  { keys: ['↑', '↓'], does: 'Patterns used before (in the empty field)' },
  { keys: ['0', '1', '2', '3'], does: 'Lines around each match (in the results)' },
  { keys: ['Enter'], does: 'Show the match in the text (in the results)' },
] as const;

export function keyOf(command: CommandId): string {
  return SHORTCUTS[command].keys[0];
}

/** Calls the handler of a command when one of its keys is pressed, unless the key is for a field or a dialog. */
export function useShortcuts(handlers: Partial<Record<CommandId, () => void>>): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const command = event.defaultPrevented ? null : commandOf(event);
      const handler = command && latest.current[command];
      if (!handler) return;
      const shortcut: Shortcut = SHORTCUTS[command];
      // Held down, a switch would flicker; a step goes on.
      if (event.repeat && !shortcut.repeats) return;
      event.preventDefault();
      handler();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** What the key asks for; null when it is for a field or a dialog, or asks for nothing. */
export function commandOf(event: KeyboardEvent): CommandId | null {
  if (isInPopup(event.target) || (isInField(event.target) && !(event.ctrlKey || event.metaKey))) return null;
  const pressed = nameOf(event);
  for (const [id, { keys }] of Object.entries(SHORTCUTS) as [CommandId, Shortcut][])
    if (keys.includes(pressed)) return id;
  return null;
}

/** As it is written in SHORTCUTS; Command counts as Ctrl. */
export function nameOf(event: {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}): string {
  if (event.key === 'Escape') return 'Esc';
  if (event.altKey) return '';
  if (!event.ctrlKey && !event.metaKey) return event.key;
  return `Ctrl+${event.shiftKey ? 'Shift+' : ''}${event.key.toUpperCase()}`;
}

/** A dialog or a menu has all the keys to itself. */
export function isInPopup(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('[role="dialog"], [role="menu"], [role="alertdialog"]') !== null
  );
}

function isInField(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null
  );
}
