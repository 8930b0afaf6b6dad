/** Named sets of filters, searches and highlighters: kept here, used in any text, and shared as a file. */

import { type FormEvent, useRef, useState } from 'react';
import * as z from 'zod';
import { FilterVerb } from '../../shared/api/filters.ts';
import { Highlighters, MAX_WITHIN, SearchTerm } from '../../shared/search-query.ts';
import { plural } from '../../shared/text/format.ts';
import { LEVELS } from '../../shared/text/level-words.ts';
import { declareActions } from '../actions/action.ts';
import { usePaletteDestinations } from '../actions/palette-items.ts';
import { recordChange } from '../actions/undo.ts';
import { queryOf, type SearchSettings } from '../search/search-settings.ts';
import { MAX_TABS } from '../search/search-tabs.ts';
import { Button } from '../ui/controls/Button.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import { savedWords, saveText } from '../ui/state/page.ts';
import { jsonOf, persisted, useStore } from '../ui/state/store.ts';
import { highlighters, setHighlighters } from '../viewer/highlight/text-highlights.tsx';
import { ENTRIES, type Entries, type Filter } from './filter.ts';
import type { FilterContext } from './filter-actions.ts';
import styles from './SetsDialog.module.css';

/** Filters by text and level; those of spans of lines belong to one text. */
const What = z.discriminatedUnion('kind', [
  SearchTerm.omit({ invert: true }).extend({ kind: z.literal('text'), compares: z.literal(true).optional() }),
  z.object({ kind: z.literal('level'), level: z.enum(LEVELS) }),
]);

const NamedSet = z.object({
  name: z.string().trim().min(1).max(80),
  filters: z.array(z.object({ what: What, verb: FilterVerb, on: z.boolean() })).max(64),
  /** The unit of the filters. Files of earlier versions have none. */
  entries: z.enum(ENTRIES).default('lines'),
  searches: z
    .array(SearchTerm.extend({ pattern: z.string(), within: z.array(SearchTerm).max(MAX_WITHIN) }))
    .max(MAX_TABS),
  highlighters: Highlighters,
});
export type NamedSet = z.infer<typeof NamedSet>;

const MAX_SETS = 100;
const NamedSets = z.array(NamedSet).max(MAX_SETS);
const SetsFile = z.object({ spillway_sets: NamedSets });

/** In the order of their names. */
const namedSets = persisted<readonly NamedSet[]>(
  'spillway.sets',
  (text) => NamedSets.safeParse(jsonOf(text)).data ?? [],
  true,
);

/** Parses a file of sets; returns null for any other text. */
export function setsIn(text: string | null): NamedSet[] | null {
  const read = SetsFile.safeParse(jsonOf(text));
  return read.success ? read.data.spillway_sets : null;
}

export function fileOf(sets: readonly NamedSet[]): string {
  return `${JSON.stringify({ spillway_sets: sets }, null, 2)}\n`;
}

/** Adds sets; one replaces another of its name. */
export function withSets(known: readonly NamedSet[], added: readonly NamedSet[]): NamedSet[] {
  const others = known.filter(({ name }) => !added.some((each) => each.name === name));
  return [...others, ...added]
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    .slice(0, MAX_SETS);
}

/** Makes a set of the filters, searches and highlighters in use. */
export function setOf(
  name: string,
  filters: readonly Filter[],
  entries: Entries,
  searches: readonly SearchSettings[],
): NamedSet {
  return {
    ...{ name, entries },
    filters: filters.flatMap(({ what, verb, on }) => {
      const read = What.safeParse(what);
      return read.success ? [{ what: read.data, verb, on }] : [];
    }),
    searches: searches
      .filter((each) => queryOf(each) !== null)
      .map((each) => ({ ...each, within: [...each.within] })),
    highlighters: [...highlighters.get()],
  };
}

const ENTRY_WORDS = { whole: 'whole entries', first: 'first lines of entries' };

