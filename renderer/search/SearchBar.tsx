/** The line above the text to search with: the pattern, how it is meant, how many lines match, the next and the last. */
import { type KeyboardEvent, useRef } from 'react';
import type { SpillwayError } from '../../shared/errors.ts';
import { keyOf } from '../commands/shortcuts.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { sentence } from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { useAfter } from '../ui/time-hooks.ts';
import { readHistory, stepInHistory } from './history.ts';
import styles from './SearchBar.module.css';
import { countWords, isSearching, progressWords } from './search-words.ts';
import type { Search } from './use-search.ts';

const SWITCHES = [
  { name: 'caseSensitive', sign: 'Aa', label: 'Match case', key: 'Alt+C' },
  { name: 'regex', sign: '.*', label: 'Regular expression', key: 'Alt+R' },
  { name: 'invert', sign: 'not', label: 'Lines that do not match', key: 'Alt+I' },
] as const;

export function SearchBar({ search }: { search: Search }) {
  const { settings, snapshot, problem, at, active } = search;
  const browse = useHistory(search);
  const searching = active && search.search !== null && isSearching(snapshot);
  const slow = useAfter(1000, searching);
  const found = snapshot.total > 0;

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const flip = event.altKey && SWITCHES.find(({ key }) => event.code === `Key${key.at(-1)}`);
    if (flip) search.edit({ [flip.name]: !settings[flip.name] });
    else if (event.altKey || event.ctrlKey || event.metaKey) return;
    else if (event.key === 'Escape') search.closeField();
    else if (event.target !== search.field.current) return;
    else if (event.key === 'Enter') search.step(event.shiftKey ? 'previous' : 'next');
    else if (event.key === 'ArrowUp') browse(1);
    else if (event.key === 'ArrowDown') browse(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <search className={styles.bar} aria-label="Search the text" onKeyDown={onKeyDown}>
      <span className={styles.icon}>
        <Icon name="search" />
      </span>
      <Field
        ref={search.field}
        className={styles.field}
        label="Pattern"
        hideLabel
        placeholder={settings.regex ? 'Find lines: a regular expression' : 'Find lines: plain text'}
        value={settings.pattern}
        problem={problem ? sentence(inWindow(problem)) : null}
        onChange={(event) => search.edit({ pattern: event.target.value })}
      />
      <fieldset className={styles.switches}>
        <legend className="visually-hidden">How the pattern is meant</legend>
        {SWITCHES.map(({ name, sign, label, key }) => (
          <Button
            key={name}
            className={styles.switch}
            pressed={settings[name]}
            title={`${label} (${key})`}
            onClick={() => search.edit({ [name]: !settings[name] })}
          >
            <span aria-hidden="true">{sign}</span>
            <span className="visually-hidden">{label}</span>
          </Button>
        ))}
      </fieldset>
      <span className={styles.steps}>
        <Button
          icon="up"
          iconOnly
          label="Previous match"
          shortcut={keyOf('previousMatch')}
          title="Previous match (Shift+Enter here, N in the text)"
          disabled={!found}
          onClick={() => search.step('previous')}
        />
        <Button
          icon="down"
          iconOnly
          label="Next match"
          shortcut={keyOf('nextMatch')}
          title="Next match (Enter here, n in the text)"
          disabled={!found}
          onClick={() => search.step('next')}
        />
      </span>
      <span className={styles.count} role="status" data-search="count">
        {active && !problem ? countWords(snapshot, at?.index ?? null) : null}
      </span>
      {slow && (
        <span className={styles.progress}>
          <progress
            className={styles.meter}
            aria-label="Searched"
            value={snapshot.state?.searched_bytes ?? 0}
            max={Math.max(1, snapshot.state?.total_bytes ?? 1)}
          />
          <span data-search="progress">{progressWords(snapshot)}</span>
          <Button
            onClick={() => {
              search.search?.cancel();
              search.field.current?.focus();
            }}
          >
            Cancel
          </Button>
        </span>
      )}
      {active && search.search && (snapshot.cancelled || snapshot.error) && !problem && (
        <Button
          onClick={() => {
            search.search?.resume();
            search.field.current?.focus();
          }}
        >
          {snapshot.cancelled ? 'Search the rest' : 'Try again'}
        </Button>
      )}
      <Button
        tone="quiet"
        icon="close"
        iconOnly
        label="End the search"
        title="End the search (Esc closes this line, and once more the results)"
        onClick={search.end}
      />
    </search>
  );
}

/** The host's advice names the options of a command; here they are switches. */
function inWindow({ what, todo }: SpillwayError): string {
  return `${what}: ${todo.replace('search for it as plain text with fixed', 'take it as plain text (Alt+R)')}`;
}

/** The patterns used last, from an empty field upwards; what is typed is one's own again. */
function useHistory({ settings, edit }: Search): (by: 1 | -1) => void {
  const place = useRef({ at: -1, shown: '' });
  return (by) => {
    const browsing = place.current.shown === settings.pattern;
    if (!browsing && settings.pattern !== '') return;
    const patterns = readHistory();
    const at = stepInHistory(patterns, browsing ? place.current.at : -1, by);
    if (at === null) return;
    const shown = patterns[at] ?? '';
    place.current = { at, shown };
    edit({ pattern: shown });
  };
}
