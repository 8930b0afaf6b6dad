/** The ruler of the text: lines that tell errors or explain a failure, matches, and marks. */
import { useCallback } from 'react';
import type { LineFilter } from '../../../shared/api/filters.ts';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import { ERROR_LINES, type SearchQuery } from '../../../shared/search-query.ts';
import { countsOf, Lane, type LaneKind, Ruler, type RulerScale } from '../../viewer/scrolling/Ruler.tsx';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { OpenSearch } from '../open-search.ts';
import { queryOf } from '../search-settings.ts';
import { colourOf } from '../search-tabs.ts';
import type { Search } from '../use-search.ts';
import { useBucketCounts, useFoundState } from './use-found-state.ts';

/** Errors, the matches of the search, marks. */
const COLUMNS = 3;

interface TextRulerProps {
  viewer: Viewer;
  search: Search;
  /** Lines that explain a failure, rising. */
  explaining: readonly number[];
  /** Lines that a person marked, rising. */
  marked: readonly number[];
}

export function TextRuler({ viewer, search, explaining, marked }: TextRulerProps) {
  const { rows, scroll, opened, counted } = viewer;
  const { total } = opened.snapshot;
  const { tabs, at } = search.tabs;
  const others = tabs.filter((_, index) => index !== at);
  const columns = COLUMNS + others.length;
  const show = (line: number) => viewer.showLine(line, 'always');
  return (
    <Ruler
      rows={rows}
      lines={total}
      scroll={scroll}
      onGo={viewer.stopWaiting}
      columns={columns}
      lanes={(scale) => (
        <>
          {/* Counting the lines comes first: it is what the reader waits for. */}
          {counted && (
            <FoundLane
              kind="errors"
              column={0}
              document={search.document}
              query={ERROR_LINES}
              scale={scale}
              onLine={show}
            />
          )}
          <Lines kind="errors" column={0} lines={explaining} scale={scale} onLine={show} />
          <Lines kind="marks" column={columns - 1} lines={marked} scale={scale} onLine={show} />
          {others.map((tab, index) => {
            const query = queryOf(tab.settings);
            return (
              query && (
                <FoundLane
                  key={tab.id}
                  kind="matches"
                  column={2 + index}
                  document={search.document}
                  query={query}
                  filter={search.filter}
                  colour={colourOf(tab)}
                  scale={scale}
                  onLine={show}
                />
              )
            );
          })}
          {search.active && search.search && <Matches search={search} found={search.search} scale={scale} />}
        </>
      )}
    />
  );
}

interface LinesProps {
  kind: LaneKind;
  column: number;
  /** Rising. */
  lines: readonly number[];
  scale: RulerScale;
  onLine: (line: number) => void;
}

function Lines({ kind, column, lines, scale, onLine }: LinesProps) {
  if (lines.length === 0) return null;
  const show = (from: number, to: number) => {
    const line = lines.find((each) => each > from && each <= to);
    if (line !== undefined) onLine(line);
  };
  return (
    <Lane
      kind={kind}
      column={column}
      counts={countsOf(lines, scale.lines, scale.height)}
      scale={scale}
      onShow={show}
    />
  );
}

function Matches({ search, found, scale }: { search: Search; found: OpenSearch; scale: RulerScale }) {
  const fetch = useCallback((buckets: number, signal: AbortSignal) => found.counts(buckets, signal), [found]);
  const counts = useBucketCounts(search.snapshot.state, fetch, scale);
  const show = (before: number) => {
    found.next(before, 'next', new AbortController().signal).then(
      ({ line_number: line, index }) => {
        if (line !== null && index !== null) search.goTo({ line, index });
      },
      () => {},
    );
  };
  const { tabs, at } = search.tabs;
  const colour = tabs.length > 1 ? colourOf(tabs[at]!) : undefined;
  return <Lane kind="matches" column={1} colour={colour} counts={counts} scale={scale} onShow={show} />;
}

interface FoundLaneProps {
  kind: LaneKind;
  column: number;
  document: DocumentRef;
  query: SearchQuery;
  /** Shows only lines that pass. */
  filter?: LineFilter | null;
  scale: RulerScale;
  colour?: string;
  onLine: (line: number) => void;
}

/** A column for the lines that a query finds, without listing them. */
function FoundLane(props: FoundLaneProps) {
  const { kind, column, document, query, filter = null, scale, colour, onLine } = props;
  const { state, fetch, next } = useFoundState(document, query, filter);
  const counts = useBucketCounts(state, fetch, scale);
  const show = (before: number) => {
    next(before).then(
      (line) => line !== null && onLine(line),
      () => {},
    );
  };
  return <Lane kind={kind} column={column} counts={counts} scale={scale} colour={colour} onShow={show} />;
}
