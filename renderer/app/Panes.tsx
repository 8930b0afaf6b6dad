/** Shows one text, or two side by side. One of them has the focus. */

import { type ReactNode, useEffect, useRef } from 'react';
import { ActionScope } from '../actions/registry.ts';
import { ArtifactView } from '../artifact/ArtifactView.tsx';
import type { LibraryStore } from '../library/library-store.ts';
import styles from './Panes.module.css';
import { focusPane } from './tabs/tab-state.ts';
import type { TabsContext } from './tabs/use-tabs.ts';

interface PanesProps {
  tabs: TabsContext;
  library: LibraryStore;
  /** Shown before the name in the first pane, and at the end of that row in the last. */
  before: ReactNode;
  after: ReactNode;
  /** Shown in a tab without an artifact. */
  nothing: ReactNode;
}

export function Panes({ tabs: context, library, before, after, nothing }: PanesProps) {
  const { tabs, arrange } = context;
  const { panes, focused } = tabs;
  const isSplit = panes.length > 1;
  return (
    <div className={styles.panes} data-split={isSplit || undefined}>
      {panes.map((id, index) => {
        const tab = tabs.tabs.find((each) => each.id === id);
        if (!tab) return null;
        const isFocused = index === focused;
        return (
          <Pane
            key={id}
            isFocused={isFocused}
            isSplit={isSplit}
            onFocus={() => arrange((state) => focusPane(state, index))}
          >
            <ActionScope value={isFocused}>
              {tab.shown.artifactId === null ? (
                nothing
              ) : (
                <ArtifactView
                  key={`${tab.shown.visit} ${tab.shown.artifactId}`}
                  artifactId={tab.shown.artifactId}
                  place={tab.shown}
                  panel={tab.panel}
                  library={library}
                  tab={context.of(tab.id)}
                  before={index === 0 ? before : null}
                  after={index === panes.length - 1 ? after : null}
                />
              )}
            </ActionScope>
          </Pane>
        );
      })}
    </div>
  );
}

interface PaneProps {
  isFocused: boolean;
  isSplit: boolean;
  onFocus: () => void;
  children: ReactNode;
}

function Pane({ isFocused, isSplit, onFocus, children }: PaneProps) {
  const pane = useRef<HTMLDivElement>(null);
  // A key or the tabs focused this pane: move the focus to its text.
  useEffect(() => {
    if (!isFocused || !isSplit) return;
    const active = document.activeElement;
    const isElsewhere = active?.closest('[data-pane]') && !pane.current?.contains(active);
    if (isElsewhere || active === document.body)
      pane.current?.querySelector<HTMLElement>('[data-viewer]')?.focus({ preventScroll: true });
  }, [isFocused, isSplit]);
  return (
    <div
      ref={pane}
      className={styles.pane}
      data-pane={isFocused ? 'focused' : 'other'}
      onPointerDownCapture={onFocus}
      onFocusCapture={onFocus}
    >
      {children}
    </div>
  );
}
