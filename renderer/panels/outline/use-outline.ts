/** The sections of the shown text: asked for when their panel first opens, and again when the text was replaced. */

import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Connection } from '../../../shared/api/api.ts';
import type { LineSpan } from '../../../shared/api/filters.ts';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import { type SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { countFitting } from '../../../shared/line-set.ts';
import { formatDuration, plural } from '../../../shared/text/format.ts';
import type { OutlineView, Section } from '../../../shared/views.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import type { Filters } from '../../filters/use-filters.ts';
import type { SectionFolds } from '../../viewer/text/Rows.tsx';
import type { Viewer } from '../../viewer/use-viewer.ts';

/** A section, and where those in it are in the list. */
export interface OutlineNode extends Section {
  /** Its place in the list of all. */
  index: number;
  /** -1 for an outer one. */
  parent: number;
  hasParts: boolean;
}

/** The sections with what is around each. */
export function nodesOf(sections: readonly Section[]): OutlineNode[] {
  const open: number[] = [];
  const nodes = sections.map((section, index): OutlineNode => {
    while (open.length > 0 && sections[open.at(-1)!]!.end_line < section.start_line) open.pop();
    const parent = open.at(-1) ?? -1;
    open.push(index);
    return { ...section, index, parent, hasParts: false };
  });
  for (const { parent } of nodes) if (parent >= 0) nodes[parent]!.hasParts = true;
  return nodes;
}

/** The sections around one, from the outermost to itself. */
export function pathOf(nodes: readonly OutlineNode[], index: number): OutlineNode[] {
  const path: OutlineNode[] = [];
  for (let at = index; at >= 0; at = nodes[at]!.parent) path.unshift(nodes[at]!);
  return path;
}

/** Unfolds what leads to the section that failed, and an outer one that is alone. */
export function firstUnfolded(nodes: readonly OutlineNode[]): ReadonlySet<number> {
  const failing = nodes.find((one) => one.failing);
  const outer = nodes.filter(({ parent }) => parent < 0);
  const unfolded = failing ? pathOf(nodes, failing.index) : [];
  return new Set([...unfolded, ...(outer.length === 1 ? outer : [])].map(({ index }) => index));
}

/** The nodes whose sections around them are all unfolded. */
export function shownNodes(nodes: readonly OutlineNode[], unfolded: ReadonlySet<number>): OutlineNode[] {
  const shown = new Set<number>([-1]);
  return nodes.filter(({ index, parent }) => {
    if (!shown.has(parent) || (parent >= 0 && !unfolded.has(parent))) return false;
    shown.add(index);
    return true;
  });
}

/** The innermost section that a line is in; -1 for none. */
export function sectionAt(nodes: readonly OutlineNode[], line: number): number {
  let at = countFitting(nodes.length, (index) => nodes[index]!.start_line <= line) - 1;
  while (at >= 0 && nodes[at]!.end_line < line) at = nodes[at]!.parent;
  return at;
}

export type ShownOutline = ReturnType<typeof useOutline>;

const NONE: readonly OutlineNode[] = [];

const wordsOfNone = (direction: 1 | -1) =>
  `None of the longest pauses is ${direction > 0 ? 'after' : 'before'} this line`;

type Pauses = OutlineView['pauses'];

async function pausesOf(connection: Connection | null, document: DocumentRef): Promise<Pauses> {
  const view = await connection?.request('inspect', { ...document, mode: 'outline' });
  return view?.mode === 'outline' ? view.pauses : [];
}

interface State {
  view: OutlineView | null;
  error: SpillwayError | null;
  isReading: boolean;
  isCancelled: boolean;
}

const IDLE: State = { view: null, error: null, isReading: false, isCancelled: false };

export function useOutline(document: DocumentRef, viewer: Viewer, isOpen: boolean) {
  const connection = useConnection();
  const generation = viewer.opened.snapshot.state?.generation ?? null;
  const [isWanted, setWanted] = useState(isOpen);
  if (isOpen && !isWanted) setWanted(true);
  const [round, setRound] = useState(0);
  const [state, setState] = useState(IDLE);
  const request = useRef<AbortController | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another generation or round is asked for anew
  useEffect(() => {
    if (!connection || !isWanted || generation === null) return;
    const asked = new AbortController();
    request.current = asked;
    setState((last) => ({ ...last, error: null, isReading: true, isCancelled: false }));
    connection.request('inspect', { ...document, mode: 'outline' }, { signal: asked.signal }).then(
      (view) => {
        if (!asked.signal.aborted && view.mode === 'outline') setState({ ...IDLE, view });
      },
      (error: unknown) => {
        if (!asked.signal.aborted) setState({ ...IDLE, error: toSpillwayError(error) });
      },
    );
    return () => asked.abort();
  }, [connection, document, generation, isWanted, round]);

  const cancel = useCallback(() => {
    request.current?.abort();
    setState({ ...IDLE, isCancelled: true });
  }, []);
  const again = useCallback(() => setRound((last) => last + 1), []);
  const nodes = useMemo(() => (state.view ? nodesOf(state.view.sections) : NONE), [state.view]);
  const topLine = useRef(viewer.topLine);
  topLine.current = viewer.topLine;
  const { view: scrolled } = viewer.scroll;
  const current = useSyncExternalStore(scrolled.subscribe, () =>
    nodes.length === 0 ? -1 : sectionAt(nodes, topLine.current()),
  );
  const asked = useRef<{ document: DocumentRef; generation: number | null; pauses: Pauses } | null>(null);
  /** Goes to the next or the last of the longest pauses. */
  const stepPause = async (direction: 1 | -1): Promise<void> => {
    const isKnown = asked.current?.document === document && asked.current.generation === generation;
    if (!isKnown) {
      const pauses = state.view?.pauses ?? (await pausesOf(connection, document));
      asked.current = { document, generation, pauses };
    }
    const { pauses } = asked.current!;
    const here = viewer.currentLine();
    const next =
      direction > 0
        ? pauses.find(({ start_line }) => start_line > here)
        : pauses.findLast(({ start_line }) => start_line < here);
    if (!next) return viewer.say(pauses.length === 0 ? 'No pauses are known' : wordsOfNone(direction));
    viewer.goToLine(next.start_line);
    const place = `${pauses.indexOf(next) + 1} of the ${pauses.length} longest`;
    viewer.say(`A pause of ${formatDuration(next.duration_ms)} before the next line, ${place}`);
  };
  const step = (direction: 1 | -1) =>
    void stepPause(direction).catch((error: unknown) => viewer.say(toSpillwayError(error).message));
  const want = useCallback(() => setWanted(true), []);
  return { ...state, nodes, current, cancel, again, want, stepPause: step };
}

/** Folds sections in the text: the lines behind their first ones are hidden until they are unfolded, or gone to. */
export function useFolding(outline: ShownOutline, filters: Filters, viewer: Viewer) {
  const { nodes, view, want } = outline;
  const { folds, fold, seesThrough, repeats, runOf, unfold: setUnfolded } = filters;
  /** Asked for before the sections were known. */
  const [wanted, setWanted] = useState<'here' | 'all' | null>(null);
  const isFolded = (first: number) => folds.some((one) => one.first === first);
  const unfold = (line: number) => fold(folds.filter(({ first }) => first !== line));
  const repeatsAt = useCallback(
    (line: number) => {
      const open = repeats?.unfolded.find(({ first }) => first === line);
      if (open) return { ...open, isFolded: false };
      const run = runOf(line);
      return run?.first === line ? { ...run, isFolded: true } : null;
    },
    [repeats, runOf],
  );
  /** Returns false for a line that has no repeats. */
  // biome-ignore lint/correctness/useExhaustiveDependencies: `setUnfolded` is the same for one artifact
  const toggleRepeats = useCallback(
    (line: number): boolean => {
      const run = repeatsAt(line);
      const others = repeats?.unfolded.filter(({ first }) => first !== line) ?? [];
      if (run) setUnfolded(run.isFolded ? [...others, run] : others);
      return run !== null;
    },
    [repeatsAt, repeats],
  );

  const foldHere = (): void => {
    const line = viewer.currentLine();
    const around = sectionAt(nodes, line);
    const path = around < 0 ? [] : pathOf(nodes, around);
    const node = path.findLast((one) => canFold(one) && !isFolded(one.start_line));
    if (isFolded(line)) unfold(line);
    else if (node) {
      fold([...folds, spanOf(node)]);
      viewer.showLine(node.start_line, 'unless visible');
    } else viewer.say(nodes.length === 0 ? 'The text has no sections' : 'The line is in no section');
  };
  /** Folds all but what leads to the section that failed; or unfolds all. */
  const foldAll = (): void => {
    const open = firstUnfolded(nodes);
    const isClosed = (one: OutlineNode) => canFold(one) && !one.failing && !open.has(one.index);
    const closed = nodes.filter((one) => isClosed(one) && (one.parent < 0 || open.has(one.parent)));
    if (folds.length === 0 && closed.length === 0) viewer.say('The text has no sections to fold');
    else fold(folds.length > 0 ? [] : closed.map(spanOf));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the sections are known
  useEffect(() => {
    if (wanted === null || !view) return;
    setWanted(null);
    if (wanted === 'here') foldHere();
    else foldAll();
  }, [wanted, view]);

  const sections = useMemo((): SectionFolds | null => {
    if ((seesThrough || (nodes.length === 0 && folds.length === 0)) && !repeats) return null;
    const byLine = new Map<number, LineSpan & { errors: number }>(
      folds.map((one) => [one.first, { ...one, errors: 0 }]),
    );
    // Where several begin in one line, take the outermost, unless another is folded.
    for (const node of seesThrough ? [] : nodes.filter(canFold)) {
      const known = byLine.get(node.start_line);
      if (!known || known.last === node.end_line)
        byLine.set(node.start_line, { ...spanOf(node), errors: node.errors });
    }
    const isClosed = (line: number) => folds.some(({ first }) => first === line);
    return {
      of(line) {
        const run = repeatsAt(line);
        if (run) return { isFolded: run.isFolded, repeats: run.count, words: plural(run.count, 'line') };
        const span = byLine.get(line);
        if (!span) return null;
        const errors = span.errors === 0 ? '' : `, ${plural(span.errors, 'error')}`;
        return { isFolded: isClosed(line), words: `${plural(span.last - line, 'line')}${errors}` };
      },
      toggle(line) {
        if (toggleRepeats(line)) return;
        const { first, last } = byLine.get(line)!;
        fold(isClosed(line) ? folds.filter((one) => one.first !== line) : [...folds, { first, last }]);
      },
    };
  }, [nodes, folds, fold, seesThrough, repeats, repeatsAt, toggleRepeats]);
  const ask = (what: 'here' | 'all') => {
    if (seesThrough)
      return viewer.say('Sections do not fold while filters choose lines: `v` switches filters off');
    want();
    setWanted(what);
  };
  return {
    sections,
    foldHere: () => (toggleRepeats(viewer.currentLine()) ? undefined : ask('here')),
    foldAll: () => ask('all'),
    hasRepeats: repeats !== null,
    foldRepeats: filters.toggleRepeats,
  };
}

const canFold = ({ start_line, end_line }: OutlineNode) => end_line > start_line;
const spanOf = ({ start_line, end_line }: OutlineNode): LineSpan => ({ first: start_line, last: end_line });
