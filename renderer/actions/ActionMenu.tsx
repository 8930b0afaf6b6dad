/** The button of an action, and the context menu of the actions that apply. */

import { ContextMenu } from '@base-ui/react/context-menu';
import { type ReactElement, useLayoutEffect, useState } from 'react';
import { Button, type ButtonProps, Kbd } from '../ui/controls/Button.tsx';
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
  return (
    <Dialog open={open} onClose={onClose} title="Keys" wide scrolls>
      <div className={styles.keyGroups}>
        {ACTION_GROUPS.map((group) => (
          <Group
            key={group}
            title={group}
            entries={declaredActions().filter((each) => each.group === group && each.keys.length > 0)}
          />
        ))}
      </div>
    </Dialog>
  );
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
