/** Shows how many lines arrived when, as bars above the text. A drag or the arrow keys select a span of time. */

import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import type { HistogramState } from '../../../shared/api/search.ts';
import { ERROR_LINES } from '../../../shared/search-query.ts';
import { formatCount, plural } from '../../../shared/text/format.ts';
import { runByKey } from '../../actions/registry.ts';
import type { FilterContext } from '../../filters/filter-actions.ts';
import type { Filters } from '../../filters/use-filters.ts';
import { Button, IconButton } from '../../ui/controls/Button.tsx';
import { useReturnFocus } from '../../ui/state/page.ts';
import { useAfter } from '../../ui/state/time.ts';
import { formatPercent, sentence } from '../../ui/text/format.ts';
import { isCounted } from '../../viewer/document/open-document.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import { histogramActions, plotActions } from '../panel-actions.ts';
import styles from './Histogram.module.css';
import {
  areDays,
  type BinSpan,
  barsPath,
  binFacts,
  binOf,
  countsIn,
  type Edges,
  spanBetween,
  timeWords,
  useCounts,
  useHistogram,
} from './histogram.ts';

interface HistogramProps {
  document: DocumentRef;
  context: FilterContext;
  onClose: () => void;
}

export function Histogram({ document, context, onClose }: HistogramProps) {
  const { viewer, search, filters } = context;
  const { snapshot } = viewer.opened;
  const part = useReturnFocus<HTMLElement>(viewer.scroller);
  const { found, error } = useHistogram(document, snapshot.state?.generation ?? 0, snapshot.total);
  const slow = useAfter(300, found === null && error === null);
  const { filter } = filters;
  const errors = useCounts(document, ERROR_LINES, filter, found);
  const query = search.search?.query ?? null;
  const matches = useCounts(document, search.active ? query : null, filter, found);
  return (
    <section ref={part} className={styles.histogram} aria-label="Histogram over time">
      {error && <p className={styles.note}>{sentence(error.what)}</p>}
      {slow && !error && <p className={styles.note}>{readingWords(viewer)}</p>}
      {found?.done && found.edges.length < 2 && (
        <p className={styles.note}>Its lines have no times: none were recorded, and the text has none.</p>
      )}
      {found && found.edges.length >= 2 && (
        <Bars found={found} errors={errors} matches={matches} context={context} />
      )}
      <IconButton
        className={styles.close}
        icon="close"
        label="Close the histogram"
        shortcut={histogramActions.histogram.keys[0]!}
        onClick={onClose}
      />
    </section>
  );
}

interface BarsProps {
  found: HistogramState;
  errors: readonly number[] | null;
  matches: readonly number[] | null;
  context: FilterContext;
}

function Bars({ found, errors, matches, context: { viewer, filters } }: BarsProps) {
  const { edges, done } = found;
  const counts = countsIn(edges, viewer.passing);
  const most = Math.max(1, ...counts);
  const last = counts.length - 1;
  const time = useTimeSpan({ found, last, viewer, filters });
  const { chosen, goTo, only } = time;
  const withDay = areDays(edges);
  const shown = time.hovered ?? chosen;
  return (
    <>
      <div
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label="Time"
        aria-valuemin={1}
        aria-valuemax={counts.length}
        aria-valuenow={(chosen?.to ?? 0) + 1}
        aria-valuetext={words(found, chosen ?? { from: 0, to: last }, { counts, errors, matches })}
        {...time.handlers}
        data-histogram={counts.length}
      >
        <svg viewBox={`0 0 ${counts.length} 1`} preserveAspectRatio="none" aria-hidden="true">
          <path className={styles.lines} d={barsPath(counts, most, 0.04)} />
          {matches && (
            <path className={styles.matches} d={barsPath(matches, most, 0.12)} data-bars="matches" />
          )}
          {errors && <path className={styles.errors} d={barsPath(errors, most, 0.12)} data-bars="errors" />}
          <Here edges={edges} viewer={viewer} />
          {chosen && (
            <rect
              className={styles.chosen}
              x={chosen.from}
              y="0"
              width={chosen.to - chosen.from + 1}
              height="1"
            />
          )}
        </svg>
      </div>
      <div className={styles.words} data-days={withDay || undefined}>
        <span className={styles.end}>{timeWords(edges[0]!.time, false, true)}</span>
        <span className={styles.span} data-histogram-words="" data-shown={shown || !done ? '' : undefined}>
          {shown ? words(found, shown, { counts, errors, matches }) : done && hint(edges)}
          {!done && ` Reading times… ${formatPercent(found.progress, 1)}`}
        </span>
        {chosen && (
          <span className={styles.actions}>
            <Button
              shortcut={plotActions.only.keys[0]!}
              disabled={!time.hasLines}
              onClick={() => {
                only();
                // These buttons disappear with the chosen time.
                viewer.scroller.current?.focus({ preventScroll: true });
              }}
            >
              Show only this time
            </Button>
            <Button shortcut={plotActions.goTo.keys[0]!} onClick={() => goTo(chosen)}>
              Go there
            </Button>
          </span>
        )}
        <span className={styles.end}>{timeWords(edges.at(-1)!.time, false, withDay)}</span>
      </div>
    </>
  );
}

