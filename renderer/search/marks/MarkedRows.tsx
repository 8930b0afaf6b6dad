/** The text with what a search found in it. On its own, so that scrolling draws nothing else anew. */
import type { ComponentProps } from 'react';
import { Rows } from '../../viewer/text/Rows.tsx';
import type { Viewer } from '../../viewer/use-viewer.ts';
import { useMatchInView } from '../results/use-match-in-view.ts';
import type { Search } from '../use-search.ts';
import { useTextMarks } from './use-text-marks.ts';

interface MarkedRowsProps extends Omit<ComponentProps<typeof Rows>, 'marks'> {
  viewer: Viewer;
  search: Search;
}

export function MarkedRows({ viewer, search, ...rows }: MarkedRowsProps) {
  const marks = useTextMarks(viewer, search);
  useMatchInView(viewer, search);
  return <Rows {...rows} marks={marks} />;
}
