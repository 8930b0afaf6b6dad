/** Declares how a source describes one of its files. */
import type { AgentMark, Artifact } from '../../../../shared/artifact.ts';

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
