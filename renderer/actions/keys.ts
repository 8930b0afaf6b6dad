/** Names keys for buttons and the key sheet, and tells which keys belong to other controls. */

const NAMES: Record<string, string> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
  ' ': 'Space',
};
/** Keys that are not characters. Shift is part of their names, while a letter such as `N` already implies it. */
const NAMED = new Set([...Object.values(NAMES), 'Home', 'End', 'Enter']);

export interface PressedKey {
  key: string;
  code?: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Returns `h`, `N`, `Esc`, `Shift+↑`, `Ctrl+Shift+L`, `Alt+C`. Command counts as Ctrl. Empty for unusable keys. */
export function keyName(event: PressedKey): string {
  const key = NAMES[event.key] ?? event.key;
  if (key === 'Esc') return key;
  // Alt changes the character on some keyboards, but not the code.
  if (event.altKey) return event.code?.startsWith('Key') ? `Alt+${event.code.slice(3)}` : '';
  const shift = event.shiftKey ? 'Shift+' : '';
  if (event.ctrlKey || event.metaKey) return `Ctrl+${shift}${key.length === 1 ? key.toUpperCase() : key}`;
  return NAMED.has(key) ? `${shift}${key}` : key;
}

/** Whether the target is in a dialog or menu, which takes all keys. */
export function isInPopup(target: EventTarget | null): boolean {
  return isInside(target, '[role="dialog"], [role="menu"], [role="alertdialog"]');
}

export function isInField(target: EventTarget | null): boolean {
  return isInside(target, 'input, textarea, select, [contenteditable="true"]');
}

/** Whether keys that move the text belong to a control at the target: a field, a list, a side panel. */
export function hasOwnMoveKeys(event: { target: EventTarget | null; key: string }): boolean {
  const { target, key } = event;
  if (isInside(target, 'input, textarea, select, [contenteditable], [role="listbox"], aside')) return true;
  return key === ' ' && isInside(target, 'button');
}

function isInside(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
