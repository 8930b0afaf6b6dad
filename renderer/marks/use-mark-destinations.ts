/** Makes marks destinations of the palette. */
import type { StreamName } from '../../shared/artifact.ts';
import { inOrder } from '../../shared/text/escape.ts';
import { formatCount } from '../../shared/text/format.ts';
import { usePaletteDestinations } from '../commands/palette/destinations.ts';
import { keyOf, marks } from './mark-store.ts';

/** Without a typed word, only the newest are offered. */
const NEWEST_MARKS = 3;

export function useMarkDestinations(
  show: (to: { artifactId: string; stream: StreamName | null; line: number | null }) => void,
): void {
  usePaletteDestinations((query) => {
    const newestFirst = [...marks.get()].reverse();
    return (query.trim() === '' ? newestFirst.slice(0, NEWEST_MARKS) : newestFirst).map((mark) => ({
      id: `mark ${keyOf(mark)}`,
      text: mark.note.split('\n', 1)[0] || inOrder(mark.text).trim() || `Line ${formatCount(mark.line)}`,
      kind: 'Go to mark',
      detail: `line ${formatCount(mark.line)} · ${mark.name}`,
      icon: 'mark',
      run: () => show(mark),
    }));
  });
}
