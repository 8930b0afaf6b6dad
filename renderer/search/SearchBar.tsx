/** The search bar above the text: pattern, switches, count, and steps from match to match. */

import { type KeyboardEvent, useRef } from 'react';
import type { SpillwayError } from '../../shared/errors.ts';
import type { SearchQuery, SearchTerm } from '../../shared/search-query.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { ActionButton } from '../actions/ActionMenu.tsx';
import { titleOf } from '../actions/action.ts';
import { runByKey } from '../actions/registry.ts';
import { Button, ButtonGroup, IconButton, OneStop } from '../ui/controls/Button.tsx';
import { ChoiceMenu } from '../ui/controls/ChoiceMenu.tsx';
import { Field, Meter } from '../ui/controls/Field.tsx';
import { useAfter } from '../ui/state/time.ts';
import { formatPercent, sentence } from '../ui/text/format.ts';
import type { SearchSnapshot } from './open-search.ts';
import styles from './SearchBar.module.css';
import { barActions, fieldActions, searchActions } from './search-actions.ts';
import type { Search } from './use-search.ts';
import { readHistory, stepInHistory, useEarlierSearches } from './use-search-bar.ts';

export function SearchBar({ search }: { search: Search }) {
  const { settings, snapshot, problem, current, active } = search;
  const browse = useHistory(search);
  const searching = active && search.search !== null && isSearching(snapshot);
  const slow = useAfter(1000, searching);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (runByKey(besideActions, search, event) || runByKey(barActions, search, event)) return;
    if (event.target !== search.field.current) return;
    runByKey(fieldActions, { ...search, browse }, event);
  };

  return (
    <search className={styles.bar} aria-label="Search the text" onKeyDown={onKeyDown}>
      <EarlierSearches search={search} />
      <Within search={search} />
      <Field
        ref={search.field}
        className={styles.field}
        code
        label="Pattern"
        hideLabel
        placeholder={settings.fixed ? 'Find lines: plain text' : 'Find lines: a regular expression'}
        value={settings.pattern}
        problem={problem ? patternProblem(problem, settings) : null}
        onChange={(event) => search.type(event.target.value)}
      />
      <OneStop label="Search">
        <ButtonGroup legend="Pattern options">
          {[barActions.caseSensitive, barActions.word, barActions.regex, barActions.invert].map((action) => (
            <Button
              key={action.name}
              className={styles.switch}
              pressed={action.isOn?.(search) ?? false}
              title={titleOf(action)}
              // Keeps the focus in the field, where Enter goes to a match.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => action.run(search, null)}
            >
              <span aria-hidden="true">{action.label}</span>
              <span className="visually-hidden">{action.name}</span>
            </Button>
          ))}
        </ButtonGroup>
        <Steps search={search} />
        <span className={styles.count} role="status" data-search="count">
          {active && !problem ? countWords(snapshot, current?.index ?? null) : null}
        </span>
        {slow && <Progress search={search} />}
        {active && search.search && (snapshot.cancelled || snapshot.error) && !problem && (
          <Button
            onClick={() => {
              search.search?.retry();
              search.field.current?.focus();
            }}
          >
            {snapshot.cancelled ? 'Search the rest' : 'Try again'}
          </Button>
        )}
        <IconButton
          className={styles.end}
          icon="close"
          label="End the search"
          title="End the search (Esc closes this bar; Esc again, the results)"
          onClick={search.end}
        />
      </OneStop>
    </search>
  );
}

/** The magnifier opens the earlier searches; choosing one searches again, with its switches. */
function EarlierSearches({ search }: { search: Search }) {
  const earlier = useEarlierSearches();
  const { pattern } = search.settings;
  const name = earlier.length > 0 ? 'Earlier searches' : 'No earlier searches';
  return (
    <ChoiceMenu
      trigger={
        <IconButton
          icon="search"
          className={styles.icon}
          label={name}
          title={name}
          disabled={earlier.length === 0}
        />
      }
      choices={earlier.map((each) => ({ value: each.pattern, name: searchWords(each) }))}
      chosen={pattern}
      onChoose={(chosen) => {
        const found = earlier.find((each) => each.pattern === chosen);
        if (found) search.edit({ word: undefined, ...found });
      }}
      align="start"
    />
  );
}

/** `worker.*  Aa not`: the pattern, and the switches that are not as they are at first. */
function searchWords({ pattern, fixed, case_sensitive, word, invert }: SearchTerm): string {
  const { caseSensitive, word: wholeWord, invert: not } = barActions;
  const switches = [
    case_sensitive ? caseSensitive.label : '',
    word ? wholeWord.label : '',
    fixed ? 'plain' : '',
    invert ? not.label : '',
  ].filter(Boolean);
  return [pattern, ...switches].join('  ');
}

function Steps({ search }: { search: Search }) {
  const found = search.snapshot.total > 0;
  return (
    <span className={styles.steps}>
      <ActionButton
        iconOnly
        action={searchActions.previousMatch}
        context={search}
        title={stepTitle('previousMatch')}
        disabled={!found}
      />
      <ActionButton
        iconOnly
        action={searchActions.nextMatch}
        context={search}
        title={stepTitle('nextMatch')}
        disabled={!found}
      />
    </span>
  );
}

