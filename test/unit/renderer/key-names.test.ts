/** Keys as keyboards name them. */
import { expect, test } from 'vitest';
import { keyOnKeyboard } from '../../../renderer/ui/text/format.ts';

test.each([
  ['Ctrl+,', '⌘,'],
  ['Ctrl+Shift+L', '⇧⌘L'],
  ['Alt+←', '⌥←'],
  ['Shift+Enter', '⇧Enter'],
  ['+', '+'],
  ['h', 'h'],
])('%s is %s on a Mac', (key, mac) => {
  expect([keyOnKeyboard(key, true), keyOnKeyboard(key, false)]).toEqual([mac, key]);
});
