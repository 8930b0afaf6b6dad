/** What the window needs of the rest: one inspector, started once. The entry point says how it is built. */
import type { MessageChannelEnd } from '../../shared/api/messages.ts';
import type { Host } from '../host/host.ts';

export interface Inspector {
  readonly host: Pick<Host, 'openPath' | 'notify'>;
  /** Serves one window until its end of the channel closes. */
  serve(end: MessageChannelEnd): void;
  close(): Promise<void>;
}

/** Rejects with a SpillwayError when it can't run here, say because the home is not ours. */
export type StartInspector = (options: {
  /** Absolute; opened and the first one shown. */
  paths: string[];
  shell: 'electron';
}) => Promise<Inspector>;