function Progress({ search }: { search: Search }) {
  const { snapshot } = search;
  return (
    <span className={styles.progress}>
      <Meter
        className={styles.meter}
        label="Searched"
        bytes={snapshot.state?.searched_bytes ?? 0}
        ofBytes={snapshot.state?.total_bytes ?? 0}
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
  );
}

/** Returns `Next match (Enter here, n in the text)`: the field has another key for it. */
function stepTitle(step: 'nextMatch' | 'previousMatch'): string {
  const { label: name, keys } = searchActions[step];
  const [next, previous] = fieldActions.step.keys;
  return `${name} (${step === 'nextMatch' ? next : previous} here, ${keys[0]} in the text)`;
}

/** Actions whose keys work in the field as in the text. */
const besideActions = {
  keep: searchActions.keep,
  narrow: searchActions.narrow,
  nextSearch: searchActions.nextSearch,
};

/** Shows the searches that this one is limited to as chips, each with a button that removes it. */
function Within({ search }: { search: Search }) {
  const { within } = search.settings;
  return within.map((term, index) => (
    <span
      key={`${term.invert} ${term.pattern}`}
      className={styles.within}
      title={`Within the lines ${term.invert ? 'without' : 'with'} ${term.pattern}`}
    >
      <span className={styles.term}>
        {term.invert ? 'not ' : ''}
        {term.pattern}
      </span>
      <IconButton
        icon="close"
        className={styles.remove}
        label={`Search not only within ${term.pattern}`}
        onClick={() => search.edit({ within: within.filter((_, i) => i !== index) })}
      />
    </span>
  ));
}

/** Steps through earlier patterns; typing leaves the history. */
function useHistory({ settings, edit }: Search): (by: 1 | -1) => void {
  const place = useRef({ at: -1, shown: '' });
  return (by) => {
    const browsing = place.current.shown === settings.pattern;
    if (!browsing && settings.pattern !== '') return;
    const earlier = readHistory();
    const at = stepInHistory(earlier, browsing ? place.current.at : -1, by);
    if (at === null) return;
    const { pattern, ...switches } = earlier[at] ?? { pattern: '' };
    place.current = { at, shown: pattern };
    edit({ word: undefined, ...switches, pattern });
  };
}

// Words for a search: how many lines matched, its progress, its warnings.

/** Returns `3 of 1,234`, `1,234 matching lines`, `No matching line`, `Cancelled`; null while unknown. */
export function countWords(snapshot: SearchSnapshot, index: number | null): string | null {
  const { state, error, cancelled, total } = snapshot;
  if (error && total === 0) return 'Not searched';
  if (!state) return cancelled ? 'Cancelled' : null;
  if (index !== null) return `${formatCount(index + 1)} of ${formatCount(total)}${soFar(snapshot)}`;
  if (total === 0) {
    if (isSearching(snapshot) || (cancelled && !state.done)) return 'None found so far';
    return state.timed_out ? 'None found in what was searched' : 'No matching line';
  }
  return `${plural(total, 'matching line')}${soFar(snapshot)}`;
}

/** `No line matches “a”`, or `No line found by “b” › not “c” matches “a”` for a search within others. */
export function nothingFound({ pattern, invert, word, within = [] }: SearchQuery): string {
  const others = within.map((term) => `${term.invert ? 'not ' : ''}“${term.pattern}”`).join(' › ');
  const lines = others === '' ? 'line' : `line found by ${others}`;
  return `${invert ? 'Every' : 'No'} ${lines} matches “${pattern}”${word ? ' as a whole word' : ''}`;
}

function soFar(snapshot: SearchSnapshot): string {
  return isSearching(snapshot) || (snapshot.cancelled && snapshot.state?.done === false) ? ' so far' : '';
}

export function isSearching({ state, error, cancelled, caughtUp }: SearchSnapshot): boolean {
  return !cancelled && error === null && (state === null || (!state.done && !caughtUp));
}

function progressWords({ state }: SearchSnapshot): string {
  return state ? formatPercent(state.searched_bytes, state.total_bytes) : '0 %';
}

/** Warnings that the count alone would hide. */
export function warnings({ state, cancelled }: SearchSnapshot): string[] {
  if (!state) return [];
  return [
    ...(state.timed_out
      ? [
          'Timed out: the pattern took too long on part of the text, and that part was skipped. Simplify the pattern.',
        ]
      : []),
    ...(cancelled && !state.done
      ? [`Cancelled at ${formatPercent(state.searched_bytes, state.total_bytes)}: the rest was not searched.`]
      : []),
    ...(state.in_parts
      ? ['Lines over 4 MiB were searched in overlapping parts: a longer match may be missed.']
      : []),
  ];
}

/** `Not a valid regular expression: unterminated group. Alt+R searches for it as plain text.` */
function patternProblem({ what }: SpillwayError, { fixed }: { fixed: boolean }): string {
  if (fixed) return sentence(what);
  // The field shows the pattern; give only the reason.
  const why = /is not a valid pattern, (.*)$/s.exec(what)?.[1];
  if (why === undefined) return sentence(what);
  return `Not a valid regular expression: ${sentence(why.replace(/^because /, '')).replace(/^./, (first) => first.toLowerCase())} ${barActions.regex.keys[0]} searches for it as plain text.`;
}
