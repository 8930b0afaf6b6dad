/** Declares what is given of a captured file, and what is found out about it. */
import type { Stats } from 'node:fs';
import type { AgentMark, Artifact } from '../../../shared/artifact.ts';

export interface AgentFile {
  readonly path: string;
  /** Names from the source's directory down to the file. */
  readonly names: readonly string[];
  readonly stats: FileState;
  /** Its command, where it was known before. */
  readonly command?: string | null | undefined;
  /** The beginning of what it held, where it is deleted. */
  readonly printed?: string;
}

/** What is kept of a watched file's `Stats`: the four dates there cost memory and time. */
export type FileState = Readonly<
  Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'birthtimeMs' | 'ino' | 'dev' | 'mode'>
>;

/** How a source describes one of its files. */
export type FileDescription = Partial<
  Pick<
    Artifact,
    | 'label'
    | 'command'
    | 'args'
    | 'cwd'
    | 'status'
    | 'exit_code'
    | 'started_at'
    | 'ended_at'
    | 'duration_ms'
    | 'warnings'
  > &
    Pick<AgentMark, 'session' | 'project' | 'pid' | 'truncated'> & {
      /** Whether it may be the output of a command that failed, where it is not known which command's it is. */
      mayHaveFailed: boolean;
    }
>;

/** Where kinds look for their directories. */
export interface UserFolders {
  readonly home: string;
  readonly temporary: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}
