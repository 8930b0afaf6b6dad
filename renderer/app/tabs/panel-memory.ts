/** The panel beside the text of the tab with the focus, kept as long as the browser's tab: a reload shows it again. */
import type { Panel } from '../../artifact/actions.ts';

const KEY = 'spillway.panel';
const PANELS: readonly Panel[] = ['summary', 'details', 'commands', 'marks'];

export function rememberPanel(panel: Panel | null): void {
  try {
    sessionStorage.setItem(KEY, panel ?? '');
  } catch {
    // Nothing but convenience depends on it.
  }
}

export function rememberedPanel(): Panel | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    return PANELS.find((panel) => panel === kept) ?? null;
  } catch {
    return null;
  }
}
