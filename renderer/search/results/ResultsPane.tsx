// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
/** The results below the text: the count, the choice of context, the matching lines; or why there are none. */

import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { MAX_RESULT_CONTEXT } from '../../../shared/limits.ts';
import { formatCount } from '../../../shared/text/format.ts';
import { ActionIcon } from '../../actions/ActionMenu.tsx';
import { runByKey } from '../../actions/registry.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Button, IconButton, OneStop } from '../../ui/controls/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/layout/Message.tsx';
import { Splitter } from '../../ui/layout/Pane.tsx';
import { useStore } from '../../ui/state/store.ts';
import { useAfter } from '../../ui/state/time.ts';
import { Icon } from '../../ui/text/Icon.tsx';
import { fetchWholeLines } from '../../viewer/document/open-document.ts';
import type { RowSpan } from '../../viewer/document/rows-view.ts';
import { LINE_HEIGHT_PX, Scroll, UNIFORM, wholeRows } from '../../viewer/scrolling/positions.ts';
import { RowsScrollbar, SidewaysScrollbar, useSideways } from '../../viewer/scrolling/Scrollbar.tsx';
import { CopyDialog, useCopy } from '../../viewer/selection/CopyDialog.tsx';
import type { RowsToCopy } from '../../viewer/selection/copy-lines.ts';
import { columnsIn, includesLine, lineCount, type Selection } from '../../viewer/selection/selection.ts';
import { useMouseSelection } from '../../viewer/selection/use-mouse-selection.ts';
import { usePalette } from '../../viewer/text/ansi.ts';
import { type JsonLayout, showsMatches } from '../../viewer/text/json-layout.ts';
import { RowLine } from '../../viewer/text/RowLine.tsx';
import rowsStyles from '../../viewer/text/Rows.module.css';
import { LaidRows, useDigits, useWidestRow } from '../../viewer/text/Rows.tsx';
import { KnownLayouts, ONE_LINE, type RowLayout } from '../../viewer/text/row-layouts.ts';
import { textSettings } from '../../viewer/text/text-settings.ts';
import { columnsTaken, useOriginColumns, useWrapping, type Wrapping } from '../../viewer/text/wrapping.ts';
import { useDeepMatches } from '../MatchedRows.tsx';
import type { ResultRow } from '../open-search.ts';
import { countWords, isSearching, nothingFound, warnings } from '../SearchBar.tsx';
import {
  barActions,
  contextActions,
  type ResultsContext,
  resultActions,
  searchActions,
} from '../search-actions.ts';
import type { SearchSettings } from '../search-settings.ts';
import type { Search } from '../use-search.ts';
import styles from './ResultsPane.module.css';
import { nearestMatch, useFollowResults, useResultCursor } from './use-result-cursor.ts';
import { RESULTS_MAX_PX, RESULTS_MIN_PX } from './use-results-layout.ts';

interface ResultsPaneProps {
  search: Search;
  /** Advice that goes before that of the search, where nothing matches; null for none. */
  firstHint: string | null;
}

