/** Chooses a span of time in the histogram, by a drag or keys, and goes there or shows only its lines. */

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { HistogramState } from '../../../shared/api/histogram.ts';
import { runByKey } from '../../actions/registry.ts';
import type { Filters } from '../../filters/use-filters.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import { plotActions } from '../panel-actions.ts';
import { type BinSpan, binFacts, spanBetween } from './histogram.ts';

interface TimeSpanOptions {
  found: HistogramState;
  /** The last bar, from 0. */
  last: number;
  viewer: Viewer;
  filters: Filters;
}

export function useTimeSpan({ found, last, viewer, filters }: TimeSpanOptions) {
  const { edges, done } = found;
  const [span, setSpan] = useState<BinSpan | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const anchor = useRef<number | null>(null);
  const chosen = span && { from: Math.min(span.from, last), to: Math.min(span.to, last) };
  const facts = chosen && binFacts(edges, chosen);
  // Wait for exact edges, as estimated ones would miss the line.
  const [awaited, setAwaited] = useState<'only' | 'go' | null>(null);
  const goTo = (at: BinSpan) => {
    if (done) viewer.goToLine(binFacts(edges, at).first);
    else setAwaited('go');
  };
  const only = () => {
    if (!done) return setAwaited('only');
    if (!facts || facts.last < facts.first) return;
    filters.add({ kind: 'lines', ...facts }, 'only');
    setSpan(null);
  };
  useEffect(() => {
    if (!done || !awaited) return;
    setAwaited(null);
    if (awaited === 'only') only();
    else if (chosen) goTo(chosen);
  });
  const binAt = (event: PointerEvent<Element>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const bin = Math.floor(((event.clientX - left) / Math.max(1, width)) * (last + 1));
    return Math.min(last, Math.max(0, bin));
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      anchor.current = binAt(event);
      setSpan(spanBetween(anchor.current, anchor.current));
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      const bin = binAt(event);
      setOver(bin);
      if (anchor.current !== null) setSpan(spanBetween(anchor.current, bin));
    },
    onPointerUp: (event: PointerEvent<HTMLDivElement>) => {
      const from = anchor.current;
      anchor.current = null;
      if (from !== null) goTo(spanBetween(from, binAt(event)));
    },
    onPointerLeave: () => setOver(null),
    onKeyDown: (event: KeyboardEvent) =>
      runByKey(plotActions, { chosen, last, choose: setSpan, goTo, only }, event),
  };
  const isHovered = over !== null && anchor.current === null && !chosen;
  return {
    chosen,
    /** Whether lines have a chosen time. */
    hasLines: facts !== null && facts.last >= facts.first,
    /** The bar under the mouse, while none is chosen. */
    hovered: isHovered ? { from: over, to: over } : null,
    goTo,
    only,
    handlers,
  };
}
