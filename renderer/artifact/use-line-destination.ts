/** Makes lines of the shown text destinations of the palette: `1200`, `+50`, `50%`, `end`. */

import { formatCount } from '../../shared/text/format.ts';
import { usePaletteDestinations } from '../commands/palette/destinations.ts';
import { type Destination, parseDestination } from '../viewer/panels/go-to.ts';
import type { Viewer } from '../viewer/use-viewer.ts';

/** `go to line 7`, `go to the end`, `:7`. */
const PREFIX = /^\s*(?:go\s+to\s+)?(?:the\s+)?(?::|line\s+|byte\s+(?=@))?/i;

export function useLineDestination(viewer: Viewer): void {
  usePaletteDestinations((query) => {
    const destination = parseDestination(query.replace(PREFIX, ''));
    if (!destination) return [];
    return [
      {
        id: 'line',
        text: `Go to ${words(destination)}`,
        kind: 'Move',
        icon: 'goto',
        isAnswer: true,
        run: () => {
          viewer.goTo(destination);
          viewer.scroller.current?.focus({ preventScroll: true });
        },
      },
    ];
  });
}

function words(destination: Destination): string {
  switch (destination.kind) {
    case 'line':
      return `line ${formatCount(destination.line)}`;
    case 'relative':
      return `${formatCount(Math.abs(destination.lines))} lines ${destination.lines < 0 ? 'up' : 'down'}`;
    case 'percent':
      return `${destination.percent}%`;
    case 'end':
      return 'the end';
    case 'offset':
      return `byte ${formatCount(destination.offset)}`;
  }
}
