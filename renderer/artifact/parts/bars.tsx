/** The bars between the toolbar and the text, from the top. To add one, add its component here. */
import type { ReactNode } from 'react';
import { FilterBar } from '../../filters/FilterBar.tsx';
import { Histogram } from '../../histogram/Histogram.tsx';
import { SearchBar } from '../../search/bar/SearchBar.tsx';
import { DocumentBars } from '../bars/DocumentBars.tsx';
import { MergedBar } from '../bars/MergedBar.tsx';
import type { ShownArtifact } from '../use-shown-artifact.ts';

interface BarProps {
  shown: ShownArtifact;
  /** Whether a message replaces the text. */
  blocked: boolean;
}

const BARS: readonly ((props: BarProps) => ReactNode)[] = [
  MergedBars,
  ConditionBars,
  SearchBars,
  FilterBars,
  TimeBars,
];

export function Bars(props: BarProps) {
  return BARS.map((Part) => <Part key={Part.name} {...props} />);
}

function MergedBars({ shown: { merged, library, onOpen } }: BarProps) {
  return merged && <MergedBar ids={merged} library={library} onOpen={onOpen} />;
}

function ConditionBars({ shown, blocked }: BarProps) {
  const { viewer, library, onOpen } = shown;
  return <DocumentBars viewer={viewer} library={library} blocked={blocked} onOpen={onOpen} />;
}

function FilterBars({ shown: { filtering } }: BarProps) {
  return <FilterBar context={filtering} />;
}

function TimeBars({ shown: { timeline, ref, filtering } }: BarProps) {
  return timeline.isOpen && <Histogram document={ref} context={filtering} onClose={timeline.toggle} />;
}

function SearchBars({ shown: { search } }: BarProps) {
  return search.open && <SearchBar search={search} />;
}
