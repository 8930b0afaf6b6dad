/** The desktop around the page; null in a browser. */
import { DESKTOP, type Desktop } from '../../../shared/desktop.ts';

export const desktop: Desktop | null = (globalThis as { [DESKTOP]?: Desktop })[DESKTOP] ?? null;
