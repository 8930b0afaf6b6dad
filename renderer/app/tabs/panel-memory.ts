/** Remembers the open panel of the focused tab in sessionStorage, so that a reload shows it again. */
import type { Panel } from '../../artifact/actions.ts';

const KEY = 'spillway.panel';
const PANELS: readonly Panel[] = ['summary', 'details', 'commands', 'marks'];

export function rememberPanel(panel: Panel | null): void {
  try {
    sessionStorage.setItem(KEY, panel ?? '');
  } catch {
    // Without storage the panel is closed after a reload.
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
