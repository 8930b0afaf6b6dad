/**
 * The dialog for copying many lines: asks first, shows progress, and offers the button whose click browsers require.
 */

import { formatBytes, plural } from '../../../shared/text/format.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/layout/Dialog.tsx';
import { formatPercent } from '../../ui/words/format.ts';
import type { Copying } from './use-copy.ts';

export function CopyDialog({ copy }: { copy: Copying }) {
  const { state } = copy;
  if (state.step === 'asking') {
    return (
      <Dialog
        open
        onClose={copy.cancel}
        title={`Copy ${plural(state.lines, 'line')}?`}
        footer={
          <>
            <Button onClick={copy.cancel}>Cancel</Button>
            <Button tone="primary" onClick={() => copy.start(state.selection, state.form)}>
              Copy
            </Button>
          </>
        }
      >
        {state.bytes === null ? '' : `It is about ${formatBytes(state.bytes)}. `}
        Fetching this much text can take a while, and some programs cannot paste it.
      </Dialog>
    );
  }
  if (state.step === 'copying' && state.lines > 20_000) {
    return (
      <Dialog
        open
        onClose={copy.cancel}
        title="Copying"
        footer={<Button onClick={copy.cancel}>Cancel</Button>}
      >
        <span role="status">
          {formatPercent(state.done, state.lines)} of {plural(state.lines, 'line')}
        </span>
      </Dialog>
    );
  }
  if (state.step === 'ready') {
    const { copied } = state;
    return (
      <Dialog
        open
        onClose={copy.cancel}
        title="Ready to copy"
        footer={
          <>
            <Button onClick={copy.cancel}>Cancel</Button>
            <Button tone="primary" onClick={() => copy.put(copied)}>
              Copy now
            </Button>
          </>
        }
      >
        {plural(copied.lines, 'line')} ({formatBytes(copied.text.length)}) are here. The clipboard only takes
        them right after a click.
      </Dialog>
    );
  }
  return null;
}
