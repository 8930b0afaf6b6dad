/** Focuses the text of the focused pane; returns false if none is shown. */
export function focusText(): boolean {
  const text = document.querySelector<HTMLElement>('[data-pane="focused"] [data-viewer]');
  text?.focus();
  return text !== null && text === document.activeElement;
}
