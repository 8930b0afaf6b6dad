/** How the rows of the results look: their layout, matches beyond the shown part, and how wide they are. */
import { type RefObject, useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import { showsMatches } from '../../viewer/text/json/json-layout.ts';
import { useWidestRow } from '../../viewer/text/layout/use-widest-row.ts';
import { useOriginColumns } from '../../viewer/text/origins.ts';
import { textLook } from '../../viewer/text/text-look.ts';
import { KnownLayouts, ONE_LINE, type RowLayout } from '../../viewer/text/wrap/row-layouts.ts';
import { useDeepMatches } from '../in-text/use-deep-matches.ts';
import type { ResultRow } from '../open-search.ts';
import type { Search } from '../use-search.ts';

/** @param laid the drawn rows */
export function useResultLooks(
  search: Search,
  scroller: RefObject<HTMLElement | null>,
  laid: readonly { row: number }[],
  visible: { first: number; last: number } | null,
) {
  const source = search.search?.rows;
  const { json } = useSyncExternalStore(textLook.subscribe, textLook.get);
  const digits = digitsOf(search);
  const origin = useOriginColumns(digits);
  const deepLines: number[] = [];
  for (let at = visible?.first ?? 0; at <= (visible?.last ?? -1); at += 1) {
    const row = source?.row(at);
    if (row && row.match !== null && isDeep(row)) deepLines.push(row.line);
  }
  const generation = search.snapshot.state?.generation ?? null;
  const deepMatchOf = useDeepMatches(search.search, generation, deepLines);
  const layouts = laid.map(({ row }) => resultLayout(source?.row(row), json));
  const laidOutBy = layouts.some((layout) => layout !== ONE_LINE) ? search.search : null;
  const deepBy = deepLines.length > 0 ? deepMatchOf : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may change the width of rows
  const drawn = useMemo(() => ({}), [digits, origin, laidOutBy, deepBy]);
  const [width, onDrawn] = useWidestRow(scroller, null, drawn);
  useLayoutEffect(() => onDrawn(laid.map(({ row }) => source?.row(row))));
  return {
    layouts,
    width,
    columns: { '--digits': digits, '--origin': origin } as React.CSSProperties,
    /** Returns a match that the row does not show; null if it has none. */
    deepMatchOf: (row: ResultRow) => (isDeep(row) ? deepMatchOf(row.line) : null),
  };
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

/** True when no match is in the shown part of a long line. */
function isDeep({ clipped, matches }: ResultRow): boolean {
  return clipped && matches?.length === 0;
}

/** As wide as the numbers of the text can be. */
function digitsOf({ lines }: Search): number {
  return Math.max(4, String(lines).length);
}
