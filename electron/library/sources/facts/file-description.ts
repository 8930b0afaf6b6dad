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
    Pick<AgentMark, 'session' | 'project' | 'pid' | 'truncated'>
>;
