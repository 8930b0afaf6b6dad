import { focusMessage } from '../ui/state/focus-message.ts';

/** Focuses the text of the focused pane, or the message instead of it; returns false if neither is shown. */
export function focusText(): boolean {
  const pane = document.querySelector('[data-pane="focused"]');
  const text = pane?.querySelector<HTMLElement>('[data-viewer]');
  const message = pane?.querySelector<HTMLElement>('[data-message]') ?? null;
  if (message) focusMessage(message);
  else text?.focus();
  const { activeElement: active } = document;
  return active !== null && (active === text || message?.contains(active) === true);
}