export function ResultsPane({ search, firstHint }: ResultsPaneProps) {
  const { layout, changeLayout, snapshot, current } = search;
  const list = useId();
  const [box, isSqueezed] = useSqueezed();
  // Only the host knows what is around a match.
  const offline = useConnection() === null;
  if (!search.active || !search.search) return null;
  const { folded, height, context } = layout;
  const fold = () => changeLayout({ folded: !folded });
  const isHidden = folded || isSqueezed;
  const focusResults = () => search.results.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  const { pattern, within = [] } = search.search.query;
  const choice = { disabled: offline, onChoose: (lines: number) => changeLayout({ context: lines }) };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!folded) runByKey(contextActions, choice, event);
  };

  return (
    <>
      {!folded && (
        <Splitter
          label="Height of the results"
          pane="below"
          size={height}
          min={RESULTS_MIN_PX}
          max={RESULTS_MAX_PX}
          onResize={(next) => changeLayout({ height: next })}
          onCollapse={fold}
        />
      )}
      <section
        ref={search.results}
        className={folded ? `${styles.pane} ${styles.folded}` : styles.pane}
        style={folded ? undefined : { height }}
        aria-label="Results"
        onKeyDown={onKeyDown}
      >
        <header className={styles.header}>
          <OneStop label="Results">
            <IconButton
              icon={isHidden ? 'up' : 'down'}
              label={isHidden ? 'Unfold the results' : 'Fold the results'}
              shortcut={searchActions.results.keys[0]!}
              aria-expanded={!isHidden}
              aria-controls={list}
              onClick={isSqueezed && !folded ? focusResults : fold}
            />
            <h2 className={styles.title}>
              <span className={styles.count}>
                {countWords(snapshot, current?.index ?? null) ?? 'Searching…'}
              </span>
              <span className={styles.pattern} title={pattern}>
                {within.map((term) => (
                  <span key={term.pattern}>
                    <code>{`${term.invert ? 'not ' : ''}${term.pattern}`}</code>
                    <span className={styles.muted}> › </span>
                  </span>
                ))}
                <span className={styles.muted}>{search.search.query.invert ? 'without' : 'with'}</span>{' '}
                <code>{pattern}</code>
              </span>
            </h2>
            <ActionIcon action={searchActions.keep} context={search} />
            <ActionIcon action={searchActions.narrow} context={search} />
            {!folded && <ContextChoice context={context} {...choice} />}
            <IconButton icon="close" label="End the search" shortcut="Esc" onClick={search.end} />
          </OneStop>
        </header>
        {warnings(snapshot).map((text) => (
          <p key={text} className={styles.warning} role="status">
            <Icon name="warn" />
            {text}
          </p>
        ))}
        {/* What stands there in place of results may scroll in a small window, so keys must reach it. */}
        <div
          ref={box}
          id={list}
          className={styles.list}
          hidden={folded}
          {...(search.snapshot.total === 0 && { role: 'group', 'aria-label': 'No results', tabIndex: 0 })}
        >
          {!folded && <Found search={search} firstHint={firstHint} />}
        </div>
      </section>
    </>
  );
}

/** Whether the text leaves no room for the results in a low window; with the focus they take some of it. */
function useSqueezed(): [(element: HTMLElement | null) => (() => void) | undefined, boolean] {
  const [isSqueezed, setSqueezed] = useState(false);
  const box = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const resized = new ResizeObserver(() => setSqueezed(element.clientHeight < LINE_HEIGHT_PX));
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  return [box, isSqueezed];
}

function Found({ search, firstHint }: ResultsPaneProps) {
  const { snapshot } = search;
  const searching = isSearching(snapshot);
  const waited = useAfter(150, searching && snapshot.total === 0);
  if (snapshot.total > 0) return <ResultList search={search} />;
  // The last search was for another pattern.
  if (search.problem) return <p className={styles.quiet}>Not searched: the pattern is not valid</p>;
  const { error } = snapshot;
  if (error) return <ErrorState error={error} alert={error.code !== 'usage'} />;
  if (searching) return waited ? <p className={styles.quiet}>Searching… nothing found so far</p> : null;
  if (snapshot.cancelled) return <p className={styles.quiet}>Cancelled before anything was found</p>;
  return (
    <EmptyState icon="search" title={search.search ? nothingFound(search.search.query) : ''}>
      <p>{firstHint ?? hint(search.settings)}</p>
    </EmptyState>
  );
}

