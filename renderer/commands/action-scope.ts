/** Of several panes only the one with the focus takes keys, and is what the palette and the menus act on. */
import { createContext, useContext } from 'react';

const ActionScopeContext = createContext(true);

/** `<ActionScope value={false}>`: no action of the components inside applies. */
export const ActionScope = ActionScopeContext.Provider;

export function useIsInScope(): boolean {
  return useContext(ActionScopeContext);
}
