/**
 * An action of the window: its name, its keys, when it applies and what it does. Each room declares its actions in its
 * `actions.ts`; key handling, buttons and the key sheet read them from there, so that a key stands in one place.
 */
import type { IconName } from '../ui/words/Icon.tsx';

/** `Context` is what the action works on: the viewer, the search, the list. */
export interface Action<Context> {
  /** Says what it does, for the key sheet and tooltips: `Go to the first line`. */
  name: string;
  /** On its button, where the name is too long. */
  label?: string;
  icon?: IconName;
  /** As `keyName` writes them. The first is shown on buttons. */
  keys: readonly string[];
  group: ActionGroup;
  /** True for what a menu offers first of its group. */
  isFirst?: boolean;
  /** True when a held key runs it again and again. */
  repeats?: boolean;
  /** Where its keys work; `window` when absent. */
  where?: 'window' | 'text' | 'control';
  /** False when there is nothing to do; its keys then do nothing, or what `otherwise` does. */
  when?(context: Context): boolean;
  /** Says what is missing when its key is pressed while it does not apply. */
  otherwise?(context: Context): void;
  /** True when its button is pressed in: for what is switched on and off. */
  isOn?(context: Context): boolean;
  /** `key` is the key that was pressed; null from a button or a menu. */
  run(context: Context, key: string | null): void;
}

/** In the order of the key sheet. */
export const ACTION_GROUPS = [
  'Move',
  'Select and copy',
  'View',
  'Marks',
  'Search',
  'Filter',
  'Highlight',
  'In the search field',
  'In the results',
  'List',
  'In the list',
  'Tabs and panes',
  'Window',
] as const;

export type ActionGroup = (typeof ACTION_GROUPS)[number];

/** Keys that a control handles by itself; declared for the key sheet alone. */
export interface KeyNote {
  name: string;
  keys: readonly string[];
  group: ActionGroup;
}

const declared: KeyNote[] = [];

/** Declares the actions of a room. Use: `declareActions<Viewer>()({ head: { … } })`. */
export function declareActions<Context>() {
  return <Id extends string>(actions: Record<Id, Action<Context>>): Record<Id, Action<Context>> => {
    declared.push(...Object.values<Action<Context>>(actions));
    return actions;
  };
}

export function declareKeys(group: ActionGroup, notes: readonly Omit<KeyNote, 'group'>[]): void {
  declared.push(...notes.map((note) => ({ ...note, group })));
}

/** Every action and key there is, whether or not it applies now. */
export function declaredActions(): readonly KeyNote[] {
  return declared;
}

/** `Go to the first line (h)`: the tooltip of its button. */
export function titleOf({ name, keys }: Pick<KeyNote, 'name' | 'keys'>): string {
  return keys.length === 0 ? name : `${name} (${keys.join(' or ')})`;
}