/** Names the setting that most likely keeps a search from finding anything. */
export function hint(settings: SearchSettings): string {
  const { caseSensitive, invert, regex, word } = barActions;
  const { pattern } = settings;
  if (settings.word)
    return `Whole word is on, so parts of words do not match: ${word.keys[0]} in the field turns that off.`;
  if (settings.case_sensitive && /\p{L}/u.test(pattern))
    return `The search distinguishes upper and lower case: ${caseSensitive.keys[0]} in the field turns that off.`;
  if (settings.invert)
    return `Only lines that do not match are listed: ${invert.keys[0]} in the field ends that.`;
  // As plain text, a pattern with dots alone would find less.
  if (!settings.fixed && /[\\^$*+?()[\]{}|]/.test(pattern))
    return `The pattern is a regular expression: ${regex.keys[0]} in the field takes it as plain text.`;
  if (settings.fixed && /\\[a-z.]|\.[*+]|[)\]][*+?]|\w\|\w/i.test(pattern))
    return `The pattern is plain text: ${regex.keys[0]} in the field takes it as a regular expression.`;
  if (settings.within.length > 0)
    return 'To search all lines, remove the other searches from the search bar.';
  return 'Appended text is searched as it arrives.';
}

interface ContextChoiceProps {
  context: number;
  disabled: boolean;
  onChoose: (context: number) => void;
}

function ContextChoice({ context, disabled, onChoose }: ContextChoiceProps) {
  const { keys } = contextActions.context;
  const [first, last] = [keys[0], keys.at(-1)];
  return (
    <fieldset
      className={styles.context}
      title={`Lines around each match (${first} to ${last} in the results)`}
    >
      <legend className={styles.legend}>Context</legend>
      {Array.from({ length: MAX_RESULT_CONTEXT + 1 }, (_, lines) => (
        <Button
          // biome-ignore lint/suspicious/noArrayIndexKey: the number identifies the choice
          key={lines}
          tone="quiet"
          className={styles.lines}
          pressed={context === lines}
          disabled={disabled}
          onClick={() => onChoose(lines)}
        >
          <span className="visually-hidden">Lines around each match: </span>
          {lines}
        </Button>
      ))}
    </fieldset>
  );
}

/** Lists the matching lines and their context. Enter or a click shows a line in the text. */
function ResultList({ search }: Pick<ResultsPaneProps, 'search'>) {
  const { snapshot, chosenLine } = search;
  const source = search.search?.rows;
  const scroller = useRef<HTMLDivElement>(null);
  const [scroll] = useState(() => new Scroll());
  const palette = usePalette();
  const { json } = useStore(textSettings);
  const id = useId();
  const { chosen, chooseFrom, markShown } = useResultCursor(search, scroll);
  const ahead = useFollowResults(search, scroll);
  useEffect(() => {
    chosenLine.current = source?.row(chosen.row)?.line ?? chosen.line;
    return () => {
      chosenLine.current = null;
    };
  });
  const { rows, selection, copy, handlers } = useResultInput({
    ...{ search, scroll, scroller },
    chosen: chosen.row,
    choose: chooseFrom,
    markShown,
  });
  const isPainted = usePainted(search.search);
  // As wide as the numbers of the text can be.
  const digits = useDigits(search.lines);
  const origin = useOriginColumns(digits);
  const room = useWrapping({ on: true, scroller, digits, origin, times: false });
  const deep = useDeepMatches(search.search, snapshot.state?.generation ?? null);
  /** Whether JSON was drawn as message and fields: another search may show it raw, which is wider. */
  const hasJson = useRef(false);
  const laidOutBy = hasJson.current ? search.search : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may change the width of rows
  const widths = useMemo(() => ({}), [digits, origin, json, laidOutBy, deep.size]);
  const [width, onDrawn] = useWidestRow(scroller, null, widths);
  const current = search.current?.line ?? null;
  const around = search.search !== null && search.search.context > 0;

  const draw = (at: number, top: number, key: number) => {
    const row = source?.row(at);
    const part = columnsIn(selection, at + 1);
    const isMatch = row !== undefined && row.match !== null;
    const layout = resultLayout(row, json);
    hasJson.current ||= layout !== ONE_LINE;
    return (
      <RowLine
        key={key}
        id={`${id}-${at}`}
        index={at}
        line={row?.line ?? null}
        label={row ? String(row.line) : ''}
        row={row}
        top={top}
        layout={layout}
        selected={selection ? includesLine(selection, at + 1) : at === chosen.row}
        chosenFrom={part?.from ?? null}
        chosenTo={part?.to ?? null}
        matches={isMatch ? (row.matches ?? null) : null}
        leftOut={isMatch && room ? leftOutOf(row, layout, room) : 0}
        deep={isMatch && isDeep(row) ? deep.of(row.line) : null}
        deepOnly
        current={isMatch && row.line === current}
        aside={row !== undefined && !isMatch}
        first={around && row !== undefined && isElsewhere(source?.row(at - 1), row)}
        palette={palette}
        onReadOn={null}
      />
    );
  };
  const positionWords = (at: number) => {
    const match = source && nearestMatch(source, at, 1, rows.count)?.match;
    return match == null
      ? `row ${formatCount(at + 1)} of ${formatCount(rows.count)}`
      : `match ${formatCount(match + 1)} of ${formatCount(snapshot.total)}`;
  };
  return (
    <div className={`${rowsStyles.pane} ${styles.resultListPane}`}>
      <div
        ref={scroller}
        id={id}
        className={rowsStyles.scroller}
        role="grid"
        aria-label="Matching lines"
        aria-rowcount={-1}
        aria-activedescendant={`${id}-${chosen.row}`}
        tabIndex={0}
        style={{ '--digits': digits, '--origin': origin } as React.CSSProperties}
        {...handlers}
      >
        <LaidRows
          rows={rows}
          version={snapshot}
          scroll={scroll}
          scroller={scroller}
          heights={UNIFORM}
          overscan={isPainted ? undefined : 0}
          ahead={ahead}
          width={width}
          onDrawn={(drawn: readonly (ResultRow | undefined)[]) => {
            onDrawn(drawn);
            deep.want(drawn.flatMap((row) => (row && row.match !== null && isDeep(row) ? [row.line] : [])));
          }}
          draw={draw}
        />
      </div>
      <RowsScrollbar
        label="Scroll through the results"
        controls={id}
        scroll={scroll}
        total={rows.count}
        first={1}
        words={positionWords}
      />
      <SidewaysScrollbar scroller={scroller} controls={id} width={width} />
      <CopyDialog copy={copy} />
    </div>
  );
}

