/** The row of actions on the text, each with its key. */

import { Toolbar as Base } from '@base-ui/react/toolbar';
import { memo, useRef, useState } from 'react';
import { ActionButton } from '../actions/ActionMenu.tsx';
import type { Action } from '../actions/action.ts';
import { useActions } from '../actions/registry.ts';
import { type Columns, ColumnsPopover, columnActions } from '../filters/Columns.tsx';
import { type AddFilterContext, addFilterActions } from '../filters/filter-actions.ts';
import { type SearchSwitchContext, searchSwitchActions } from '../search/search-actions.ts';
import type { ButtonProps } from '../ui/controls/Button.tsx';
import type { LineRange } from '../viewer/document/rows-view.ts';
import { GoToPopover, RangePopover } from '../viewer/Popovers.tsx';
import { bottomRow, topRow } from '../viewer/scrolling/positions.ts';
import { firstLine, lastLine, lineCount } from '../viewer/selection/selection.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { jsonActions, type ViewerPopover, viewerActions } from '../viewer/viewer-actions.ts';
import { type FailureContext, failureActions } from './artifact-actions.ts';
import { type PanelContext, panelActions } from './Panels.tsx';
import styles from './Toolbar.module.css';

/** All as `useSteady` keeps them: a key in the search field draws nothing of the toolbar. */
interface ToolbarProps {
  viewer: Viewer;
  panels: PanelContext;
  columns: Columns;
  search: SearchSwitchContext;
  adding: AddFilterContext;
  /** Null without a failure. */
  failure: FailureContext | null;
  /** Returns a function that goes to a typed time, or match; null if it is neither. */
  elsewhere: (typed: string) => (() => void) | null;
}

export const Toolbar = memo(function Toolbar(props: ToolbarProps) {
  const { viewer, panels, columns, search, adding, failure, elsewhere } = props;
  const { isTerminal } = panels;
  const [popover, showPopover] = useState<ViewerPopover | null>(null);
  const goTo = useRef<HTMLButtonElement>(null);
  const range = useRef<HTMLButtonElement>(null);
  const fields = useRef<HTMLButtonElement>(null);
  const onText = { viewer, popover, showPopover };
  useActions(viewerActions, onText);
  useActions(jsonActions, viewer);
  const close = () => showPopover(null);
  const opener = (name: ViewerPopover) => ({
    'aria-haspopup': 'dialog' as const,
    'aria-expanded': popover === name,
    onClick: () => showPopover(popover === name ? null : name),
  });

  return (
    <Base.Root
      className={styles.toolbar}
      aria-label="Text"
      data-commands={isTerminal || failure ? '' : undefined}
      data-columns={columns.fields.length > 0 ? '' : undefined}
    >
      <Tool action={viewerActions.head} context={onText} />
      <Tool action={viewerActions.tail} context={onText} />
      <Tool ref={goTo} action={viewerActions.goTo} context={onText} {...opener('goTo')} />
      <Tool ref={range} action={viewerActions.range} context={onText} {...opener('range')} />
      <Tool action={viewerActions.follow} context={onText} />
      <Tool
        action={searchSwitchActions.search}
        context={search}
        onClick={search.open ? search.closeField : search.openField}
      />
      <Tool action={addFilterActions.add} context={adding} />
      <span className={styles.gap} />
      {failure && (
        <>
          <span className={styles.word} aria-hidden="true">
            Cause
          </span>
          <Tool action={failureActions.previous} context={failure} label="Previous cause" iconOnly />
          <Tool action={failureActions.next} context={failure} label="Next cause" iconOnly />
          <Tool action={failureActions.copyForAgent} context={failure} iconOnly />
          <Tool action={failureActions.report} context={failure} iconOnly />
        </>
      )}
      {isTerminal && <Tool action={panelActions.commands} context={panels} />}
      {columns.fields.length > 0 && (
        <Tool
          ref={fields}
          action={columnActions.choose}
          context={columns}
          aria-haspopup="dialog"
          aria-expanded={columns.isOpen}
        />
      )}
      <Tool action={panelActions.outline} context={panels} />
      <Tool action={panelActions.summary} context={panels} />
      <Tool action={panelActions.details} context={panels} />
      <GoToPopover
        open={popover === 'goTo'}
        onClose={close}
        anchor={goTo}
        finalFocus={viewer.scroller}
        onGo={viewer.goTo}
        elsewhere={elsewhere}
      />
      <ColumnsPopover columns={columns} anchor={fields} />
      <RangePopover
        open={popover === 'range'}
        onClose={close}
        anchor={range}
        finalFocus={viewer.scroller}
        suggest={() => suggestRange(viewer)}
        total={viewer.opened.snapshot.total}
        shown={viewer.range}
        onShow={viewer.showRange}
      />
    </Base.Root>
  );
});

/** A button of the toolbar. The Tab key stops once in the toolbar; arrow keys move between buttons. */
function Tool<Context>(props: ButtonProps & { action: Action<Context>; context: Context }) {
  return <Base.Button render={<ActionButton tone="quiet" className={styles.action} {...props} />} />;
}

function suggestRange({ selection, rows, scroll }: Viewer): LineRange {
  if (selection && lineCount(selection) > 1) return { start: firstLine(selection), end: lastLine(selection) };
  const { position, height, heights } = scroll.view.get();
  const start = rows.lineOf(topRow(position, height, heights)) ?? 1;
  return { start, end: rows.lineOf(bottomRow(position, rows.count, height, heights)) ?? start };
}
