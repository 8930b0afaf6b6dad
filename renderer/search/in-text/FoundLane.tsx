/** A column of the ruler for the lines that a query finds, without listing them. */
import type { LineFilter } from '../../../shared/api/filters.ts';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { Lane, type LaneKind } from '../../viewer/ruler/Lane.tsx';
import type { RulerScale } from '../../viewer/ruler/Ruler.tsx';
import { useBucketCounts } from './use-bucket-counts.ts';
import { useFoundState } from './use-found-state.ts';

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

export function FoundLane(props: FoundLaneProps) {
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