/** True once rows of the search were painted: the first matches don't wait for rows beyond the view. */
function usePainted(search: Search['search']): boolean {
  const [painted, setPainted] = useState<Search['search']>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(search));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [search]);
  return painted === search;
}

/** True when lines are left out between the two rows. */
function isElsewhere(before: { line: number } | undefined, row: { line: number }): boolean {
  return before !== undefined && before.line + 1 !== row.line;
}

const knownLayouts = new KnownLayouts(null);

/**
 * Results take one line each, JSON as message and fields.
 * @param json show JSON lines as message and fields, unless that hides what was found in them
 */
function resultLayout(row: ResultRow | undefined, json: boolean): RowLayout {
  const layout = row && json ? knownLayouts.json(row, false) : null;
  return layout?.json && showsMatches(layout.json, row?.matches ?? []) ? layout : ONE_LINE;
}

/** Share of the view that shows what is before a match. */
const BEFORE_MATCH = 1 / 3;

/** Returns the columns to leave out, so that the first match of a row is in view: 0 if it is anyway. */
function leftOutOf(
  { text, matches }: ResultRow,
  { json }: RowLayout,
  { columns, columnsOf }: Wrapping,
): number {
  const [from, to] = matches ?? [];
  if (from === undefined || to === undefined) return 0;
  const taken = (end: number) => columnsTaken(json ? drawnBefore(json, end) : text.slice(0, end), columnsOf);
  if (taken(to) <= columns) return 0;
  return Math.max(0, Math.floor(taken(from) - columns * BEFORE_MATCH));
}

/** Returns what a JSON row draws before a column of its line. */
function drawnBefore({ folded }: JsonLayout, column: number): string {
  const fragments = folded.flat();
  const at = fragments.findIndex(({ from, to }) => from <= column && column <= to);
  const before = fragments.slice(0, Math.max(0, at)).map(({ text }) => text);
  const { text, from, isExact } = fragments[at] ?? { text: '', from: 0, isExact: true };
  return before.join('') + (isExact ? text.slice(0, column - from) : text);
}

