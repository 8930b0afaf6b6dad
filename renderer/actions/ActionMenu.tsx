/** The button of an action, and the context menu of the actions that apply. */

import { ContextMenu } from '@base-ui/react/context-menu';
import { type ReactElement, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { plural } from '../../shared/text/format.ts';
import { Button, type ButtonProps, Kbd } from '../ui/controls/Button.tsx';
import { Field } from '../ui/controls/Field.tsx';
import menu from '../ui/controls/Menu.module.css';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Icon } from '../ui/text/Icon.tsx';
import styles from './ActionMenu.module.css';
import { ACTION_GROUPS, type Action, declaredActions, type KeyNote, titleOf } from './action.ts';
import { availableActions, type BoundAction } from './registry.ts';

type ActionButtonProps<Context> = ButtonProps & { action: Action<Context>; context: Context };

export function ActionButton<Context>({ action, context, onClick, ...rest }: ActionButtonProps<Context>) {
  const { icon, keys, label, name, isOn } = action;
  return (
    <Button
      icon={icon}
      shortcut={keys[0]}
      pressed={isOn?.(context)}
      label={label ?? name}
      title={titleOf(action)}
      {...rest}
      // A toolbar has a handler of its own for its buttons.
      onClick={(event) => {
        onClick?.(event);
        action.run(context, null);
      }}
    />
  );
}

/** A quiet button that shows only the action's icon. */
export function ActionIcon<Context>(props: ActionButtonProps<Context>) {
  return <ActionButton tone="quiet" iconOnly {...props} />;
}

/** The context menu of a line: the actions for it that apply, with their keys, in the order of groups. */
export function ActionMenu({ children }: { children: ReactElement<Record<string, unknown>> }) {
  const [shown, setShown] = useState<readonly (readonly BoundAction[])[]>([]);
  const [isOpen, setOpen] = useState(false);
  // Look after the click's other effects: it may select the line, and then copying applies.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const place = ({ action }: BoundAction) => action.inMenu ?? 0;
    const actions = availableActions()
      .filter((each) => place(each) > 0)
      .sort((a, b) => place(a) - place(b));
    const found = ACTION_GROUPS.map((group) => actions.filter(({ action }) => action.group === group));
    setShown(found.filter((each) => each.length > 0));
  }, [isOpen]);
  return (
    <ContextMenu.Root onOpenChange={setOpen}>
      <ContextMenu.Trigger render={children} />
      <ContextMenu.Portal>
        <ContextMenu.Positioner collisionPadding={8}>
          <ContextMenu.Popup className={`${menu.popup} ${styles.popup}`}>
            {shown.map((group, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: groups keep their order
              <ContextMenu.Group key={index} className={styles.group}>
                {group.map(({ action, run }) => (
                  <ContextMenu.Item key={action.name} className={menu.item} onClick={() => run(null)}>
                    {action.icon ? <Icon name={action.icon} /> : <span className={styles.noIcon} />}
                    <span className={styles.name}>{shortName(action.name)}</span>
                    {action.keys[0] !== undefined && <Kbd>{action.keys[0]}</Kbd>}
                  </ContextMenu.Item>
                ))}
              </ContextMenu.Group>
            ))}
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

/** Shortens a name by its explanation, which the palette and the key sheet show. */
function shortName(name: string): string {
  return name.split(': ', 1)[0] ?? name;
}

/** Lists every key of the window, grouped by subject. */
export function KeySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onClose={onClose} title="Keys" wide scrolls initialFocus={field}>
      <Keys field={field} />
    </Dialog>
  );
}

function Keys({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const [typed, setTyped] = useState('');
  const found = findKeys(typed);
  return (
    <>
      <Field
        ref={field}
        type="search"
        label="Find a key"
        hideLabel
        placeholder="Find a key: by what it does, or the key itself"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'PageDown') return;
          // On to the keys below, which scroll.
          event.preventDefault();
          event.currentTarget.closest<HTMLElement>('section')?.focus();
        }}
      />
      <p className={styles.foundKeys} role="status">
        {typed.trim() === '' ? '' : found.length === 0 ? 'No key does that' : plural(found.length, 'action')}
      </p>
      <div className={styles.keyGroups}>
        {ACTION_GROUPS.map((group) => {
          const entries = found.filter((each) => each.group === group);
          return entries.length > 0 && <Group key={group} title={group} entries={entries} />;
        })}
      </div>
    </>
  );
}

/** Returns the actions with keys that have every typed word in their names or other words, or that key. */
function findKeys(typed: string): readonly KeyNote[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const key = typed.trim();
  return declaredActions().filter(({ keys, name, words: other = '', group }) => {
    if (keys.length === 0) return false;
    if (key !== '' && keys.some((each) => (key.length === 1 ? each === key : isKey(each, key)))) return true;
    const text = `${name} ${other} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function isKey(key: string, typed: string): boolean {
  return key.toLowerCase() === typed.toLowerCase().replaceAll(/\s*\+\s*/g, '+');
}

function Group({ title, entries }: { title: string; entries: readonly KeyNote[] }) {
  return (
    <section className={styles.keyGroup}>
      <h3>{title}</h3>
      <dl>
        {entries.map(({ keys, name }) => (
          <div key={name} className={styles.entry}>
            <dt className={styles.keys}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
