/** Limits actions to the pane with the focus: keys, the palette and menus act on it. */
import { createContext, useContext } from 'react';

const ActionScopeContext = createContext(true);

/** `<ActionScope value={false}>`: no action of the components inside applies. */
export const ActionScope = ActionScopeContext.Provider;

export function useIsInScope(): boolean {
  return useContext(ActionScopeContext);
}
