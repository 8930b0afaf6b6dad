/** The results below the text: the count, the choice of context, the list; or why it is empty. */
import { type KeyboardEvent, useId } from 'react';
import { MAX_RESULT_CONTEXT } from '../../../shared/limits.ts';
import { ActionIcon } from '../../actions/ActionMenu.tsx';
import { runByKey } from '../../actions/registry.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Button, IconButton } from '../../ui/controls/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/layout/Message.tsx';
import { Splitter } from '../../ui/layout/Pane.tsx';
import { useAfter } from '../../ui/state/time.ts';
import { Icon } from '../../ui/text/Icon.tsx';
import { barActions, contextActions, searchActions } from '../search-actions.ts';
import { countWords, isSearching, nothingFound, warnings } from '../search-words.ts';
import type { Search } from '../use-search.ts';
import { ResultList, type ResultListProps } from './ResultList.tsx';
import styles from './ResultsPane.module.css';
import { RESULTS_MAX_PX, RESULTS_MIN_PX } from './use-results-layout.ts';

interface ResultsPaneProps {
  search: Search;
  onReadOn: ResultListProps['onReadOn'];
}

export function ResultsPane({ search, onReadOn }: ResultsPaneProps) {
  const { layout, changeLayout, snapshot, current } = search;
  const list = useId();
  // Only the host knows what is around a match.
  const offline = useConnection() === null;
  if (!search.active || !search.search) return null;
  const { folded, height, context } = layout;
  const fold = () => changeLayout({ folded: !folded });
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
          <IconButton
            icon={folded ? 'up' : 'down'}
            label={folded ? 'Unfold the results' : 'Fold the results'}
            shortcut={searchActions.results.keys[0]!}
            aria-expanded={!folded}
            aria-controls={list}
            onClick={fold}
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
        </header>
        {warnings(snapshot).map((text) => (
          <p key={text} className={styles.warning} role="status">
            <Icon name="warn" />
            {text}
          </p>
        ))}
        {/* What stands there in place of results may scroll in a small window, so keys must reach it. */}
        <div
          id={list}
          className={styles.list}
          hidden={folded}
          {...(search.snapshot.total === 0 && { role: 'group', 'aria-label': 'No results', tabIndex: 0 })}
        >
          {!folded && <Found search={search} onReadOn={onReadOn} />}
        </div>
      </section>
    </>
  );
}

function Found({ search, onReadOn }: ResultsPaneProps) {
  const { snapshot } = search;
  const searching = isSearching(snapshot);
  const waited = useAfter(150, searching && snapshot.total === 0);
  if (snapshot.total > 0) return <ResultList search={search} onReadOn={onReadOn} />;
  const { error } = snapshot;
  if (error) return <ErrorState error={error} alert={error.code !== 'usage'} />;
  if (searching) return waited ? <p className={styles.quiet}>Searching… nothing found so far</p> : null;
  if (snapshot.cancelled) return <p className={styles.quiet}>Cancelled before anything was found</p>;
  return (
    <EmptyState icon="search" title={search.search ? nothingFound(search.search.query) : ''}>
      <p>{hint(search)}</p>
      {search.filter && <p>Lines that are filtered out are not searched.</p>}
    </EmptyState>
  );
}

/** The switch that is the likeliest to be in the way. */
function hint({ settings }: Search): string {
  const { caseSensitive, invert, regex } = barActions;
  if (settings.case_sensitive)
    return `The search distinguishes upper and lower case: ${caseSensitive.keys[0]} in the field turns that off.`;
  if (settings.invert)
    return `Only lines that do not match are listed: ${invert.keys[0]} in the field ends that.`;
  if (!settings.fixed && /[\\^$.*+?()[\]{}|]/.test(settings.pattern)) {
    return `The pattern is a regular expression: ${regex.keys[0]} in the field takes it as plain text.`;
  }
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