/** True when no match is in the shown part of a long line. */
function isDeep({ clipped, matches }: ResultRow): boolean {
  return clipped && matches?.length === 0;
}

/** Chooses, selects and copies rows of the results by keys and the mouse. */
const SIDEWAYS_PX = 60;

interface ResultInputOptions {
  search: Search;
  scroll: Scroll;
  scroller: RefObject<HTMLDivElement | null>;
  /** The chosen row, from 0. */
  chosen: number;
  choose: ResultsContext['choose'];
  /** Tells that the list itself makes this line the current match. */
  markShown: (line: number) => void;
}

function useResultInput({ search, scroll, scroller, chosen, choose, markShown }: ResultInputOptions) {
  const { snapshot } = search;
  const source = search.search?.rows;
  const { selection, select } = useResultSelection(search);
  const lineBytes = search.lines > 0 ? (snapshot.state?.total_bytes ?? 0) / search.lines : null;
  const copy = useCopy(useRowsToCopy(search), search.say, lineBytes);
  const rows = useMemo(
    () => ({
      count: snapshot.rowCount,
      lineOf: (index: number) => index + 1,
      rowOf: (line: number) => line - 1,
      row: (index: number) => source?.row(index),
      want: (first: number, last: number, ahead: RowSpan | null) => {
        if (snapshot.rowCount > 0) source?.want(first, last, ahead);
      },
      follow: () => {},
    }),
    [source, snapshot.rowCount],
  );
  useSideways(scroller);
  const mouse = useMouseSelection({ rows, scroll, scroller, selection, onSelect: select });

  const show = (index: number, move?: 'unless visible') => {
    const row = source?.row(index);
    if (!row) return;
    if (row.match === null) search.showLine(row.line);
    else search.goTo({ line: row.line, index: row.match }, move);
  };
  // The text moves along with the chosen match, as soon as that is fetched.
  const isMoved = useRef(false);
  useEffect(() => {
    if (!isMoved.current || source?.row(chosen)?.match == null) return;
    isMoved.current = false;
    markShown(source.row(chosen)!.line);
    show(chosen, 'unless visible');
  });
  const results: ResultsContext = {
    rows,
    scroll,
    selection,
    select,
    copy,
    chosen,
    page: Math.max(1, wholeRows(scroll.view.get().height) - 1),
    choose: (row, direction) => {
      isMoved.current = true;
      choose(row, direction);
    },
    show,
    moveSideways: (direction) =>
      scroller.current?.scrollBy({ left: direction * SIDEWAYS_PX, behavior: 'instant' }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target === scroller.current) runByKey(resultActions, results, event);
  };
  const onClick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
    // A drag or Shift+click selects and shows nothing.
    if (!row || event.shiftKey || (selection && (selection.columns || lineCount(selection) > 1))) return;
    select(null);
    const index = Number(row.dataset.index);
    if (source?.row(index)?.match !== null) choose(index, 1);
    show(index);
  };
  return { rows, selection, copy, handlers: { ...mouse, onKeyDown, onClick } };
}

/** Rows are counted from 1; other rows begin without a selection. */
function useResultSelection({ search, snapshot }: Search) {
  const of = `${snapshot.state?.generation} ${search?.context}`;
  const [selected, setSelected] = useState<{ search: unknown; of: string; selection: Selection | null }>();
  const select = useCallback(
    (selection: Selection | null) => setSelected({ search, of, selection }),
    [search, of],
  );
  const isSame = selected?.search === search && selected?.of === of;
  return { selection: isSame ? (selected?.selection ?? null) : null, select };
}

function useRowsToCopy({ search }: Search): RowsToCopy | null {
  const connection = useConnection();
  return useMemo(
    () =>
      search &&
      connection && {
        fetchRows: search.fetchRows,
        fetchWhole: (lines, signal) => fetchWholeLines(connection, search.document, lines, signal),
      },
    [search, connection],
  );
}
