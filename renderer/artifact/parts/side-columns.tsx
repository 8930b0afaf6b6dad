/** Narrow columns at the right of the text, in order from the left. To add one, add its component here. */
import type { ReactNode } from 'react';
import { TextRuler } from '../../search/in-text/TextRuler.tsx';
import type { ShownArtifact } from '../use-shown-artifact.ts';

interface SideColumnProps {
  shown: ShownArtifact;
}

const SIDE_COLUMNS: readonly ((props: SideColumnProps) => ReactNode)[] = [TextRulers];

export function SideColumns(props: SideColumnProps) {
  return SIDE_COLUMNS.map((Part) => <Part key={Part.name} {...props} />);
}

const NO_LINES: readonly number[] = [];

function TextRulers({ shown: { viewer, search, failure, marks } }: SideColumnProps) {
  return (
    <TextRuler viewer={viewer} search={search} explaining={failure?.lines ?? NO_LINES} marked={marks.lines} />
  );
}
