/** Stores several tabs for the next time the window opens. A single tab needs only its address. */
import * as z from 'zod';
import { PANELS, type Panel } from '../../artifact/actions.ts';
import { stored, storeText } from '../../ui/state/stored.ts';
import { START_OF_TEXT } from '../../viewer/view-state.ts';
import { type Address, formatHash, parseHash } from './location.ts';
import {
  addTab,
  changeTab,
  focusedTab,
  oneTab,
  type Shown,
  shownAt,
  showTab,
  type Tab,
  type Tabs,
} from './tab-state.ts';

const KEY = 'spillway.tabs';
const MAX_TABS = 50;

const line = z.number().int().min(1);
/** `end` stands for the end of a line, as JSON has no infinity. */
const column = z.union([z.number(), z.literal('end').transform(() => Number.POSITIVE_INFINITY)]);
const columns = z.object({ anchor: column, focus: column });
const StoredView = z.object({
  line: line.nullable(),
  px: z.number(),
  range: z.object({ start: line, end: line }).nullable(),
  selection: z
    .union([z.object({ anchor: line, focus: line, columns }), z.object({ anchor: line, focus: line })])
    .nullable(),
  following: z.boolean(),
  current: line.nullable(),
});
const Stored = z.object({
  tabs: z
    .array(
      z.object({
        hash: z.string(),
        searchOpen: z.boolean(),
        view: StoredView.catch(START_OF_TEXT),
      }),
    )
    .min(2)
    .max(MAX_TABS),
  /** Indexes of the shown tabs. */
  panes: z.array(z.number().int().min(0)).min(1).max(2),
  focused: z.number().int().min(0),
});

export function storeTabs(
  { tabs, panes, focused }: Tabs,
  present: (tab: Tab) => Partial<Shown> & Address,
): void {
  if (tabs.length < 2) {
    storeText(KEY, '');
    return;
  }
  const kept = tabs.slice(0, MAX_TABS);
  const value: z.input<typeof Stored> = {
    tabs: kept.map((tab) => {
      const { view = START_OF_TEXT, searchOpen = false, ...address } = present(tab);
      const { from: _, ...lasting } = view;
      return { hash: formatHash(address), searchOpen, view: lasting };
    }),
    panes: panes.map((id) => kept.findIndex((tab) => tab.id === id)).filter((index) => index >= 0),
    focused,
  };
  storeText(
    KEY,
    JSON.stringify(value, (_, each) => (each === Number.POSITIVE_INFINITY ? 'end' : each)),
  );
}

/** Returns the stored tabs, with the window's address in front, and the panel open before a reload. */
export function restoreTabs(address: Address): Tabs {
  const tabs = tabsOfLastTime(address);
  if (address.artifactId === null) return tabs;
  return changeTab(tabs, focusedTab(tabs).id, (tab) => ({ ...tab, panel: rememberedPanel() }));
}

function tabsOfLastTime(address: Address): Tabs {
  const tabs = parseTabs(stored(KEY));
  if (!tabs) return oneTab(shownAt(address, 0));
  const shown = tabs.tabs.find(({ id }) => id === tabs.panes[tabs.focused])?.shown;
  if (address.artifactId === null || shown?.artifactId === address.artifactId) return tabs;
  const known = tabs.tabs.find((tab) => tab.shown.artifactId === address.artifactId);
  return known ? showTab(tabs, known.id) : addTab(tabs, shownAt(address, 0), 'show');
}

/** Returns null for nothing and for invalid text. */
export function parseTabs(text: string | null): Tabs | null {
  const parsed = Stored.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const { tabs, panes, focused } = parsed.data;
  if (panes.some((index) => index >= tabs.length) || new Set(panes).size < panes.length) return null;
  if (focused >= panes.length) return null;
  return {
    tabs: tabs.map(({ hash, searchOpen, view }, index) => {
      const shown = shownAt(parseHash(hash), 0);
      return { id: index + 1, panel: null, shown: { ...shown, searchOpen, view } };
    }),
    panes: panes.map((index) => index + 1),
    focused,
  };
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

const PANEL_KEY = 'spillway.panel';

/** Remembers the open panel of the focused tab in sessionStorage, so that a reload shows it again. */
export function rememberPanel(panel: Panel | null): void {
  try {
    sessionStorage.setItem(PANEL_KEY, panel ?? '');
  } catch {
    // Without storage the panel is closed after a reload.
  }
}

function rememberedPanel(): Panel | null {
  try {
    const kept = sessionStorage.getItem(PANEL_KEY);
    return PANELS.find((panel) => panel === kept) ?? null;
  } catch {
    return null;
  }
}
