/** The actions on what differs between outputs: showing only that, and stepping through it. */

import type { Comparison } from '../../shared/comparison.ts';
import { formatCount } from '../../shared/text/format.ts';
import { declareActions } from '../actions/action.ts';
import type { Filters } from '../filters/use-filters.ts';
import type { Say } from '../ui/state/time.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { newsOf, stepTo } from './differences.ts';
import type { Differences } from './use-differences.ts';

export interface DifferencesContext {
  differences: Differences;
  filters: Filters;
  say: Say;
}

const NOTHING = 'No line is new or changed';

export const differenceActions = declareActions<DifferencesContext>('Filter')({
  only: {
    name: 'Show only new and changed lines: those that no pass has',
    label: 'Only these lines',
    words: 'compare differences diff regression baseline',
    icon: 'filter',
    keys: ['X'],
    when: ({ differences }) => differences.comparison !== null,
    otherwise: ({ differences, say }) => say(whyNone(differences)),
    isOn: ({ filters }) => onlyFilter(filters)?.on === true,
    run: ({ differences, filters, say }) => {
      const shown = onlyFilter(filters);
      if (shown?.on) filters.remove(shown.id);
      else if (differences.comparison?.lines.length === 0) say(NOTHING);
      else filters.add({ kind: 'differences' }, 'only');
    },
  },
});

function onlyFilter({ filters }: Filters) {
  return filters.find(({ what }) => what.kind === 'differences');
}

function whyNone({ isAsked, isWaiting, problem }: Differences): string {
  if (problem !== null) return problem;
  if (isWaiting) return 'Still comparing';
  return isAsked ? 'It could not be compared' : 'Compare it with another output first';
}

/** Goes to the next new or changed lines, and says which they are. */
export function stepThrough(comparison: Comparison, viewer: Viewer, direction: 1 | -1): void {
  const { lines } = comparison;
  // From the top of the view, its first line counts.
  const isInclusive = direction === 1 && viewer.selectedLineInView() === null;
  const found = stepTo(lines, isInclusive ? viewer.topLine() - 1 : viewer.currentLine(), direction);
  if (!found) {
    viewer.say(NOTHING);
    return;
  }
  const { line, index } = found;
  viewer.showLine(line, 'unless visible');
  const kind = newsOf(comparison, line) === 'changed' ? 'changed' : 'new';
  viewer.say(`Line ${formatCount(line)}: ${kind}, ${formatCount(index + 1)} of ${formatCount(lines.length)}`);
}
