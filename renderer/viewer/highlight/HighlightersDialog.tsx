/** The ten highlighters: their patterns and names, and which are on. */

import { useContext, useSyncExternalStore } from 'react';
import { FREE } from '../../../shared/search-query.ts';
import { Button, IconButton } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Dialog } from '../../ui/layout/Dialog.tsx';
import { noSubscription, useStore } from '../../ui/state/store.ts';
import { sentence } from '../../ui/text/format.ts';
import styles from './HighlightersDialog.module.css';
import { COLOUR_NAMES, changeHighlighter, Highlights, highlighters, tintOf } from './text-highlights.tsx';

export function HighlightersDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Highlighters" wide>
      <p className={styles.hint}>They mark every text and its results, here and in other artifacts.</p>
      <List />
    </Dialog>
  );
}

function List() {
  const all = useStore(highlighters);
  const highlights = useContext(Highlights);
  const problems = useSyncExternalStore(
    highlights?.subscribe ?? noSubscription,
    () => highlights?.problems ?? null,
  );
  return (
    <ol className={styles.list}>
      {all.map((each, colour) => {
        const name = COLOUR_NAMES[colour]!;
        const problem = problems?.[colour] ?? null;
        const change = (part: Partial<typeof each>) => changeHighlighter(colour, part);
        return (
          <li key={name} className={styles.item}>
            <Button
              className={styles.switch}
              pressed={each.on && each.pattern !== ''}
              aria-label={`${name}: on`}
              disabled={each.pattern === ''}
              onClick={() => change({ on: !each.on })}
            >
              <span className={`${styles.swatch} ${styles.tint}`} style={tintOf(colour)} />
              <span
                className={each.on && each.pattern !== '' ? styles.tint : styles.off}
                style={tintOf(colour)}
              >
                {name}
              </span>
            </Button>
            <Field
              code
              label={`${name}: text`}
              hideLabel
              placeholder={each.fixed ? 'A text' : 'An expression'}
              value={each.pattern}
              problem={problem === null ? null : sentence(problem)}
              onChange={(event) => change({ pattern: event.target.value, on: true })}
            />
            <Field
              className={styles.name}
              label={`${name}: name`}
              hideLabel
              placeholder="Name"
              value={each.name}
              onChange={(event) => change({ name: event.target.value })}
            />
            <Button
              pressed={each.case_sensitive}
              aria-label={`${name}: match case`}
              title="Match case"
              onClick={() => change({ case_sensitive: !each.case_sensitive })}
            >
              Aa
            </Button>
            <Button
              pressed={!each.fixed}
              aria-label={`${name}: regular expression`}
              title="Regular expression"
              onClick={() => change({ fixed: !each.fixed })}
            >
              .*
            </Button>
            <IconButton
              icon="close"
              label={`Free ${name}`}
              disabled={each.pattern === '' && each.name === ''}
              onClick={() => change(FREE)}
            />
          </li>
        );
      })}
    </ol>
  );
}
