/** The one artifact that the host in memory holds: its record, its text and its document. */
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { Artifact } from '../../../shared/artifact.ts';

export const text = 'first\nsecond \u001b[31mred\u001b[0m\nÄpfel 🍎\n';

export const bytes = Buffer.from(text);

export function artifact(n = 1): Artifact {
  return {
    artifact_id: `file-build.log-2026-01-13T10-30-00-${n.toString(16).padStart(6, '0')}`,
    kind: 'file',
    label: 'build.log',
    command: null,
    args: null,
    cwd: null,
    env_names: null,
    session: null,
    source: '/var/log',
    origin: null,
    agent: null,
    status: 'running',
    exit_code: null,
    signal: null,
    cause: null,
    started_at: '2026-01-13T10:30:00.000Z',
    ended_at: null,
    duration_ms: null,
    pinned: false,
    expires_at: null,
    warnings: [],
    streams: [
      {
        name: 'output',
        file_path: '/var/log/build.log',
        total_lines: 3,
        total_bytes: bytes.length,
        dropped_bytes: 0,
        content_type: 'text',
      },
    ],
  };
}

export const tally = { file_count: 1, total_bytes: bytes.length, oldest: '2026-01-13T10:30:00.000Z' };

export function documentState(totalBytes = bytes.length): DocumentState {
  return {
    artifact: artifact(),
    stream: 'output',
    generation: 1,
    total_bytes: totalBytes,
    indexed_bytes: totalBytes,
    is_unpacking: false,
    total_lines: 3,
    content_type: 'text',
    encoding: 'utf-8',
    condition: 'ok',
    problem: null,
    notice: null,
  };
}
