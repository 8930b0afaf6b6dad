/** Splits the window into two panes, moves between them, and scrolls them together. */
import { useState } from 'react';
import { useActions } from '../../commands/registry.ts';
import {
  type PanesContext,
  paneActions,
  type TabContext,
  type Together,
  tabActions,
} from '../tabs/actions.ts';
import { closeOtherPane, focusedTab, focusPane, moveTab, neighbour } from '../tabs/tab-state.ts';
import type { TabsContext } from '../tabs/use-tabs.ts';
import { useScrollTogether } from './use-scroll-together.ts';

export function usePanes(context: TabsContext): PanesContext {
  const { tabs, live, arrange, add, copyOfFocused } = context;
  const [together, scrollTogether] = useState<Together>('off');
  const isSplit = tabs.panes.length > 1;
  const [first, second] = tabs.panes.map((id) => live.get(id) ?? null);
  const problem = useScrollTogether(isSplit ? together : 'off', first ?? null, second ?? null, tabs.focused);

  const tabContext: TabContext = {
    count: tabs.tabs.length,
    showNeighbour: (by) => context.select(neighbour(tabs, by)),
    move: (by) => arrange((state) => moveTab(state, by)),
    duplicate: () => add(copyOfFocused(), 'show'),
    close: () => context.close(focusedTab(tabs).id),
  };
  const panes: PanesContext = {
    isSplit,
    together,
    problem,
    toggleSplit() {
      if (isSplit) arrange(closeOtherPane);
      else add(copyOfFocused(), 'split');
    },
    focusOther: () => arrange((state) => focusPane(state, state.focused === 0 ? 1 : 0)),
    scrollTogether,
  };
  useActions(tabActions, tabContext);
  useActions(paneActions, panes);
  return panes;
}
