/** Calls `onScroll` when the element is scrolled, and `onResize` when its size changes. Returns what ends that. */
export function watchScroll(element: HTMLElement, onScroll: () => void, onResize = onScroll): () => void {
  const resized = new ResizeObserver(() => onResize());
  resized.observe(element);
  element.addEventListener('scroll', onScroll, { passive: true });
  return () => {
    resized.disconnect();
    element.removeEventListener('scroll', onScroll);
  };
}
