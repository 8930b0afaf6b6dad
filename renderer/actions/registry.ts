/** The actions available now: components bind them to a context, and one listener runs them by key. */
import { createContext, useContext, useEffect, useRef } from 'react';
import type { Desktop, MenuEntry } from '../../shared/desktop.ts';
import {
  type Action,
  type ActionGroup,
  declaredActions,
  hasOwnMoveKeys,
  isInField,
  isInPopup,
  type KeyNote,
  keyName,
  type PressedKey,
} from './action.ts';

type Actions<Context> = Readonly<Record<string, Action<Context>>>;

export interface BoundAction {
  action: Action<never>;
  /** For switches: whether it is on. */
  isOn(): boolean;
  run(key: string | null): void;
}

interface Binding {
  all(): BoundAction[];
  find(fits: (action: Action<never>) => boolean): BoundAction | null;
  /** Like `find`, among actions that don't apply and have an `otherwise`. */
  findHint(fits: (action: Action<never>) => boolean): BoundAction | null;
}

/** The innermost component binds last and is searched first. */
const bindings: Binding[] = [];

const listeners = new Set<() => void>();

/** Calls when other actions may apply, or a switch may be on. Returns what ends it. */
function onActionsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tellChange(): void {
  for (const listener of listeners) listener();
}

/** Makes the actions available while the component is shown in the pane with the focus. Null disables them. */
export function useActions<Context>(actions: Actions<Context>, context: Context | null): void {
  const isInScope = useIsInScope();
  const latest = useRef(context);
  latest.current = isInScope ? context : null;
  // The context may make other actions apply.
  useEffect(tellChange);
  useEffect(() => {
    const binding: Binding = {
      all() {
        const now = latest.current;
        if (now === null) return [];
        return Object.values(actions)
          .filter((each) => each.when?.(now) ?? true)
          .map((action) => bound(action, now));
      },
      find(fits) {
        const now = latest.current;
        if (now === null) return null;
        const action = Object.values(actions).find((each) => fits(each) && (each.when?.(now) ?? true));
        return action ? bound(action, now) : null;
      },
      findHint(fits) {
        const now = latest.current;
        if (now === null) return null;
        const action = Object.values(actions).find((each) => each.otherwise && fits(each));
        return action ? { ...bound(action, now), run: () => action.otherwise?.(now) } : null;
      },
    };
    bindings.unshift(binding);
    return () => {
      bindings.splice(bindings.indexOf(binding), 1);
      tellChange();
    };
  }, [actions]);
}

function bound<Context>(action: Action<Context>, context: Context): BoundAction {
  return {
    action,
    isOn: () => action.isOn?.(context) ?? false,
    run: (key) => action.run(context, key),
  };
}

/** Returns the actions that apply now and make sense without a key, for the palette and menus. */
export function availableActions(): BoundAction[] {
  return bindings.flatMap((binding) => binding.all()).filter(({ action }) => !needsKey(action));
}

/** Whether an action depends on its key: keys for directions, and Escape, which closes the topmost thing. */
function needsKey({ keys, repeats, where }: Action<never>): boolean {
  return (
    keys.includes('Esc') || repeats === true || where === 'control' || (where === 'text' && keys.length > 1)
  );
}

/** Runs actions by their keys, wherever the focus is. Called once, by the window. */
export function useActionKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const found = event.defaultPrevented ? null : actionFor(event);
      if (!found) return;
      // A held key would make switches flicker.
      if (event.repeat && !found.action.repeats) return;
      event.preventDefault();
      found.run(keyName(event));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Returns the action of a pressed key; null if the key belongs to a field, a dialog or another control. */
export function actionFor(event: KeyboardEvent): BoundAction | null {
  if (isInPopup(event.target)) return null;
  if (isInField(event.target) && !(event.ctrlKey || event.metaKey)) return null;
  const pressed = keyName(event);
  const text = !hasOwnMoveKeys(event);
  const fits = ({ keys, where = 'window' }: Action<never>) =>
    keys.includes(pressed) &&
    (where === 'window' || (where === 'text' && text) || (where === 'page' && !isInField(event.target)));
  return firstFitting(fits);
}

