/** The text, or the message instead of it, with the columns beside it and the results below. */
import { type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { ActionMenu } from '../../commands/ActionMenu.tsx';
import { useIsInScope } from '../../commands/action-scope.ts';
import { MatchedRows } from '../../search/in-text/MatchedRows.tsx';
import { ResultsPane } from '../../search/results/ResultsPane.tsx';
import { SearchTabs } from '../../search/tabs/SearchTabs.tsx';
import { foundColours } from '../../search/tabs/use-search-tabs.ts';
import { focusMessage } from '../../ui/state/focus-message.ts';
import type { ShownArtifact } from '../use-shown-artifact.ts';
import styles from './ShownText.module.css';
import { SideColumns } from './side-columns.tsx';

interface ShownTextProps {
  shown: ShownArtifact;
  /** The message instead of the text; null when there is text. */
  instead: ReactNode;
}

export function ShownText({ shown, instead }: ShownTextProps) {
  const { viewer, search, name, marks, links } = shown;
  const { tabs, at } = search.tabs;
  const message = useRef<HTMLDivElement>(null);
  useFocusStays(instead !== null, message, viewer.scroller);
  const onClick = (event: MouseEvent) => {
    marks.onClick(event);
    links.onClick(event);
  };
  const onContextMenu = (event: MouseEvent) => {
    marks.onContextMenu(event);
    links.onContextMenu(event);
  };
  return (
    <div className={styles.column} style={foundColours(tabs[at]!)}>
      <div className={styles.text} onWheel={viewer.stopWaiting}>
        {instead && (
          <div ref={message} className={styles.instead} tabIndex={-1} data-message="">
            {instead}
          </div>
        )}
        <ActionMenu groups={['Select and copy', 'Marks', 'Filter', 'Highlight', 'Search', 'View']}>
          {/* biome-ignore lint/a11y: the keys of the actions do the same */}
          <div
            className={instead ? styles.hidden : styles.rows}
            onClick={onClick}
            onContextMenu={onContextMenu}
          >
            <MatchedRows
              viewer={viewer}
              search={search}
              marked={marks.lines}
              label={`Lines of ${name}`}
              rows={viewer.rows}
              version={viewer.opened.snapshot}
              scroll={viewer.scroll}
              scroller={viewer.scroller}
              ahead={viewer.rowsAhead}
              selection={viewer.selection}
              onSelect={viewer.select}
              onReadOn={shown.readOn}
              unfolding={viewer.unfolding}
              timeless={viewer.isTimeless}
            />
          </div>
        </ActionMenu>
        {!instead && <SideColumns shown={shown} />}
      </div>
      <SearchTabs search={search} />
      <ResultsPane search={search} onReadOn={shown.readOnInResults} />
    </div>
  );
}

/** Moves the focus from the text to the message instead of it, or to the message's button; and back. */
function useFocusStays(
  isMessage: boolean,
  message: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
): void {
  const isInScope = useIsInScope();
  const wasMessage = useRef(isMessage);
  useLayoutEffect(() => {
    const isChanged = wasMessage.current !== isMessage;
    wasMessage.current = isMessage;
    const { activeElement: active } = document;
    const isLost = active === null || active === document.body || active === scroller.current;
    if (!isInScope || !isLost) return;
    if (isMessage) focusMessage(message.current);
    else if (isChanged) scroller.current?.focus({ preventScroll: true });
  }, [isMessage, isInScope, message, scroller]);
}
