/** Focuses the first button of a message, or the message itself, so that the window keeps the focus. */
export function focusMessage(message: HTMLElement | null): void {
  targetIn(message)?.focus({ preventScroll: true });
}

/** Returns the element; or, as what is hidden cannot take the focus, what `focusMessage` focuses in its pane. */
export function focusTargetOf(element: HTMLElement | null): HTMLElement | null {
  if (element === null || element.checkVisibility()) return element;
  return targetIn(element.closest('[data-pane]')?.querySelector('[data-message]') ?? null) ?? element;
}

function targetIn(message: HTMLElement | null): HTMLElement | null {
  return message?.querySelector<HTMLElement>('button') ?? message;
}
