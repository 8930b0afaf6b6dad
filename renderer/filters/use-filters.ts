/** Holds the filters of one artifact, and the lines of a stream that pass them. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { FilterVerb, LineFilter, LineSpan, RuleState } from '../../shared/api/filters.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { Level } from '../../shared/text/level-words.ts';
import { endPart, recordChange } from '../actions/undo.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { noSubscription, type Store, useStore } from '../ui/state/store.ts';
import {
  ALL_PASS,
  asRead,
  type Entries,
  entriesOf,
  type Filter,
  type FilterWhat,
  filtersOf,
  foldsOf,
  isByText,
  isDraft,
  isSameWhat,
  lineFilterOf,
  type Run,
  repeatsOf,
  showing,
  withFolds,
  withRepeats,
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
  const entries = useStore(entriesOf(key))[0] ?? 'lines';
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
  /** Changes folds, which can be undone. */
  const setFolds = <T>(store: Store<readonly T[]>, next: readonly T[]): void => {
    const before = store.get();
    store.set(next);
    recordChange(key, () => store.set(before));
  };
  const unfold = (next: readonly Run[]) => setFolds(repeatStore, [{ unfolded: next.slice(-MOST_FOLDS) }]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: both have other lines with another snapshot
  const runOf = useCallback(
    (line: number) => (passing && unfolded.passing ? runIn(passing, unfolded.passing, line) : null),
    [passing, snapshot, unfolded.passing, unfolded.snapshot],
  );
  /** The filter being edited. */
  const [edited, setEdited] = useState<number | null>(null);
  const changes = useMemo(() => changesOf(key), [key]);
  const levels = useMemo(() => levelFilters(filters, changes), [filters, changes]);
  const rules = snapshot.state?.rules;
  const ruleOf = (id: number): RuleState | null => {
    const at = asked?.ids.indexOf(id) ?? -1;
    return at < 0 ? null : (rules?.[at] ?? null);
  };
  // `passing` is null if every line is shown.
  return {
    ...changes,
    key,
    /** Without folded sections: these are searched, too. */
    filter: asked?.filter ?? null,
    folds,
    /** Whether filters choose lines, so that no section is folded. */
    seesThrough,
    fold: (next: readonly LineSpan[]) => setFolds(foldStore, next.slice(-MOST_FOLDS)),
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
    headingOf(line: number): number {
      const around = folds
        .filter(({ first, last }) => line > first && line <= last)
        .map(({ first }) => first);
      if (around.length > 0) return Math.min(...around);
      return repeats && !passing?.has(line) ? (runOf(line)?.first ?? line) : line;
    },
    repeats,
    /** The lines that are folded into one that is shown, and that one; null for a line without such. */
    runOf,
    /** Changes which runs of repeats are unfolded. */
    unfold,
    toggleRepeats: () => setFolds(repeatStore, repeats ? [] : [{ unfolded: [] }]),
    entries,
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

/** While a filter is edited, its changes are undone as one. */
const partOf = (id: number) => `filter ${id}`;

/** The changes that a person makes to the filters of an artifact. Each can be undone. */
export function changesOf(key: string) {
  const store = filtersOf(key);
  const entryStore = entriesOf(key);
  /** The filters that were on when all were switched off. */
  let off: readonly number[] = [];

  /** Returns a function that takes the change back, for the message that reports it. */
  const set = (next: readonly Filter[], part: string | null = null): (() => void) => {
    const before = store.get();
    store.set(next);
    return recordChange(key, () => store.set(before), part);
  };
  const change = (id: number, part: Partial<Filter>, isEditing = false) =>
    set(
      store.get().map((filter) => (filter.id === id ? { ...filter, ...part } : filter)),
      isEditing ? partOf(id) : null,
    );

  /** Adds a filter, or switches on an equal one. Returns its id. */
  const add = (what: FilterWhat, verb: FilterVerb, others = store.get()): number => {
    const known = others.find((filter) => isSameWhat(filter.what, what));
    const id = known?.id ?? Math.max(0, ...others.map((filter) => filter.id)) + 1;
    const added = { id, what, verb, on: true };
    if (known) set(others.map((filter) => (filter === known ? added : filter)));
    else set([...others, added], partOf(id));
    return id;
  };

  return {
    change,
    add,
    /** Puts others in their place; the caller offers to undo it. */
    replace(next: readonly Omit<Filter, 'id'>[], entries: Entries): void {
      store.set(next.map((filter, index) => ({ ...filter, id: index + 1 })));
      entryStore.set(entries === 'lines' ? [] : [entries]);
    },
    /** Chooses the unit of the filters. */
    chooseEntries(next: Entries): void {
      const before = entryStore.get();
      if (next === (before[0] ?? 'lines')) return;
      entryStore.set(next === 'lines' ? [] : [next]);
      recordChange(key, () => entryStore.set(before));
    },
    /** Adds a filter that narrows the shown lines. */
    narrow(what: FilterWhat): number {
      const others = showing(store.get()).filter((filter) => !isSameWhat(filter.what, what));
      return add(what, others.length > 0 ? 'only' : 'show');
    },
    /** `show`: a line matches this filter or another that it may match instead; `only`: it matches this one, too. */
    combine(id: number, verb: FilterVerb): void {
      const first = asRead(store.get().filter((filter) => filter.id !== id))[0];
      const joined =
        verb === 'show' && first?.verb === 'only' && isByText(first.what) ? [id, first.id] : [id];
      set(
        store.get().map((filter) => (joined.includes(filter.id) ? { ...filter, verb } : filter)),
        partOf(id),
      );
    },
    /** Shows lines of one more level, among those that the other filters show. */
    showLevel(level: Level): void {
      const isText = ({ what, verb }: Filter) => verb === 'show' && what.kind !== 'level';
      const before = store.get();
      const [text, ...more] = showing(before).filter(isText);
      // Lines need to match only one of several texts: then a level could not be one of several, too.
      const isOne = more.length === 0;
      const others = before.map((one) => (isOne && one === text ? { ...one, verb: 'only' as const } : one));
      add({ kind: 'level', level }, isOne ? 'show' : 'only', others);
    },
    remove: (id: number) => set(store.get().filter((filter) => filter.id !== id)),
    /** Ends the editing of a filter, and removes it if it has no text. */
    endEdit(id: number): void {
      const draft = store.get().find((filter) => filter.id === id && isDraft(filter));
      endPart(key, partOf(id), draft !== undefined);
      if (draft) store.set(store.get().filter((filter) => filter !== draft));
    },
    /** Switches all filters off, or the same ones back on. */
    toggleAll(): void {
      const on = store.get().filter((filter) => filter.on);
      const again = (id: number) => off.length === 0 || off.includes(id);
      set(store.get().map((filter) => ({ ...filter, on: on.length === 0 && again(filter.id) })));
      if (on.length > 0) off = on.map(({ id }) => id);
    },
    /** Removes the filters, and shows lines rather than entries. */
    clear(): () => void {
      const [filters, entries] = [store.get(), entryStore.get()];
      store.set([]);
      entryStore.set([]);
      return recordChange(key, () => {
        store.set(filters);
        entryStore.set(entries);
      });
    },
  };
}

function levelFilters(filters: readonly Filter[], { add, remove, showLevel }: ReturnType<typeof changesOf>) {
  const on = filters.filter((filter) => filter.on && filter.what.kind === 'level');
  const states: Partial<Record<Level, 'show' | 'hide'>> = {};
  for (const { what, verb } of on)
    if (what.kind === 'level') states[what.level] = verb === 'hide' ? 'hide' : 'show';
  return {
    states,
    toggle(level: Level, state: 'show' | 'hide') {
      const known = on.find(({ what }) => what.kind === 'level' && what.level === level);
      if (known && states[level] === state) remove(known.id);
      else if (state === 'hide') add({ kind: 'level', level }, state);
      else showLevel(level);
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
