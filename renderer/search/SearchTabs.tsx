/** The open searches as tabs, each with its colour and count. A click shows one. */

import type { SearchQuery } from '../../shared/search-query.ts';
import { formatCount } from '../../shared/text/format.ts';
import { ActionIcon } from '../actions/ActionMenu.tsx';
import { IconButton } from '../ui/controls/Button.tsx';
import styles from './SearchTabs.module.css';
import { searchActions } from './search-actions.ts';
import { queryOf } from './search-settings.ts';
import { colourOf, type SearchTab } from './search-tabs.ts';
import { useFoundState } from './TextRuler.tsx';
import type { Search } from './use-search.ts';

export function SearchTabs({ search }: { search: Search }) {
  const { tabs, at } = search.tabs;
  if (tabs.length < 2) return null;
  return (
    <nav className={styles.tabs} aria-label="Searches">
      <ul className={styles.list}>
        {tabs.map((tab, index) => (
          <Tab key={tab.id} tab={tab} index={index} isShown={index === at} search={search} />
        ))}
      </ul>
      <ActionIcon
        action={searchActions.keep}
        context={search}
        disabled={!searchActions.keep.when?.(search)}
      />
    </nav>
  );
}

interface TabProps {
  tab: SearchTab;
  index: number;
  isShown: boolean;
  search: Search;
}

function Tab({ tab, index, isShown, search }: TabProps) {
  const { settings } = tab;
  const query = queryOf(settings);
  const name = query === null ? 'New search' : words(query);
  return (
    <li
      className={isShown ? `${styles.tab} ${styles.shown}` : styles.tab}
      style={{ '--colour': colourOf(tab) } as React.CSSProperties}
      data-search-tab={index}
    >
      <button
        type="button"
        className={styles.choose}
        aria-current={isShown}
        title={name}
        onClick={() => search.showTab(index)}
      >
        <span className={styles.colour} aria-hidden="true" />
        <span className={styles.pattern}>{name}</span>
        {isShown ? (
          <Count count={search.active ? search.snapshot.total : null} />
        ) : (
          query && <OtherCount search={search} query={query} />
        )}
      </button>
      <IconButton
        icon="close"
        className={styles.close}
        label={`Close the search ${name}`}
        onClick={() => search.closeTab(index)}
      />
    </li>
  );
}

function OtherCount({ search, query }: { search: Search; query: SearchQuery }) {
  const { state } = useFoundState(search.document, query, search.filter);
  return <Count count={state?.match_count ?? null} />;
}

function Count({ count }: { count: number | null }) {
  return <span className={styles.count}>{count === null ? '' : formatCount(count)}</span>;
}

function words({ within = [], ...own }: SearchQuery): string {
  return [...within, own].map(({ invert, pattern }) => `${invert ? 'not ' : ''}${pattern}`).join(' › ');
}
