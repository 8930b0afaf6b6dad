/** Holds the filters of one artifact, and the lines of a stream that pass them. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { FilterVerb, LineFilter, LineSpan, RuleState } from '../../shared/api/filters.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { Level } from '../../shared/text/level-words.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { noSubscription, type Store, useStore } from '../ui/state/store.ts';
import {
  ALL_PASS,
  type Entries,
  entriesOf,
  type Filter,
  type FilterWhat,
  filtersOf,
  foldsOf,
  isSameWhat,
  lineFilterOf,
  type Match,
  type Run,
  repeatsOf,
  restored,
  showing,
  withAgain,
  withFolds,
  withRepeats,
  withVerbs,
} from './filter.ts';
import { type FilterSnapshot, NOT_FILTERED, OpenFilter } from './open-filter.ts';

/** Each is a span of the request. */
const MOST_FOLDS = 2000;
const NO_FOLDS: readonly LineSpan[] = [];

export type Filters = ReturnType<typeof useFilters>;

/** How long old lines stay while a changed filter's are fetched. Longer, readers would take them for the new ones. */
const LAST_STAYS_MS = 250;

/**
 * @param key what the filters are kept under
 * @param differing the lines that a comparison found; null while they are not known
 */
export function useFilters(document: DocumentRef, key: string, differing: readonly LineSpan[] | null = null) {
  const store = filtersOf(key);
  const filters = useStore(store);
  const entryStore = entriesOf(key);
  const entries = useStore(entryStore)[0] ?? 'lines';
  const asked = useMemo(() => lineFilterOf(filters, differing, entries), [filters, differing, entries]);
  const foldStore = foldsOf(key);
  const kept = useStore(foldStore);
  // Lines that a filter chooses are shown wherever they are: folded sections wait until no filter is on.
  const seesThrough = asked !== null && asked.filter.rules.length > 0;
  const folds = seesThrough ? NO_FOLDS : kept;
  const inSections = useMemo(() => withFolds(asked?.filter ?? null, folds), [asked, folds]);
  const repeatStore = repeatsOf(key);
  const repeats = useStore(repeatStore)[0] ?? null;
  const shown = useMemo(() => withRepeats(inSections, folds, repeats), [inSections, folds, repeats]);
  const { passing, snapshot } = useOpenFilter(document, shown);
  const unfolded = useOpenFilter(document, repeats && (inSections ?? ALL_PASS));
  const unfold = (next: readonly Run[]) => repeatStore.set([{ unfolded: next.slice(-MOST_FOLDS) }]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: both have other lines with another snapshot
  const runOf = useCallback(
    (line: number) => (passing && unfolded.passing ? runIn(passing, unfolded.passing, line) : null),
    [passing, snapshot, unfolded.passing, unfolded.snapshot],
  );
  /** The filter being edited. */
  const [edited, setEdited] = useState<number | null>(null);
  const changes = useMemo(() => changesOf(store), [store]);
  const levels = useMemo(() => levelFilters(filters, changes), [filters, changes]);
  const rules = snapshot.state?.rules;
  const ruleOf = (id: number): RuleState | null => {
    const at = asked?.ids.indexOf(id) ?? -1;
    return at < 0 ? null : (rules?.[at] ?? null);
  };
  // `passing` is null if every line is shown.
  const chooseEntries = (next: Entries) => entryStore.set(next === 'lines' ? [] : [next]);
  return {
    ...changes,
    /** Without folded sections: these are searched, too. */
    filter: asked?.filter ?? null,
    folds,
    /** Whether filters choose lines, so that no section is folded. */
    seesThrough,
    fold: (next: readonly LineSpan[]) => foldStore.set(next.slice(-MOST_FOLDS)),
    /** Unfolds what hides a line; returns false if nothing folded does. */
    reveal(line: number): boolean {
      const others = folds.filter(({ first, last }) => line <= first || line > last);
      if (others.length < folds.length) foldStore.set(others);
      if (others.length < folds.length) return true;
      const run = repeats && !passing?.has(line) && unfolded.passing?.has(line) ? runOf(line) : null;
      const isAsked = repeats?.unfolded.some(({ first, last }) => line >= first && line <= last);
      if (run && !isAsked) unfold([...repeats!.unfolded, run]);
      return run !== null;
    },
    repeats,
    /** The lines that are folded into one that is shown, and that one; null for a line without such. */
    runOf,
    /** Changes which runs of repeats are unfolded. */
    unfold,
    toggleRepeats: () => repeatStore.set(repeats ? [] : [{ unfolded: [] }]),
    entries,
    chooseEntries,
    filters,
    levels,
    edited,
    edit: setEdited,
    passing,
    snapshot,
    ruleOf,
  };
}

/** @param unfolded the same filter without folded repeats */
function runIn(shown: OpenFilter, unfolded: OpenFilter, line: number): Run | null {
  const row = shown.rowOf(line + 1) - 1;
  const first = shown.lineOf(row);
  const next = shown.lineOf(row + 1);
  if (first === null || (next === null && !(shown.settled && unfolded.settled))) return null;
  const behind = next === null ? unfolded.count : unfolded.rowOf(next);
  const count = behind - unfolded.rowOf(first);
  const last = unfolded.lineOf(behind - 1);
  return count > 1 && last !== null ? { first, last, count } : null;
}

/** The changes that a person makes to the filters of an artifact. */
function changesOf(store: Store<readonly Filter[]>) {
  /** The filters that were on when all were switched off. */
  let off: readonly number[] = [];

  const change = (id: number, part: Partial<Filter>) =>
    store.set(store.get().map((filter) => (filter.id === id ? { ...filter, ...part } : filter)));

  /** Adds a filter, or switches on an equal one. Returns its id. */
  const add = (what: FilterWhat, verb: FilterVerb): number => {
    const known = store.get().find((filter) => isSameWhat(filter.what, what));
    const id = known?.id ?? Math.max(0, ...store.get().map((filter) => filter.id)) + 1;
    if (known) change(id, { verb, on: true });
    else store.set([...store.get(), { id, what, verb, on: true }]);
    return id;
  };

  return {
    change,
    add,
    /** Adds a filter that narrows the shown lines. */
    narrow(what: FilterWhat): number {
      const others = showing(store.get()).filter((filter) => !isSameWhat(filter.what, what));
      return add(what, others.length > 0 ? 'only' : 'show');
    },
    /** Removes one. Returns a function that restores it. */
    remove(id: number): () => void {
      const index = store.get().findIndex((filter) => filter.id === id);
      const removed = store.get()[index];
      if (!removed) return () => {};
      store.set(store.get().toSpliced(index, 1));
      return () => store.set(withAgain(removed, index, store.get()));
    },
    /** Switches all filters off, or the same ones back on. */
    toggleAll(): void {
      const on = store.get().filter((filter) => filter.on);
      const again = (id: number) => off.length === 0 || off.includes(id);
      store.set(store.get().map((filter) => ({ ...filter, on: on.length === 0 && again(filter.id) })));
      if (on.length > 0) off = on.map(({ id }) => id);
    },
    /** Shows lines that match any or all of the filters. Returns a function that restores the verbs. */
    matchBy(match: Match): () => void {
      const verb = match === 'any' ? 'show' : 'only';
      const before = store.get();
      const changed = showing(before);
      store.set(store.get().map((filter) => (changed.includes(filter) ? { ...filter, verb } : filter)));
      return () => store.set(withVerbs(before, store.get()));
    },
    /** Removes all. Returns a function that restores them. */
    clear(): () => void {
      const removed = store.get();
      store.set([]);
      return () => store.set(restored(removed, store.get()));
    },
  };
}

function levelFilters(filters: readonly Filter[], { add, remove }: ReturnType<typeof changesOf>) {
  const on = filters.filter((filter) => filter.on && filter.what.kind === 'level');
  const states: Partial<Record<Level, 'show' | 'hide'>> = {};
  for (const { what, verb } of on)
    if (what.kind === 'level') states[what.level] = verb === 'hide' ? 'hide' : 'show';
  return {
    states,
    toggle(level: Level, state: 'show' | 'hide') {
      const known = on.find(({ what }) => what.kind === 'level' && what.level === level);
      if (known && states[level] === state) remove(known.id);
      else add({ kind: 'level', level }, state);
    },
  };
}

const nothing = () => NOT_FILTERED;

/** Opens the current filter. The last one stays for a moment while it begins. */
function useOpenFilter(
  document: DocumentRef,
  filter: LineFilter | null,
): { passing: OpenFilter | null; snapshot: FilterSnapshot } {
  const connection = useConnection();
  const [shown, setShown] = useState<OpenFilter | null>(null);
  const current = useRef<OpenFilter | null>(null);
  const isFirst = useRef(true);
  const key = useMemo(() => filter && JSON.stringify([document, filter]), [document, filter]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the document and the filter are
  useEffect(() => {
    // Offline: keep the found lines until the host can be asked again.
    if (!connection) return;
    const next = filter && new OpenFilter(connection, document, filter);
    const show = () => {
      stop();
      if (current.current !== next) current.current?.close();
      current.current = next;
      setShown(next);
    };
    const last = current.current;
    const stopListening = next?.subscribe(() => {
      // Draw once, with its rows, as each letter of a pattern is another filter.
      if (!last || next.isReadyFor(last)) show();
    });
    const timer = setTimeout(() => show(), LAST_STAYS_MS);
    const stop = () => {
      stopListening?.();
      clearTimeout(timer);
    };
    if (!next || isFirst.current) show();
    isFirst.current = false;
    return () => {
      stop();
      if (current.current !== next) next?.close();
    };
  }, [connection, key]);
  useEffect(
    () => () => {
      current.current?.close();
      current.current = null;
    },
    [],
  );

  const snapshot = useSyncExternalStore(shown?.subscribe ?? noSubscription, shown?.snapshot ?? nothing);
  return { passing: shown, snapshot };
}
