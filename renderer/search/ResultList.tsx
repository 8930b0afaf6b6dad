// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
/** Matching lines in a list of any length, scrolled as the text is; Enter or a click shows one in the text. */
import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Row } from '../../shared/api/rows.ts';
import { formatCount } from '../ui/format.ts';
import { usePalette } from '../viewer/palette.ts';
import { RowLine } from '../viewer/RowLine.tsx';
import rowsStyles from '../viewer/Rows.module.css';
import { useContentWidth } from '../viewer/Rows.tsx';
import { Scrollbar } from '../viewer/Scrollbar.tsx';
import { SidewaysScrollbar } from '../viewer/SidewaysScrollbar.tsx';
import { Scroll, useView } from '../viewer/scroll.ts';
import {
  fractionOf,
  isWhollyVisible,
  lastPlace,
  movedRows,
  placeAtFraction,
  placeShowing,
  ROW_HEIGHT,
  wholeRows,
} from '../viewer/scroll-window.ts';
import { useScrollWindow } from '../viewer/use-scroll-window.ts';
import styles from './ResultList.module.css';
import { isRepeated, resultRowAt, rowOfMatch, rowsPerMatch } from './result-rows.ts';
import { useContextRows } from './use-context-rows.ts';
import type { Search } from './use-search.ts';

/** Pixels. */
const SIDEWAYS = 60;

export interface ResultListProps {
  search: Search;
  onReadOn: (line: number | null, row: Row) => void;
}

export function ResultList({ search, onReadOn }: ResultListProps) {
  const { snapshot, at, layout } = search;
  const source = search.search?.rows;
  const { context } = layout;
  const each = rowsPerMatch(context);
  const total = snapshot.total * each;
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll] = useState(() => new Scroll());
  const [cursor, setCursor] = useState(at?.index ?? 0);
  const palette = usePalette();
  const id = useId();
  const width = useContentWidth(scroller);
  const { base, items, visible, layoutHeight } = useScrollWindow(total, scroller, scroll);
  const first = visible && resultRowAt(visible.first, context).match;
  const last = visible && resultRowAt(visible.last, context).match;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another snapshot may have dropped what is in view
  useEffect(() => {
    if (first !== null && last !== null) source?.want(first, last);
  }, [source, snapshot, first, last]);
  const around = useContextRows(search, first, last);

  const reveal = (match: number, during: 'event' | 'layout') => {
    const { place, height } = scroll.view.get();
    const row = rowOfMatch(match, context);
    if (isWhollyVisible(row, place, height)) return;
    scroll.moveTo(placeShowing(row, total, height), during);
  };

  // What one is at in the text is what is chosen here.
  const index = at?.index ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more matches do not move the list
  useLayoutEffect(() => {
    if (index !== null) setCursor(index);
    reveal(index ?? Math.min(cursor, snapshot.total - 1), 'layout');
  }, [index, context]);

  const choose = (match: number) => {
    const next = Math.min(Math.max(0, match), snapshot.total - 1);
    setCursor(next);
    const { place, height } = scroll.view.get();
    const row = rowOfMatch(next, context);
    if (isWhollyVisible(row, place, height)) return;
    if (Math.abs(next - cursor) * each > wholeRows(height))
      return scroll.moveTo(placeShowing(row, total, height));
    const top = Math.max(0, row - context);
    scroll.moveTo(
      next < cursor ? { row: top, px: 0 } : lastPlace(Math.min(total, row + context + 1), height),
    );
  };

  const show = (match: number) => {
    const row = source?.row(match);
    if (row) search.goTo({ line: row.line, index: match });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== scroller.current) return;
    const page = Math.max(1, Math.floor(wholeRows(scroll.view.get().height) / each) - 1);
    const act = {
      ArrowUp: () => choose(cursor - 1),
      ArrowDown: () => choose(cursor + 1),
      PageUp: () => choose(cursor - page),
      PageDown: () => choose(cursor + page),
      ArrowLeft: () => scroller.current?.scrollBy({ left: -SIDEWAYS, behavior: 'instant' }),
      ArrowRight: () => scroller.current?.scrollBy({ left: SIDEWAYS, behavior: 'instant' }),
      Home: () => choose(0),
      End: () => choose(snapshot.total - 1),
      Enter: () => show(cursor),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  const onClick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
    // Text marked with the mouse is to be copied.
    if (!row || !window.getSelection()?.isCollapsed) return;
    const { match } = resultRowAt(Number(row.dataset.index), context);
    setCursor(match);
    show(match);
  };

  return (
    <div className={`${rowsStyles.pane} ${styles.pane}`}>
      <div
        ref={scroller}
        id={id}
        className={rowsStyles.scroller}
        role="grid"
        aria-label="Matching lines"
        aria-rowcount={-1}
        aria-activedescendant={`${id}-${cursor}`}
        tabIndex={0}
        style={{ '--digits': digitsOf(search) } as React.CSSProperties}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div
          className={rowsStyles.sizer}
          role="rowgroup"
          style={{ height: layoutHeight, minWidth: width > 0 ? width : undefined }}
        >
          {items.map((item) => {
            const at = base + item.index;
            const { match, offset } = resultRowAt(at, context);
            const matched = source?.row(match);
            const line = matched ? matched.line + offset : null;
            const beside = { before: source?.row(match - 1)?.line, behind: source?.row(match + 1)?.line };
            const repeated = line !== null && line >= 1 && isRepeated(line, offset, context, beside);
            const exists = line !== null && line >= 1 && !repeated;
            const row =
              offset === 0 ? matched : exists && matched ? around.row(matched.line, offset) : undefined;
            return (
              <RowLine
                key={item.key}
                id={offset === 0 ? `${id}-${match}` : undefined}
                index={at}
                line={exists ? line : null}
                label={repeated || (exists && row) ? String(line) : ''}
                row={row}
                note={repeated ? (offset < 0 ? 'shown above' : 'shown below') : undefined}
                top={item.start}
                selected={offset === 0 && match === cursor}
                matches={offset === 0 ? (matched?.matches ?? null) : null}
                current={offset === 0 && match === index}
                aside={offset !== 0}
                first={context > 0 && offset === -context && match > 0}
                palette={palette}
                onReadOn={onReadOn}
              />
            );
          })}
        </div>
      </div>
      <ListScrollbar scroll={scroll} controls={id} each={each} />
      <SidewaysScrollbar scroller={scroller} controls={id} width={width} />
    </div>
  );
}

function ListScrollbar({ scroll, controls, each }: { scroll: Scroll; controls: string; each: number }) {
  const { place, height, total } = useView(scroll);
  const move = (by: number) => scroll.moveTo(movedRows(scroll.view.get().place, by));
  const match = (row: number) => Math.floor(row / each) + 1;
  return (
    <Scrollbar
      orientation="vertical"
      label="Scroll through the results"
      controls={controls}
      at={fractionOf(place, total, height)}
      part={total === 0 ? 1 : Math.min(1, height / (total * ROW_HEIGHT))}
      min={1}
      max={match(lastPlace(total, height).row)}
      now={match(place.row)}
      text={`match ${formatCount(match(place.row))} of ${formatCount(Math.floor(total / each))}`}
      onFraction={(fraction) => scroll.moveTo(placeAtFraction(fraction, total, height))}
      onPage={(direction) => move(direction * Math.max(1, wholeRows(height) - 1))}
      onStep={move}
    />
  );
}

/** As wide as the numbers of the text can be. */
function digitsOf({ lines }: Search): number {
  return Math.max(4, String(lines).length);
}