function firstFitting(fits: (action: Action<never>) => boolean): BoundAction | null {
  for (const binding of bindings) {
    const found = binding.find(fits);
    if (found) return found;
  }
  for (const binding of bindings) {
    const hint = binding.findHint(fits);
    if (hint) return hint;
  }
  return null;
}

/** Runs an action as its first key does; without effect if it does not apply and has no hint. */
export function runNamed(name: string): void {
  const found = firstFitting((action) => action.name === name);
  found?.run(found.action.keys[0] ?? null);
}

/**
 * Runs the action of the pressed key, for a control that handles its own keys. Returns false if no such action applies;
 * then the event continues.
 */
export function runByKey<Context>(
  actions: Actions<Context>,
  context: Context,
  event: PressedKey & { preventDefault(): void; stopPropagation(): void },
): boolean {
  const pressed = keyName(event);
  const action = Object.values(actions).find(
    (each) => each.keys.includes(pressed) && (each.when?.(context) ?? true),
  );
  if (!action) return false;
  event.preventDefault();
  event.stopPropagation();
  action.run(context, pressed);
  return true;
}

/** Limits actions to the pane with the focus: keys, the palette and menus act on it. */
const ActionScopeContext = createContext(true);

/** `<ActionScope value={false}>`: no action of the components inside applies. */
export const ActionScope = ActionScopeContext.Provider;

export function useIsInScope(): boolean {
  return useContext(ActionScopeContext);
}

// Tells the desktop which actions its menu offers, and runs the one that is chosen there.

/** The menu of each group; groups without one work inside a control. */
const MENUS: Partial<Record<ActionGroup, string>> = {
  Move: 'Go',
  'Select and copy': 'Edit',
  View: 'View',
  Marks: 'Go',
  Search: 'Search',
  Filter: 'Search',
  Highlight: 'Search',
  List: 'View',
  'Tabs and panes': 'Window',
  Window: 'Window',
};

/** Actions that other programs have elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = { Keys: 'Help' };

const isAction = (note: KeyNote): note is Action<never> => 'run' in note;

/** Every action that a menu can run, whether or not it applies now, so that menus keep their order. */
export function menuEntries(): MenuEntry[] {
  const now = new Map(availableActions().map((bound) => [bound.action.name, bound]));
  const entries = new Map<string, MenuEntry>();
  for (const note of declaredActions()) {
    const menu = ELSEWHERE[note.name] ?? MENUS[note.group];
    if (!menu || !isAction(note) || needsKey(note)) continue;
    const bound = now.get(note.name);
    const isOn = note.isOn ? (bound?.isOn() ?? false) : null;
    const { name: action, keys } = note;
    entries.set(action, { action, menu, key: keys[0] ?? null, applies: bound !== undefined, isOn });
  }
  return [...entries.values()];
}

/** A view that scrolls is drawn more often than a menu is opened. */
const REST_MS = 100;

export function useNativeMenu(desktop: Pick<Desktop, 'showMenu' | 'onChosen'> | null): void {
  useEffect(() => {
    if (!desktop) return;
    let last = '';
    const tell = () => {
      const entries = menuEntries();
      const text = JSON.stringify(entries);
      if (text === last) return;
      last = text;
      desktop.showMenu(entries);
    };
    let isOver = false;
    desktop.onChosen((name) => {
      if (!isOver)
        availableActions()
          .find(({ action }) => action.name === name)
          ?.run(null);
    });
    tell();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const unsubscribe = onActionsChange(() => {
      timer ??= setTimeout(() => {
        timer = null;
        tell();
      }, REST_MS);
    });
    return () => {
      isOver = true;
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    };
  }, [desktop]);
}
