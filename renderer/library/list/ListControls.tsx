/** The controls above the list: the grouping, and whether to list everything, running or failed artifacts. */

import { agentName } from '../../../shared/agent-names.ts';
import { formatCount, plural } from '../../../shared/text/format.ts';
import { titleOf } from '../../actions/action.ts';
import { Button, IconButton } from '../../ui/controls/Button.tsx';
import { ChoiceMenu } from '../../ui/controls/ChoiceMenu.tsx';
import { listActions } from '../list-actions.ts';
import styles from './ListControls.module.css';
import type { GroupBy, Only } from './list-groups.ts';
import { chooseGrouping, clearChosen, type FilteredList, useChosen } from './list-settings.ts';

const GROUPINGS: ReadonlyArray<{ value: GroupBy; name: string; button: string }> = [
  { value: 'session', name: 'By session', button: 'By session' },
  { value: 'source', name: 'By source', button: 'By source' },
  { value: 'nothing', name: 'Without groups', button: 'No groups' },
];

const EVERYBODY = '';

export function ListControls({ listing }: { listing: FilteredList }) {
  const { layout, only, setOnly, agent, setAgent, found } = listing;
  const { groupBy } = layout;
  const { agents, running, failed } = found;
  const toggle = (state: Only) => setOnly(only === state ? 'all' : state);
  return (
    <div className={styles.controls}>
      <ChoiceMenu
        trigger={
          <Button
            tone="quiet"
            className={`${styles.control} ${styles.grouping}`}
            icon="group"
            title={titleOf(listActions.grouping)}
            aria-keyshortcuts={listActions.grouping.keys[0]}
          >
            {GROUPINGS.find(({ value }) => value === groupBy)?.button}
          </Button>
        }
        choices={GROUPINGS}
        chosen={groupBy}
        onChoose={chooseGrouping}
        align="start"
      />
      {agents.size > 0 && (
        <ChoiceMenu
          trigger={
            <Button
              tone="quiet"
              className={`${styles.control} ${styles.agents}`}
              title="List only what one agent ran"
              pressed={agent !== null}
            >
              {agent === null ? 'All agents' : agentName(agent).title}
            </Button>
          }
          choices={[
            { value: EVERYBODY, name: 'All, and your own' },
            ...[...agents].map((name) => ({ value: name, name: agentName(name).title })),
          ]}
          chosen={agent ?? EVERYBODY}
          onChoose={(name) => setAgent(name === EVERYBODY ? null : name)}
          align="start"
        />
      )}
      <span className={styles.gap} />
      {(running > 0 || only === 'running') && (
        <Button
          tone="quiet"
          className={`${styles.control} ${styles.count}`}
          icon="play"
          pressed={only === 'running'}
          title="List only what is running"
          onClick={() => toggle('running')}
        >
          {formatCount(running)} <span className={styles.word}>running</span>
        </Button>
      )}
      {(failed > 0 || only === 'failed') && (
        <Button
          tone="quiet"
          className={`${styles.control} ${styles.count}`}
          icon="cross"
          pressed={only === 'failed'}
          title="List only what failed"
          onClick={() => toggle('failed')}
        >
          {formatCount(failed)} <span className={styles.word}>failed</span>
        </Button>
      )}
    </div>
  );
}

/** Actions on the artifacts chosen in the list. */
interface ChosenBarProps {
  onMerge: (ids: readonly string[]) => void;
  onCompare: (ids: readonly string[]) => void;
}

export function ChosenBar({ onMerge, onCompare }: ChosenBarProps) {
  const chosen = useChosen();
  if (chosen.length === 0) return null;
  const take = (act: (ids: readonly string[]) => void) => {
    act(chosen);
    clearChosen();
  };
  return (
    <section className={styles.bar} aria-label="Chosen">
      <span className={styles.chosenBarCount} role="status">
        {chosen.length === 1 ? '1 chosen: choose another' : `${plural(chosen.length, 'item')} chosen`}
      </span>
      <Button
        disabled={chosen.length !== 2}
        title="Show two side by side, and what differs"
        onClick={() => take(onCompare)}
      >
        Compare
      </Button>
      <Button tone="primary" disabled={chosen.length < 2} onClick={() => take(onMerge)}>
        Merge by time
      </Button>
      <IconButton icon="close" label="Choose none" onClick={clearChosen} />
    </section>
  );
}
