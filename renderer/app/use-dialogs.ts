/** Which dialogs of the window are open. */
import { useState } from 'react';
import { useAgentCaptures } from '../settings/use-agent-captures.ts';

export type Dialogs = ReturnType<typeof useDialogs>;

export function useDialogs() {
  return {
    palette: useDialog(),
    keys: useDialog(),
    sources: useDialog(),
    agents: useDialog(),
    captures: useAgentCaptures(),
  };
}

function useDialog() {
  const [isOpen, setOpen] = useState(false);
  return { isOpen, show: () => setOpen(true), hide: () => setOpen(false) };
}