/** `2 filters, 1 search, 3 highlighters`. */
function partsOf({ filters, entries, searches, highlighters }: NamedSet): string {
  const marked = highlighters.filter(({ pattern }) => pattern !== '').length;
  const parts = [
    filters.length > 0 ? plural(filters.length, 'filter') : '',
    entries === 'lines' ? '' : ENTRY_WORDS[entries],
    searches.length > 0 ? plural(searches.length, 'search', 'searches') : '',
    marked > 0 ? plural(marked, 'highlighter') : '',
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

export interface SetsContext extends FilterContext {
  isOpen: boolean;
  setOpen: (open: boolean) => void;
}

export const setActions = declareActions<SetsContext>('Filter')({
  sets: {
    name: 'Sets of filters, searches and highlighters: keep, use, share',
    words: 'load import profile save',
    icon: 'save',
    keys: ['Alt+S'],
    run: ({ setOpen }) => setOpen(true),
  },
});

/** Uses a set in place of what there is, which can be undone. */
function useSet(context: FilterContext): (set: NamedSet) => void {
  const { filters, search, say } = context;
  return (set) => {
    const before = setOf(
      '',
      filters.filters,
      filters.entries,
      search.tabs.tabs.map(({ settings }) => settings),
    );
    const put = ({ filters: wanted, entries, searches, highlighters: colours }: NamedSet) => {
      filters.replace(wanted, entries);
      search.tabs.replace(searches);
      setHighlighters(colours);
    };
    put(set);
    say(
      `Uses “${set.name}”: ${partsOf(set)}`,
      recordChange(filters.key, () => put(before)),
    );
  };
}

export function useSetDestinations(context: FilterContext): void {
  const sets = useStore(namedSets);
  const use = useSet(context);
  usePaletteDestinations(() =>
    sets.map((set) => ({
      id: `set ${set.name}`,
      text: `Use the set ${set.name}`,
      detail: partsOf(set),
      kind: 'Filter',
      icon: 'filter',
      run: () => use(set),
    })),
  );
}

export function SetsDialog({ context }: { context: SetsContext }) {
  const { isOpen, setOpen } = context;
  return (
    <Dialog open={isOpen} onClose={() => setOpen(false)} title="Sets" wide>
      <p className={styles.hint}>
        A set has the filters and searches of this text, and the highlighters. It can be used in any text.
      </p>
      <Sets context={context} />
    </Dialog>
  );
}

function Sets({ context }: { context: SetsContext }) {
  const { filters, search, say, setOpen } = context;
  const sets = useStore(namedSets);
  const use = useSet(context);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);

  const keep = (event: FormEvent) => {
    event.preventDefault();
    const settings = search.tabs.tabs.map((tab) => tab.settings);
    const read = NamedSet.safeParse(setOf(name, filters.filters, filters.entries, settings));
    if (!read.success) return setProblem('Give it a name of at most 80 characters');
    namedSets.set(withSets(sets, [read.data]));
    setName('');
  };
  const take = async (files: FileList | null) => {
    for (const file of files ?? []) {
      const found = setsIn(await file.text());
      if (found === null) return setProblem(`${file.name} is no file of sets`);
      namedSets.set(withSets(namedSets.get(), found));
    }
  };
  const save = async (some: readonly NamedSet[], as: string) => {
    const words = savedWords(await saveText(`${as}.json`, [fileOf(some)], 'application/json'), `Saved ${as}`);
    if (words !== null) say(words);
  };

  return (
    <>
      <form className={styles.row} onSubmit={keep}>
        <Field
          label="Name of a new set"
          hideLabel
          placeholder="Name of a new set"
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setProblem(null);
          }}
        />
        <Button type="submit" tone="primary" disabled={name.trim() === ''}>
          Keep what is used now
        </Button>
      </form>
      <Problem text={problem} />
      <ul className={styles.list} aria-label="Sets">
        {sets.map((set) => (
          <li key={set.name} className={styles.item}>
            <span className={styles.name}>{set.name}</span>
            <span className={styles.parts}>{partsOf(set)}</span>
            <Button
              aria-label={`Use ${set.name}`}
              onClick={() => {
                setOpen(false);
                use(set);
              }}
            >
              Use
            </Button>
            <Button aria-label={`Save as a file: ${set.name}`} onClick={() => void save([set], set.name)}>
              Save as a file
            </Button>
            <Button
              icon="close"
              aria-label={`Remove ${set.name}`}
              onClick={() => {
                namedSets.set(sets.filter((each) => each !== set));
                const undo = () => namedSets.set(withSets(namedSets.get(), [set]));
                say(`Removed “${set.name}”`, recordChange(null, undo));
              }}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        multiple
        hidden
        aria-label="Files of sets"
        onChange={(event) => {
          setProblem(null);
          void take(event.target.files);
          event.target.value = '';
        }}
      />
      <div className={styles.row}>
        <Button icon="open" onClick={() => input.current?.click()}>
          Take from a file…
        </Button>
        {sets.length > 1 && <Button onClick={() => void save(sets, 'sets')}>Save all as a file</Button>}
      </div>
    </>
  );
}
