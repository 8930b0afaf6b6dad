/** Focuses the first button of a message, or the message itself, so that the window keeps the focus. */
export function focusMessage(message: HTMLElement | null): void {
  const target = message?.querySelector<HTMLElement>('button') ?? message;
  target?.focus({ preventScroll: true });
}

/** Returns the element, or the button of the message that covers it: what is hidden cannot take the focus. */
export function shownOf(element: HTMLElement | null): HTMLElement | null {
  if (element === null || element.checkVisibility()) return element;
  for (let around = element.parentElement; around; around = around.parentElement) {
    const message = around.querySelector<HTMLElement>('[data-message]');
    if (message) return message.querySelector<HTMLElement>('button') ?? message;
  }
  return element;
}
