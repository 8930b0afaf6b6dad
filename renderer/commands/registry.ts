/** The actions that can be run now: components bind them to what they work on, and one listener runs them by key. */
import { useEffect, useRef } from 'react';
import type { Action } from './action.ts';
import { useIsInScope } from './action-scope.ts';
import { hasOwnMoveKeys, isInField, isInPopup, keyName, type PressedKey } from './keys.ts';

type Actions<Context> = Readonly<Record<string, Action<Context>>>;

/** An action and what it works on. */
export interface BoundAction {
  action: Action<never>;
  run(key: string | null): void;
}

interface Binding {
  all(): BoundAction[];
  find(fits: (action: Action<never>) => boolean): BoundAction | null;
  /** As `find`, among actions that do not apply and say why. */
  findHint(fits: (action: Action<never>) => boolean): BoundAction | null;
}

/** The innermost component binds last and is asked first. */
const bindings: Binding[] = [];

/** Makes the actions available while the component is shown in the pane with the focus. Null disables them. */
export function useActions<Context>(actions: Actions<Context>, context: Context | null): void {
  const isInScope = useIsInScope();
  const latest = useRef(context);
  latest.current = isInScope ? context : null;
  useEffect(() => {
    const binding: Binding = {
      all() {
        const now = latest.current;
        if (now === null) return [];
        return Object.values(actions)
          .filter((each) => each.when?.(now) ?? true)
          .map((action) => ({ action, run: (key) => action.run(now, key) }));
      },
      find(fits) {
        const now = latest.current;
        if (now === null) return null;
        const action = Object.values(actions).find((each) => fits(each) && (each.when?.(now) ?? true));
        return action ? { action, run: (key) => action.run(now, key) } : null;
      },
      findHint(fits) {
        const now = latest.current;
        if (now === null) return null;
        const action = Object.values(actions).find((each) => each.otherwise && fits(each));
        return action ? { action, run: () => action.otherwise?.(now) } : null;
      },
    };
    bindings.unshift(binding);
    return () => {
      bindings.splice(bindings.indexOf(binding), 1);
    };
  }, [actions]);
}

/** The actions that apply now and mean something without a key: what a palette or a menu offers. */
export function availableActions(): BoundAction[] {
  return bindings.flatMap((binding) => binding.all()).filter(({ action }) => !needsKey(action));
}

/** Several keys in the text stand for directions; Escape closes what is on top. */
function needsKey({ keys, repeats, where }: Action<never>): boolean {
  return (
    keys.includes('Esc') || repeats === true || where === 'control' || (where === 'text' && keys.length > 1)
  );
}

/** Runs actions by their keys, wherever in the window the focus is. Called once, by the window. */
export function useActionKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const found = event.defaultPrevented ? null : actionFor(event);
      if (!found) return;
      // A held key would make a switch flicker.
      if (event.repeat && !found.action.repeats) return;
      event.preventDefault();
      found.run(keyName(event));
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** The action of a pressed key; null when the key belongs to a field, a dialog or another control. */
export function actionFor(event: KeyboardEvent): BoundAction | null {
  if (isInPopup(event.target)) return null;
  if (isInField(event.target) && !(event.ctrlKey || event.metaKey)) return null;
  const pressed = keyName(event);
  const text = !hasOwnMoveKeys(event);
  const fits = ({ keys, where = 'window' }: Action<never>) =>
    keys.includes(pressed) && (where === 'window' || (where === 'text' && text));
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

/**
 * Runs the action that has the pressed key, for a control that handles its own keys. False when no action has it or it
 * does not apply; the event then goes on.
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
