/**
 * One artifact: its name and streams, the toolbar, the bars, the text, a panel and the status line. To add a bar, a column
 * beside the text or a dialog, add its component to the list here.
 */

import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { ActionMenu } from '../actions/ActionMenu.tsx';
import { useIsInScope } from '../actions/registry.ts';
import { Paired } from '../differences/use-differences.ts';
import { ColumnHeadings } from '../filters/Columns.tsx';
import { FilterBar } from '../filters/FilterBar.tsx';
import { comparesFields } from '../filters/filter.ts';
import { filterActions } from '../filters/filter-actions.ts';
import { SetsDialog } from '../filters/SetsDialog.tsx';
import { Histogram } from '../panels/histogram/Histogram.tsx';
import { SectionHeading } from '../panels/outline/OutlinePanel.tsx';
import { MatchedRows } from '../search/MatchedRows.tsx';
import { ResultsPane } from '../search/results/ResultsPane.tsx';
import { SearchBar } from '../search/SearchBar.tsx';
import { SearchTabs } from '../search/SearchTabs.tsx';
import { foundColours } from '../search/search-tabs.ts';
import { TextRuler } from '../search/TextRuler.tsx';
import { focusMessage } from '../ui/state/page.ts';
import { useAfter } from '../ui/state/time.ts';
import { HighlightersDialog } from '../viewer/highlight/HighlightersDialog.tsx';
import type { Lines } from '../viewer/scrolling/Ruler.tsx';
import { CopyDialog } from '../viewer/selection/CopyDialog.tsx';
import { OriginNames } from '../viewer/text/wrapping.ts';
import { ArtifactHeader } from './ArtifactHeader.tsx';
import styles from './ArtifactView.module.css';
import { DocumentBars, MergedBar } from './Bars.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { noText } from './NoText.tsx';
import { ShownPanel } from './Panels.tsx';
import { StatusLine } from './StatusLine.tsx';
import { StopDialog } from './StopDialog.tsx';
import { Toolbar } from './Toolbar.tsx';
import { type ShownArtifact, type ShownArtifactOptions, useShownArtifact } from './use-shown-artifact.ts';
import { WatchDialog } from './WatchDialog.tsx';

interface ArtifactViewProps extends ShownArtifactOptions {
  /** Its pane if there are two, whose landmarks need different names. */
  side: 'left' | 'right' | null;
  /** Shown before the name, and at the end of that row. */
  before: ReactNode;
  after: ReactNode;
}

export function ArtifactView({ side, before, after, ...options }: ArtifactViewProps) {
  const shown = useShownArtifact(options);
  const { viewer, name } = shown;
  const { state, error } = viewer.opened.snapshot;
  const slow = useAfter(1000, state === null && error === null);
  const instead = noText(shown.filtering, shown.reading.showAsText, slow);

  const inPane = (label: string) => (side === null ? label : `${label}, ${side}`);
  const { scroller } = viewer;
  const isInScope = useIsInScope();
  useEffect(() => {
    // Focus the text unless the person focused something else.
    if (isInScope && document.activeElement === document.body)
      scroller.current?.focus({ preventScroll: true });
  }, [scroller, isInScope]);

  useEffect(() => {
    if (!isInScope) return;
    document.title = `${name} – Spillway`;
    return () => {
      document.title = 'Spillway';
    };
  }, [name, isInScope]);

  return (
    <section className={styles.view} aria-label={inPane(name)}>
      <div className={styles.head}>
        <ArtifactHeader shown={shown} before={before} after={after} />
        <Toolbar {...shown.toolbar} />
      </div>
      <Bars shown={shown} />
      <OriginNames value={shown.originNames}>
        <div className={styles.middle}>
          <ShownText shown={shown} instead={instead} />
          <ShownPanel shown={shown} />
        </div>
        <ConditionBars shown={shown} blocked={instead !== null} />
        <StatusLine
          label={inPane('Status')}
          viewer={viewer}
          blank={instead !== null}
          message={shown.message}
          undoing={shown.undoing}
          reading={shown.reading}
        />
      </OriginNames>
      <Dialogs shown={shown} />
    </section>
  );
}

/** The bars between the toolbar and the text, from the top. To add one, add its component here. */
interface BarProps {
  shown: ShownArtifact;
}

const BARS: readonly ((props: BarProps) => ReactNode)[] = [MergedBars, SearchBars, FilterBars, TimeBars];

function Bars(props: BarProps) {
  return BARS.map((Part) => <Part key={Part.name} {...props} />);
}

function MergedBars({ shown: { merged, library, tab } }: BarProps) {
  return merged && <MergedBar ids={merged} library={library} onOpen={tab.open} />;
}

