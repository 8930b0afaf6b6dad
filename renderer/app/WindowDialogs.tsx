import { KeySheet } from '../commands/KeySheet.tsx';
import { Palette } from '../commands/palette/Palette.tsx';
import { AgentsDialog } from '../connect/AgentsDialog.tsx';
import { SourcesDialog } from '../library/sources/SourcesDialog.tsx';
import { AgentCaptures } from '../settings/AgentCaptures.tsx';
import type { Dialogs } from './use-dialogs.ts';

export function WindowDialogs({ dialogs }: { dialogs: Dialogs }) {
  const { palette, keys, sources, agents, captures } = dialogs;
  return (
    <>
      <SourcesDialog open={sources.isOpen} onClose={sources.hide} />
      <AgentsDialog open={agents.isOpen} onClose={agents.hide} />
      <Palette open={palette.isOpen} onClose={palette.hide} />
      <KeySheet open={keys.isOpen} onClose={keys.hide} />
      <AgentCaptures captures={captures} />
    </>
  );
}
