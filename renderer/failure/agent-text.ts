/** Formats a failure for an agent: how the command ended, the lines that explain it, and how to read on. */
import type { Artifact } from '../../shared/artifact.ts';
import type { FailureView } from '../../shared/views.ts';

/** Each part of captured text follows a label: its line numbers, and the command that prints it again. */
export function agentText(artifact: Artifact, view: FailureView): string {
  const command =
    artifact.command === null ? artifact.label : [artifact.command, ...(artifact.args ?? [])].join(' ');
  const { artifact_id: id, stream, cause, total_lines: total } = view;
  const lines = view.content.split('\n');
  let at = 0;
  const parts = view.parts.map(({ start_line: start, end_line: end, why }) => {
    const text = lines.slice(at, at + end - start + 1).join('\n');
    at += end - start + 1;
    const reason = why ? `, ${why}` : '';
    return `[${stream}, lines ${start}-${end} of ${total}${reason}; ${readAgain(id, stream, start, end)}]\n${text}`;
  });
  return [
    `${command}: ${ended(artifact)}`,
    ...(cause ? [`cause: line ${cause.line_number} of ${stream}: ${cause.text.trim()}`] : []),
    ...parts,
    `more: spillway inspect ${id} --mode failure --stream ${stream}`,
  ].join('\n');
}

function readAgain(id: string, stream: string, start: number, end: number): string {
  return `spillway inspect ${id} --stream ${stream} --start ${start} --end ${end}`;
}

function ended({ status, exit_code, signal }: Artifact): string {
  if (status === 'timed_out') return 'timed out';
  if (signal !== null) return `ended by ${signal}`;
  return exit_code === null ? status : `exit status ${exit_code}`;
}
