/** The ruler of the text: lines that tell errors or explain a failure, matches, and marks. */
import { useCallback } from 'react';
import { ERROR_LINES } from '../../../shared/search-query.ts';
import { countsOf, Lane, type LaneKind } from '../../viewer/ruler/Lane.tsx';
import { Ruler, type RulerScale } from '../../viewer/ruler/Ruler.tsx';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { OpenSearch } from '../open-search.ts';
import type { Search } from '../use-search.ts';
import { FoundLane } from './FoundLane.tsx';
import { useBucketCounts } from './use-bucket-counts.ts';

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
  const show = (line: number) => viewer.showLine(line, 'always');
  return (
    <Ruler
      rows={rows}
      lines={total}
      scroll={scroll}
      onGo={viewer.stopWaiting}
      lanes={(scale) => (
        <>
          {/* Counting the lines comes first: it is what the reader waits for. */}
          {counted && (
            <FoundLane
              kind="errors"
              document={search.document}
              query={ERROR_LINES}
              scale={scale}
              onLine={show}
            />
          )}
          <Lines kind="errors" lines={explaining} scale={scale} onLine={show} />
          <Lines kind="marks" lines={marked} scale={scale} onLine={show} />
          {search.active && search.search && <Matches search={search} found={search.search} scale={scale} />}
        </>
      )}
    />
  );
}

interface LinesProps {
  kind: LaneKind;
  /** Rising. */
  lines: readonly number[];
  scale: RulerScale;
  onLine: (line: number) => void;
}

function Lines({ kind, lines, scale, onLine }: LinesProps) {
  if (lines.length === 0) return null;
  const show = (from: number, to: number) => {
    const line = lines.find((each) => each > from && each <= to);
    if (line !== undefined) onLine(line);
  };
  return <Lane kind={kind} counts={countsOf(lines, scale.lines, scale.height)} scale={scale} onShow={show} />;
}

function Matches({ search, found, scale }: { search: Search; found: OpenSearch; scale: RulerScale }) {
  const fetch = useCallback((buckets: number, signal: AbortSignal) => found.marks(buckets, signal), [found]);
  const counts = useBucketCounts(search.snapshot.state, fetch, scale);
  const show = (before: number) => {
    found.next(before, 'next', new AbortController().signal).then(
      ({ line_number: line, index }) => {
        if (line !== null && index !== null) search.goTo({ line, index });
      },
      () => {},
    );
  };
  return <Lane kind="matches" counts={counts} scale={scale} onShow={show} />;
}
