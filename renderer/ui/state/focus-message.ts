/** Focuses the first button of a message, or the message itself, so that the window keeps the focus. */
export function focusMessage(message: HTMLElement | null): void {
  const target = message?.querySelector<HTMLElement>('button') ?? message;
  target?.focus({ preventScroll: true });
}