/** They come unasked, and so below the text: above it they would move the line that a person reads. */
function ConditionBars({ shown, blocked }: BarProps & { blocked: boolean }) {
  const { viewer, library, tab } = shown;
  return <DocumentBars viewer={viewer} library={library} blocked={blocked} onOpen={tab.open} />;
}

function FilterBars({ shown: { filtering, sets } }: BarProps) {
  return <FilterBar context={filtering} sets={sets} />;
}

function TimeBars({ shown: { timeline, ref, filtering } }: BarProps) {
  return timeline.isOpen && <Histogram document={ref} context={filtering} onClose={timeline.toggle} />;
}

function SearchBars({ shown: { search } }: BarProps) {
  return search.open && <SearchBar search={search} />;
}

/** The text, or the message instead of it, with the columns beside it and the results below. */
interface ShownTextProps {
  shown: ShownArtifact;
  /** The message instead of the text; null when there is text. */
  instead: ReactNode;
}

function ShownText({ shown, instead }: ShownTextProps) {
  const { viewer, search, name, marks, links, columns } = shown;
  const { tabs, at } = search.tabs;
  const compares = comparesFields(search.settings.pattern, viewer.opened.snapshot.state?.format ?? null);
  const { keepSearch, toggleAll } = filterActions;
  const firstHint = compares
    ? `To compare fields, keep it as a filter: ${keepSearch.keys[0]} in the field.`
    : search.filter &&
      `Only the lines that pass the filters were searched: ${toggleAll.keys[0]} switches the filters off.`;
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
  const asColumns = useMemo(
    () => ({
      columns: columns.columns,
      pattern: columns.pattern,
      headings: columns.columns.length > 0 && <ColumnHeadings columns={columns} />,
      showOnly: columns.showOnlyAt,
    }),
    [columns],
  );
  return (
    <div className={styles.column} style={foundColours(tabs[at]!)}>
      {!instead && <SectionHeading outline={shown.outline} onLine={viewer.jumpToTop} />}
      <div className={styles.text} onWheel={viewer.stopWaiting}>
        {instead && (
          <div ref={message} className={styles.instead} tabIndex={-1} data-message="">
            {instead}
          </div>
        )}
        <ActionMenu>
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
              news={shown.news}
              label={`Lines of ${name}`}
              rows={viewer.rows}
              lines={viewer.opened.snapshot.total}
              version={viewer.opened.snapshot}
              scroll={viewer.scroll}
              scroller={viewer.scroller}
              ahead={viewer.rowsAhead}
              selection={viewer.selection}
              onSelect={viewer.select}
              onReadOn={viewer.readOn}
              unfolding={viewer.unfolding}
              timeless={viewer.isTimeless}
              columns={asColumns}
              sections={shown.folding.sections}
            />
          </div>
        </ActionMenu>
        {!instead && <SideColumns shown={shown} />}
      </div>
      <SearchTabs search={search} />
      <ResultsPane search={search} firstHint={firstHint} />
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

/** Narrow columns at the right of the text, in order from the left. To add one, add its component here. */
interface SideColumnProps {
  shown: ShownArtifact;
}

const SIDE_COLUMNS: readonly ((props: SideColumnProps) => ReactNode)[] = [TextRulers];

function SideColumns(props: SideColumnProps) {
  return SIDE_COLUMNS.map((Part) => <Part key={Part.name} {...props} />);
}

const NO_LINES: readonly number[] = [];
const NO_RANGES: readonly Lines[] = [];

function TextRulers({ shown: { viewer, search, failure, marks, differing, seen } }: SideColumnProps) {
  const { isAsked, comparison } = differing.differences;
  const paired = useContext(Paired);
  // Its column is there before the comparison: the text would have to move for it.
  const differingLines = comparison?.lines ?? paired?.only ?? (isAsked ? NO_RANGES : null);
  return (
    <TextRuler
      viewer={viewer}
      search={search}
      explaining={failure?.lines ?? NO_LINES}
      marked={marks.lines}
      differing={differingLines}
      read={seen.lines?.shown ?? null}
    />
  );
}

/** The dialogs over an artifact. To add one, add its component here. */
function Dialogs({ shown }: { shown: ShownArtifact }) {
  const { exporting, highlighting, viewer, stop, name } = shown;
  return (
    <>
      <CopyDialog copy={viewer.copy} />
      <ExportDialog exporting={exporting} />
      <SetsDialog context={shown.sets} />
      <WatchDialog context={shown.watching} />
      <HighlightersDialog open={highlighting.isOpen} onClose={() => highlighting.setOpen(false)} />
      <StopDialog stop={stop} name={name} />
    </>
  );
}
