/** Stores several tabs for the next time the window opens. A single tab needs only its address. */
import * as z from 'zod';
import { stored, storeText } from '../../ui/state/stored.ts';
import { START_OF_TEXT } from '../../viewer/view-state.ts';
import { type Address, formatHash, parseHash } from './location.ts';
import { rememberedPanel, rememberedView } from './reload-memory.ts';
import { lastingView, StoredView, viewsAsJson } from './stored-view.ts';
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
const MAX_TABS = 500;

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

/** Returns the present content of a tab. */
type Present = (tab: Tab) => Partial<Shown> & Address;

export function storeTabs(tabs: Tabs, present: Present): void {
  storeText(KEY, tabs.tabs.length < 2 ? '' : textOfTabs(tabs, present));
}

/** Writes the text that `parseTabs` reads. Of more than MAX_TABS, it keeps the shown ones and the last others. */
export function textOfTabs({ tabs, panes, focused }: Tabs, present: Present): string {
  const isShown = ({ id }: Tab) => panes.includes(id);
  let surplus = tabs.length - MAX_TABS;
  const kept = tabs.filter((tab) => isShown(tab) || surplus-- <= 0);
  const value: z.input<typeof Stored> = {
    tabs: kept.map((tab) => {
      const { view = START_OF_TEXT, searchOpen = false, ...address } = present(tab);
      return { hash: formatHash(address), searchOpen, view: lastingView(view) };
    }),
    panes: panes.map((id) => kept.findIndex((tab) => tab.id === id)),
    focused,
  };
  return viewsAsJson(value);
}

/** Returns the stored tabs, with the window's address in front, and the panel and view before a reload. */
export function restoreTabs(address: Address): Tabs {
  const tabs = tabsOfLastTime(address);
  if (address.artifactId === null) return tabs;
  return changeTab(tabs, focusedTab(tabs).id, (tab) => ({ ...tab, panel: rememberedPanel() }));
}

function tabsOfLastTime(address: Address): Tabs {
  const tabs = parseTabs(stored(KEY));
  if (!tabs) {
    const shown = shownAt(address, 0);
    return oneTab({ ...shown, view: rememberedView() ?? shown.view });
  }
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
