/** The keys of the histogram's plot: choosing a span of time, and what to do with it. */
import { declareActions } from '../commands/action.ts';
import { type BinSpan, spanBetween } from './bins.ts';

interface PlotContext {
  chosen: BinSpan | null;
  /** The last bar, from 0. */
  last: number;
  choose(span: BinSpan | null): void;
  goTo(span: BinSpan): void;
  /** Shows only the lines of the chosen time. */
  only(): void;
}

export const plotActions = declareActions<PlotContext>()({
  choose: {
    name: 'Choose a time',
    keys: ['←', '→', 'Page Up', 'Page Down', 'Home', 'End'],
    group: 'In the histogram',
    where: 'control',
    run: (plot, key) => {
      const at = movedBar(plot, key);
      plot.choose({ from: at, to: at });
    },
  },
  extend: {
    name: 'Choose a longer time',
    keys: ['Shift+←', 'Shift+→', 'Shift+Page Up', 'Shift+Page Down', 'Shift+Home', 'Shift+End'],
    group: 'In the histogram',
    where: 'control',
    run: (plot, key) => {
      const at = movedBar(plot, key);
      plot.choose(spanBetween(plot.chosen?.from ?? at, at));
    },
  },
  goTo: {
    name: 'Go to the chosen time',
    keys: ['Enter'],
    group: 'In the histogram',
    where: 'control',
    when: ({ chosen }) => chosen !== null,
    run: ({ chosen, goTo }) => chosen && goTo(chosen),
  },
  only: {
    name: 'Show only the chosen time',
    keys: ['Space'],
    group: 'In the histogram',
    where: 'control',
    when: ({ chosen }) => chosen !== null,
    run: ({ only }) => only(),
  },
  clear: {
    name: 'Choose no time',
    keys: ['Esc'],
    group: 'In the histogram',
    where: 'control',
    when: ({ chosen }) => chosen !== null,
    run: ({ choose }) => choose(null),
  },
});

/** Returns the bar that a key moves to. The first key starts at an end. */
function movedBar({ chosen, last }: PlotContext, key: string | null): number {
  const steps = { '←': -1, '→': 1, 'Page Up': -10, 'Page Down': 10, Home: -last, End: last };
  const by = steps[key?.replace('Shift+', '') as keyof typeof steps] ?? 0;
  return Math.min(last, Math.max(0, (chosen?.to ?? (by > 0 ? -1 : 1)) + by));
}