/** Where the top of the view is. */
function Here({ edges, viewer: { rows, scroll } }: { edges: Edges; viewer: Viewer }) {
  const bin = useSyncExternalStore(scroll.view.subscribe, () =>
    binOf(edges, rows.lineOf(scroll.view.get().position.row) ?? 1),
  );
  return <rect className={styles.here} x={bin} y="0" width="1" height="1" data-histogram-here={bin} />;
}

/** Times can be read once all lines are counted. */
function readingWords({ opened: { snapshot } }: Viewer): string {
  const { state } = snapshot;
  if (!state || isCounted(snapshot)) return 'Reading times…';
  return `Counting lines… ${formatPercent(state.indexed_bytes, state.total_bytes)}`;
}

/** Returns what to do, and how many lines before the first time are in no bar. */
function hint(edges: Edges): string {
  const untimed = edges[0]!.line_number - 1;
  const left = untimed === 0 ? '' : ` (${plural(untimed, 'line')} without a time left out)`;
  return `Drag to select a time${left}`;
}

/** Returns `10:30:00–10:31:00: 1,204 lines, 3 errors, 12 matches`; `about 1,204 lines` while estimated. */
function words(
  { edges, done }: HistogramState,
  span: BinSpan,
  {
    counts,
    errors,
    matches,
  }: { counts: readonly number[]; errors: readonly number[] | null; matches: readonly number[] | null },
): string {
  const { label } = binFacts(edges, span);
  const sum = (counts: readonly number[]) =>
    counts.slice(span.from, span.to + 1).reduce((total, count) => total + count, 0);
  const parts = [
    `${done ? '' : 'about '}${plural(Math.max(0, sum(counts)), 'line')}`,
    ...(errors && sum(errors) > 0 ? [plural(sum(errors), 'error')] : []),
    ...(matches ? [`${formatCount(sum(matches))} ${sum(matches) === 1 ? 'match' : 'matches'}`] : []),
  ];
  return `${label}: ${parts.join(', ')}`;
}

interface TimeSpanOptions {
  found: HistogramState;
  /** The last bar, from 0. */
  last: number;
  viewer: Viewer;
  filters: Filters;
}

/** Chooses a span of time in the histogram, by a drag or keys, and goes there or shows only its lines. */
function useTimeSpan({ found, last, viewer, filters }: TimeSpanOptions) {
  const { edges, done } = found;
  const [span, setSpan] = useState<BinSpan | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const anchor = useRef<number | null>(null);
  const chosen = span && { from: Math.min(span.from, last), to: Math.min(span.to, last) };
  const facts = chosen && binFacts(edges, chosen);
  // Wait for exact edges, as estimated ones would miss the line.
  const [awaited, setAwaited] = useState<'only' | 'go' | null>(null);
  const goTo = (at: BinSpan) => {
    if (done) viewer.goToLine(binFacts(edges, at).first);
    else setAwaited('go');
  };
  const only = () => {
    if (!done) return setAwaited('only');
    if (!facts || facts.last < facts.first) return;
    filters.add({ kind: 'lines', ...facts }, 'only');
    setSpan(null);
  };
  useEffect(() => {
    if (!done || !awaited) return;
    setAwaited(null);
    if (awaited === 'only') only();
    else if (chosen) goTo(chosen);
  });
  const binAt = (event: PointerEvent<Element>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const bin = Math.floor(((event.clientX - left) / Math.max(1, width)) * (last + 1));
    return Math.min(last, Math.max(0, bin));
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      anchor.current = binAt(event);
      setSpan(spanBetween(anchor.current, anchor.current));
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      const bin = binAt(event);
      setOver(bin);
      if (anchor.current !== null) setSpan(spanBetween(anchor.current, bin));
    },
    onPointerUp: (event: PointerEvent<HTMLDivElement>) => {
      const from = anchor.current;
      anchor.current = null;
      if (from !== null) goTo(spanBetween(from, binAt(event)));
    },
    onPointerLeave: () => setOver(null),
    onKeyDown: (event: KeyboardEvent) =>
      runByKey(plotActions, { chosen, last, choose: setSpan, goTo, only }, event),
  };
  const isHovered = over !== null && anchor.current === null && !chosen;
  return {
    chosen,
    /** Whether lines have a chosen time. */
    hasLines: facts !== null && facts.last >= facts.first,
    /** The bar under the mouse, while none is chosen. */
    hovered: isHovered ? { from: over, to: over } : null,
    goTo,
    only,
    handlers,
  };
}
