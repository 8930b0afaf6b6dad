/** The palette: finds every action that applies now and every destination by typing. */

import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Kbd } from '../ui/controls/Button.tsx';
import { Icon, type IconName } from '../ui/text/Icon.tsx';
import { MiddleText } from '../ui/text/MiddleText.tsx';
import { declaredActions, type KeyNote } from './action.ts';
import styles from './Palette.module.css';
import { foundItems, type PaletteItem, paletteDestinations } from './palette-items.ts';
import { availableActions, runNamed } from './registry.ts';

export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <ChoiceDialog
      open={open}
      onClose={onClose}
      name="Palette"
      label="Action, output, session or line"
      placeholder="Type an action, an output, a session or a line"
      itemsFor={destinationsAndActions}
    />
  );
}

/** Lists the actions that apply as the palette opens. A query finds the others, too, with their keys. */
function destinationsAndActions(): ItemsFor {
  const now = actionItems();
  const others = otherItems(now);
  return (query) => [...paletteDestinations(query), ...now, ...(query.trim() === '' ? [] : others)];
}

type ItemsFor = (query: string) => readonly PaletteItem[];

/** A dialog that finds one of many items by typing. */
interface ChoiceDialogProps {
  open: boolean;
  onClose: () => void;
  /** For assistive technology: the dialog, and its field. */
  name: string;
  label: string;
  placeholder: string;
  /** Called when it opens; the function that it returns, for each query. */
  itemsFor: () => ItemsFor;
}

export function ChoiceDialog({ open, onClose, name, ...choices }: ChoiceDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const before = useRef<HTMLElement | null>(null);
  if (open && !before.current) before.current = document.activeElement as HTMLElement | null;
  if (!open) before.current = null;
  const close = () => {
    const last = before.current;
    flushSync(onClose);
    last?.focus({ preventScroll: true });
  };
  const choose = (item: PaletteItem) => {
    // Close first, as the action may move the focus.
    close();
    item.run();
  };
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} initialFocus={field} finalFocus={false} aria-label={name}>
          <Choices field={field} onChoose={choose} {...choices} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ChoicesProps extends Pick<ChoiceDialogProps, 'label' | 'placeholder' | 'itemsFor'> {
  field: React.RefObject<HTMLInputElement | null>;
  onChoose: (item: PaletteItem) => void;
}

function Choices({ field, onChoose, label, placeholder, itemsFor }: ChoicesProps) {
  const id = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const [itemsOf] = useState(itemsFor);
  const found = useMemo(() => foundItems(itemsOf(query), query), [itemsOf, query]);
  const list = useRef<HTMLDivElement>(null);
  const move = (to: number) => {
    const index = Math.min(Math.max(0, to), found.length - 1);
    setActive(index);
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = moveOf(event.key, active, found.length);
    if (to !== null) move(to);
    else if (event.key === 'Enter' && found[active]) onChoose(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={field}
        className={styles.field}
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
        aria-autocomplete="list"
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={id} className={styles.list} role="listbox" aria-label="Found" tabIndex={-1}>
        {found.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={item.id}
            id={`${id}-${index}`}
            className={styles.item}
            role="option"
            aria-selected={index === active}
            data-aside={item.isAside || undefined}
            tabIndex={-1}
            onClick={() => onChoose(item)}
            onMouseMove={() => setActive(index)}
          >
            {item.icon ? <Icon name={item.icon} /> : <span className={styles.noIcon} />}
            {/* Names of outputs, and their folders, differ at their ends. */}
            {item.detail === undefined ? (
              <span className={styles.text}>{item.text}</span>
            ) : (
              <>
                <span className={styles.text}>
                  <MiddleText text={item.text} named />
                </span>
                <span className={styles.detail}>
                  <MiddleText text={item.detail} named />
                </span>
              </>
            )}
            <span className={styles.kind}>{item.kind}</span>
            <span className={styles.key}>{item.keys?.[0] !== undefined && <Kbd>{item.keys[0]}</Kbd>}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className={styles.none} role="status">
          Nothing has these words.
        </p>
      )}
    </>
  );
}

const PAGE_ITEMS = 8;

function moveOf(key: string, active: number, count: number): number | null {
  if (key === 'ArrowDown') return (active + 1) % Math.max(1, count);
  if (key === 'ArrowUp') return (active - 1 + count) % Math.max(1, count);
  if (key === 'PageDown') return active + PAGE_ITEMS;
  return key === 'PageUp' ? active - PAGE_ITEMS : null;
}

function actionItems(): PaletteItem[] {
  return availableActions().map(({ action, run }) => ({ ...itemOf(action), run: () => run(null) }));
}

/** Actions that do not apply now, or that only their key starts. */
function otherItems(items: readonly PaletteItem[]): PaletteItem[] {
  const known = new Set(items.map(({ text }) => text));
  const others = declaredActions().filter(({ name }) => !known.has(name) && known.add(name));
  return others.map((note) => ({ ...itemOf(note), isAside: true, run: () => runNamed(note.name) }));
}

function itemOf(note: KeyNote & { label?: string; icon?: IconName }): Omit<PaletteItem, 'run'> {
  const { name, group, keys, words = '', label = '', icon } = note;
  return {
    id: `action ${name}`,
    text: name,
    kind: group,
    keys,
    words: `${label} ${words}`,
    ...(icon ? { icon } : {}),
  };
}
