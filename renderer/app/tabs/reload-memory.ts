/** Remembers what a reload shows again besides the address: the panel and the view of the focused tab. */
import { PANELS, type Panel } from '../../artifact/actions.ts';
import type { ViewState } from '../../viewer/view-state.ts';
import { parseHash } from './location.ts';
import { lastingView, StoredView, viewsAsJson } from './stored-view.ts';

const PANEL_KEY = 'spillway.panel';
const VIEW_KEY = 'spillway.view';

export function rememberForReload(panel: Panel | null, view: ViewState | undefined): void {
  try {
    sessionStorage.setItem(PANEL_KEY, panel ?? '');
    const { hash } = location;
    sessionStorage.setItem(VIEW_KEY, view ? viewsAsJson({ hash, view: lastingView(view) }) : '');
  } catch {
    // Without storage a reload closes the panel and returns to the line of the address only.
  }
}

export function rememberedPanel(): Panel | null {
  try {
    const kept = sessionStorage.getItem(PANEL_KEY);
    return PANELS.find((panel) => panel === kept) ?? null;
  } catch {
    return null;
  }
}

/** Returns null for another address than the one that was left. */
export function rememberedView(): ViewState | null {
  try {
    const { hash, view } = JSON.parse(sessionStorage.getItem(VIEW_KEY) || 'null') ?? {};
    return wasLeft(hash) ? (StoredView.safeParse(view).data ?? null) : null;
  } catch {
    return null;
  }
}

/** Whether the page at this address is the one that was left. */
function wasLeft(hash: unknown): boolean {
  if (hash === location.hash) return true;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (typeof hash !== 'string' || navigation?.type !== 'reload') return false;
  // Scrolling and searching may still have changed the address when the reload had begun with the older one.
  const [left, now] = [parseHash(hash), parseHash(location.hash)];
  return left.artifactId === now.artifactId && left.stream === now.stream;
}
