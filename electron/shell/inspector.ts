/** The part of the inspector that the window needs. The entry point builds it. */
import type { MessageChannelEnd } from '../../shared/api/messages.ts';
import type { Host } from '../host/host.ts';

export interface WindowInspector {
  readonly host: Pick<Host, 'openPath' | 'notify'>;
  /** Serves one window until its channel closes. */
  serve(end: MessageChannelEnd): void;
  close(): Promise<void>;
}

/** Rejects with a SpillwayError when it can't run, for instance because the home belongs to another user. */
export type StartInspector = (options: {
  /** Absolute; all are opened and the first is shown. */
  paths: string[];
  shell: 'electron';
}) => Promise<WindowInspector>;
