/** The action that opens the dialog for connecting agents. */
import { declareActions } from '../commands/action.ts';

export const connectActions = declareActions<{ showAgents: () => void }>()({
  agents: {
    name: 'Connect agents',
    words: 'mcp server claude codex cursor',
    icon: 'plug',
    keys: ['a'],
    group: 'Window',
    run: ({ showAgents }) => showAgents(),
  },
});
