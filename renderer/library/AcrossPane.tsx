/** Searches the text of all listed artifacts: a field, the progress, and the artifacts with their counts. */

import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FoundIn, MAX_ACROSS } from '../../shared/api/search.ts';
import { isMergedId } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { SearchQuery, SearchTerm } from '../../shared/search-query.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Button, IconButton } from '../ui/controls/Button.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { Icon } from '../ui/text/Icon.tsx';
import { MiddleText } from '../ui/text/MiddleText.tsx';
import styles from './AcrossPane.module.css';
import { folderOf, kindOf, nameOf } from './artifact-facts.ts';
import type { LibraryStore } from './library-store.ts';
import type { FilteredList } from './list/list-settings.ts';
import { type ListContext, listActions } from './list-actions.ts';

/** Most artifacts to show; a filter of the list, or another word, finds the rest. */
const MAX_SHOWN = 500;

const NO_TERM: SearchTerm = { pattern: '', fixed: false, case_sensitive: false, invert: false };

export function AcrossPane({ list, listing }: { list: ListContext; listing: FilteredList }) {
  const { library, filter, setAcross } = list;
  const { found, only, agent, query: typed } = listing;
  const [term, setTerm] = useState(NO_TERM);
  const query = term.pattern === '' ? null : term;
  const ids = () =>
    found.groups.flatMap(({ entries }) => entries.map(({ id }) => id).filter((id) => !isMergedId(id)));
  const { state, cancel, again } = useAcross(query, ids, `${only} ${agent} ${typed}`);
  const pane = useRef<HTMLElement>(null);
  const close = () => {
    setAcross(false);
    filter.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      flushSync(() => setAcross(false));
      if (!list.leave()) filter.current?.focus();
    } else if (!moveFocus(pane.current, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section ref={pane} className={styles.across} aria-label={listActions.across.label} onKeyDown={onKeyDown}>
      <div className={styles.bar}>
        <Field
          ref={list.across}
          className={styles.field}
          type="search"
          label="Pattern to search for everywhere"
          hideLabel
          placeholder={term.fixed ? 'Search everywhere: plain text' : 'Search everywhere: an expression'}
          value={term.pattern}
          onChange={(event) => setTerm({ ...term, pattern: event.target.value })}
        />
        <Button
          pressed={term.case_sensitive}
          title="Match case everywhere"
          aria-label="Match case everywhere"
          onClick={() => setTerm({ ...term, case_sensitive: !term.case_sensitive })}
        >
          Aa
        </Button>
        <Button
          pressed={!term.fixed}
          title="Regular expression everywhere"
          aria-label="Regular expression everywhere"
          onClick={() => setTerm({ ...term, fixed: !term.fixed })}
        >
          .*
        </Button>
        <IconButton icon="close" label="Back to the list" shortcut="Esc" onClick={close} />
      </div>
      {query && (
        <>
          <div className={styles.state}>
            <span role="status" data-across="state">
              {state.problem ?? acrossWords(state)}
            </span>
            {state.step === 'searching' && state.total > 0 && <Button onClick={cancel}>Cancel</Button>}
            {state.step !== 'searching' && <Button onClick={again}>Search again</Button>}
          </div>
          <Found state={state} library={library} onOpen={(id) => list.openSearch(id, query)} />
        </>
      )}
      {!query && (
        <p className={styles.note}>
          Every artifact of the list is searched, in the stream it opens with. The filter above narrows the
          list.
        </p>
      )}
    </section>
  );
}

/** Moves between the field and the results; returns false for other keys. */
function moveFocus(pane: HTMLElement | null, { key, target }: KeyboardEvent): boolean {
  const field = pane?.querySelector('input') ?? null;
  const items = [...(pane?.querySelectorAll<HTMLElement>('li > button') ?? [])];
  const at = items.indexOf(target as HTMLElement);
  if (at < 0 && target !== field) return false;
  // Enter on an artifact opens it, as a click does.
  const isDown = key === 'ArrowDown' || (key === 'Enter' && at < 0);
  if (!isDown && (key !== 'ArrowUp' || at < 0)) return false;
  const next = isDown ? (items[at + 1] ?? items[at]) : (items[at - 1] ?? field);
  next?.focus();
  return true;
}

interface FoundProps {
  state: AcrossState;
  library: LibraryStore;
  onOpen: (artifactId: string) => void;
}

function Found({ state, library, onOpen }: FoundProps) {
  // Keep the order of the list.
  const entries = library.sorted.filter(({ id }) => state.found.has(id));
  return (
    <ol className={styles.list} aria-label="Artifacts with matches">
      {entries.slice(0, MAX_SHOWN).map(({ id, artifact }) => {
        const { match_count: count, done } = state.found.get(id)!;
        return (
          <li key={id}>
            <button type="button" className={styles.item} onClick={() => onOpen(id)}>
              <span className={styles.kind}>
                <Icon name={kindOf(artifact).icon} />
              </span>
              <span className={styles.name}>
                <MiddleText text={nameOf(artifact)} />
              </span>
              <span className={styles.count}>
                {formatCount(count)}
                {done ? '' : ' …'}
                <span className="visually-hidden"> matching lines</span>
              </span>
              <span className={styles.folder}>{folderOf(artifact)}</span>
            </button>
          </li>
        );
      })}
      {entries.length > MAX_SHOWN && (
        <li className={styles.note}>
          The first {formatCount(MAX_SHOWN)} are shown. Filter the list for fewer.
        </li>
      )}
    </ol>
  );
}

/** Runs one search through the listed artifacts, and returns its counts so far. */
interface AcrossState {
  /** By artifact id, without artifacts that have no match. */
  found: ReadonlyMap<string, FoundIn>;
  searched: number;
  unreadable: number;
  /** Artifacts to search. */
  total: number;
  step: 'searching' | 'done' | 'cancelled';
  problem: string | null;
}

/** Milliseconds without typing before a search begins. */
const TYPING_PAUSE_MS = 200;

/**
 * @param query null to search nothing
 * @param ids returns the listed artifacts; called when a search begins
 * @param question a change starts the search again
 */
function useAcross(query: SearchQuery | null, ids: () => readonly string[], question: string) {
  const connection = useConnection();
  const [state, setState] = useState<AcrossState>(NOTHING);
  const [round, setRound] = useState(0);
  const stop = useRef(() => {});
  const key = query && JSON.stringify([query, question, round]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is searched for, and where
  useEffect(() => {
    if (!connection || !query) return;
    const begin = () => {
      const wanted = ids().slice(0, MAX_ACROSS);
      setState({ ...NOTHING, total: wanted.length, step: 'searching' });
      stop.current = connection.subscribe(
        'search_across',
        { query, artifact_ids: [...wanted] },
        ({ found, searched, unreadable, done }) =>
          setState((last) => {
            const all = new Map(last.found);
            for (const each of found) all.set(each.artifact_id, each);
            return { ...last, found: all, searched, unreadable, step: done ? 'done' : 'searching' };
          }),
        (error) => setState((last) => ({ ...last, step: 'done', problem: toSpillwayError(error).message })),
      );
    };
    const timer = setTimeout(begin, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.current();
      stop.current = () => {};
    };
  }, [connection, key]);

  const cancel = useCallback(() => {
    stop.current();
    setState((last) => ({ ...last, step: 'cancelled' }));
  }, []);
  const again = useCallback(() => setRound((last) => last + 1), []);
  return { state, cancel, again };
}

const NOTHING: AcrossState = {
  found: new Map(),
  searched: 0,
  unreadable: 0,
  total: 0,
  step: 'searching',
  problem: null,
};

/** Returns the state in words. An artifact counts as found before all of it is searched. */
export function acrossWords({ found, searched, unreadable, total, step }: AcrossState): string {
  if (total === 0) return step === 'searching' ? '' : 'Nothing is listed';
  let lines = 0;
  for (const { match_count } of found.values()) lines += match_count;
  const matches = `${plural(lines, 'matching line')} in ${formatCount(found.size)} of ${plural(total, 'item')}`;
  const rest = restWords(step, total - searched);
  const unread = unreadable > 0 ? `; ${formatCount(unreadable)} binary or not readable` : '';
  const capped = total === MAX_ACROSS ? `; only the first ${formatCount(MAX_ACROSS)}` : '';
  return `${matches}${rest}${unread}${capped}`;
}

function restWords(step: AcrossState['step'], left: number): string {
  if (step === 'searching') return `, ${formatCount(left)} to go`;
  return left > 0 ? `, ${formatCount(left)} not searched` : '';
}
