/** Helpers for the page: focus, scroll events, the clipboard and downloads. */
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { DESKTOP, type Desktop, type Saved } from '../../../shared/desktop.ts';

/** The desktop around the page; null in a browser. */
export const desktop: Desktop | null = (globalThis as { [DESKTOP]?: Desktop })[DESKTOP] ?? null;

/** Joins the names of classes that apply. */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

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

/** Returns a ref for the part. If the part closes with the focus inside, `to` gets the focus. */
export function useReturnFocus<Part extends HTMLElement>(
  to: RefObject<HTMLElement | null>,
): RefObject<Part | null> {
  const part = useRef<Part>(null);
  // A layout effect ends before its elements are removed.
  useLayoutEffect(() => {
    const { current } = part;
    return () => {
      if (current?.contains(document.activeElement)) to.current?.focus({ preventScroll: true });
    };
  }, [to]);
  return part;
}

/**
 * Calls `onScroll` when the element is scrolled, and `onResize` when its size changes. Returns what ends that.
 *
 * @param renders whether `onScroll` renders at once. It is then called last: after it, reading a size would lay out the
 *   page again.
 */
export function watchScroll(
  element: HTMLElement,
  onScroll: () => void,
  onResize = onScroll,
  renders = false,
): () => void {
  const capture = !renders;
  const resized = new ResizeObserver(() => onResize());
  resized.observe(element);
  element.addEventListener('scroll', onScroll, { passive: true, capture });
  return () => {
    resized.disconnect();
    element.removeEventListener('scroll', onScroll, { capture });
  };
}

/** Copies text to the clipboard; rejects if the browser does not allow it. */
export async function writeClipboard(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('This page has no permission to use the clipboard');
  await navigator.clipboard.writeText(text);
}

/**
 * Saves a text as a file, and resolves with whether it is there: the desktop asks where, and the person may choose
 * nowhere (null). A browser does not tell, so that its download counts as saved once it has begun.
 */
export async function saveText(
  name: string,
  parts: readonly (string | Blob)[],
  type = 'text/plain',
): Promise<Saved['outcome']> {
  const url = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }));
  const outcome = desktop
    ? new Promise<Saved['outcome']>((resolve) => {
        awaited.set(url, resolve);
      })
    : 'saved';
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(name);
  document.body.append(link);
  link.click();
  link.remove();
  // A browser's download begins only after the click was handled; the desktop's ends with its outcome.
  if (!desktop) setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS);
  return outcome;
}

/** Downloads whose outcome the desktop has not told yet, by their address. */
const awaited = new Map<string, (outcome: Saved['outcome']) => void>();

desktop?.onSaved(({ url, outcome }) => {
  awaited.get(url)?.(outcome);
  awaited.delete(url);
  URL.revokeObjectURL(url);
});

/** The message about a save; null if the person cancelled it. */
export function savedWords(outcome: Saved['outcome'], saved: string): string | null {
  return outcome === 'failed' ? 'Nothing was saved: the file could not be written' : outcome && saved;
}

const RELEASE_AFTER_MS = 60_000;
const MAX_CHARS = 120;

/** Returns a name that every file system accepts. */
export function fileName(name: string): string {
  const dot = name.lastIndexOf('.');
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const plain = stem
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|-+$/g, '');
  return `${plain.slice(0, MAX_CHARS) || 'output'}${end}`;
}
