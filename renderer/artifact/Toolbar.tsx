/** What can be done with the text, each with its key. */
import { Toolbar as Base } from '@base-ui/react/toolbar';
import { useRef, useState } from 'react';
import { keyOf, useShortcuts } from '../commands/shortcuts.ts';
import type { Search } from '../search/use-search.ts';
import { Button, type ButtonProps } from '../ui/Button.tsx';
import { GoToPopover } from '../viewer/panels/GoToPopover.tsx';
import { RangePopover } from '../viewer/panels/RangePopover.tsx';
import { wholeRows } from '../viewer/scrolling/scroll-window.ts';
import { firstLine, lastLine, lineCount } from '../viewer/selection/selection.ts';
import type { LineRange, Viewer } from '../viewer/use-viewer.ts';
import styles from './Toolbar.module.css';

export type Panel = 'summary' | 'details' | 'commands';

interface ToolbarProps {
  viewer: Viewer;
  search: Search;
  panel: Panel | null;
  onPanel: (panel: Panel | null) => void;
  /** Of a terminal: shows and hides what was typed. */
  onCommands: (() => void) | null;
}

export function Toolbar({ viewer, search, panel, onPanel, onCommands }: ToolbarProps) {
  const [open, setOpen] = useState<'goTo' | 'range' | null>(null);
  const goTo = useRef<HTMLButtonElement>(null);
  const range = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(null);
  const toggle = (name: Panel) => onPanel(panel === name ? null : name);

  useShortcuts({
    head: viewer.toStart,
    tail: viewer.toEnd,
    goTo: () => setOpen('goTo'),
    range: () => setOpen('range'),
    follow: viewer.follow,
    summary: () => toggle('summary'),
    details: () => toggle('details'),
    search: search.openField,
    ...(search.active
      ? {
          nextMatch: () => search.step('next'),
          previousMatch: () => search.step('previous'),
          results: search.toggleResults,
        }
      : {}),
    cancel: () => {
      // What is under way first, then the search, then what it selected.
      const underWay = viewer.pending !== null || viewer.copy.state.step === 'copying';
      if (underWay || !search.closeOne()) viewer.cancel();
    },
  });

  return (
    <Base.Root className={styles.toolbar} aria-label="Text" data-commands={onCommands ? '' : undefined}>
      <Action icon="top" shortcut={keyOf('head')} title="Go to the first line (h)" onClick={viewer.toStart}>
        Head
      </Action>
      <Action icon="bottom" shortcut={keyOf('tail')} title="Go to the last line (t)" onClick={viewer.toEnd}>
        Tail
      </Action>
      <Action
        ref={goTo}
        icon="goto"
        shortcut={keyOf('goTo')}
        title="Go to a line, a percentage or a byte offset (g)"
        aria-haspopup="dialog"
        aria-expanded={open === 'goTo'}
        onClick={() => setOpen(open === 'goTo' ? null : 'goTo')}
      >
        Go to
      </Action>
      <Action
        ref={range}
        icon="range"
        shortcut={keyOf('range')}
        title="Show only a range of lines (r)"
        aria-haspopup="dialog"
        aria-expanded={open === 'range'}
        pressed={viewer.range !== null}
        onClick={() => setOpen(open === 'range' ? null : 'range')}
      >
        Range
      </Action>
      <Action
        icon="follow"
        shortcut={keyOf('follow')}
        title="Stay at the end as it grows (f)"
        pressed={viewer.followLook === 'on' || viewer.followLook === 'paused'}
        onClick={viewer.follow}
      >
        Follow
      </Action>
      <Action
        icon="search"
        shortcut={keyOf('search')}
        title="Search the text (/ or Ctrl+F)"
        pressed={search.open || search.active}
        onClick={search.open ? search.closeField : search.openField}
      >
        Search
      </Action>
      <span className={styles.gap} />
      {onCommands && (
        <Action
          icon="terminal"
          shortcut={keyOf('commands')}
          title={`What was typed, and what became of it (k); the last that failed: ${keyOf('lastFailed')}`}
          pressed={panel === 'commands'}
          onClick={onCommands}
        >
          Commands
        </Action>
      )}
      <Action
        icon="summary"
        shortcut={keyOf('summary')}
        title="Counts, levels, errors and shapes (s)"
        pressed={panel === 'summary'}
        onClick={() => toggle('summary')}
      >
        Summary
      </Action>
      <Action
        icon="details"
        shortcut={keyOf('details')}
        title="Path, times, status (i)"
        pressed={panel === 'details'}
        onClick={() => toggle('details')}
      >
        Details
      </Action>
      <GoToPopover
        open={open === 'goTo'}
        onClose={close}
        anchor={goTo}
        finalFocus={viewer.scroller}
        onGo={viewer.goTo}
      />
      <RangePopover
        open={open === 'range'}
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
}

/** One stop of the tab key for all of them; the arrow keys go from one to the next. */
function Action(props: ButtonProps) {
  return <Base.Button render={<Button className={styles.action} {...props} />} />;
}

function suggestRange({ selection, rows, scroll }: Viewer): LineRange {
  if (selection && lineCount(selection) > 1) return { start: firstLine(selection), end: lastLine(selection) };
  const { place, height } = scroll.view.get();
  const start = rows.lineOf(place.row) ?? 1;
  return { start, end: start + Math.max(0, Math.min(rows.count - place.row, wholeRows(height)) - 1) };
}
