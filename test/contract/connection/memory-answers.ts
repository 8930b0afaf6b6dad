/** Answers of the memory host that no test looks into: a source, a typed command, a cleanup. */
import type { SourceInfo } from '../../../shared/sources.ts';

export const claude: SourceInfo = {
  name: 'claude-code',
  title: 'Claude Code',
  agent: 'claude-code',
  folders: ['/tmp'],
  enabled: true,
  mcp: false,
  rescue: 'off',
  rescued: { kept: 1, kept_bytes: 10, missed: 1, missed_bytes: 5, why: 'it was deleted' },
  in_memory: false,
  captures: 3,
  bytes: 4096,
};

export const typed = (artifact_id: string) => ({
  ...{
    artifact_id,
    terminal: 'sh',
    number: 1,
    command: 'make',
    cwd: '/',
    status: 'failed' as const,
    exit_code: 2,
  },
  ...{ started_at: '2026-01-13T10:30:00.000Z', ended_at: '2026-01-13T10:30:01.000Z', duration_ms: 1000 },
  ...{ prompt_line: 1, start_line: 2, end_line: 2, start_offset: 6, end_offset: 10, cause: null },
});

export const nothingWent = {
  removed_count: 0,
  removed_bytes: 0,
  stayed_count: 0,
  removed: [],
  stayed: [],
  removed_sessions: [],
};
