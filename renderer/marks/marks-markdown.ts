/**
 * Formats marks as Markdown: each artifact's lines with notes and permalinks. A merged text has no permalinks, as only
 * the window that merged it knows it.
 */
import { isMergedId } from '../../shared/merged.ts';
import { codeBlock, codeSpan } from '../ui/words/markdown.ts';
import { permalink } from '../ui/words/permalink.ts';
import type { Mark } from './mark-store.ts';

/** @param page address of the window, without a fragment */
export function marksAsMarkdown(marks: readonly Mark[], page: string): string {
  const groups = new Map<string, Mark[]>();
  for (const mark of marks) groups.set(mark.artifactId, [...(groups.get(mark.artifactId) ?? []), mark]);
  return [...groups.values()].map((group) => section(group, page)).join('\n');
}

function section(group: readonly Mark[], page: string): string {
  const { name, artifactId } = group[0]!;
  const entries = sorted(group).map((mark) => entry(mark, page));
  const from = isMergedId(artifactId) ? 'Merged by time.' : codeSpan(`spillway inspect ${artifactId}`);
  return `## ${codeSpan(name)}\n\n${from}\n\n${entries.join('\n')}`;
}

function entry(mark: Mark, page: string): string {
  const of = mark.stream === 'output' ? '' : ` of ${mark.stream}`;
  const note = mark.note.trim() === '' ? '' : `\n\n${mark.note.trim()}`;
  const line = `Line ${mark.line}${of}`;
  const place = isMergedId(mark.artifactId) ? line : `[${line}](${permalink(page, mark)})`;
  return `${place}${note}\n\n${codeBlock(mark.text)}\n`;
}

/** Sorts marks by stream, then by line. */
export function sorted(marks: readonly Mark[]): Mark[] {
  return [...marks].sort((a, b) => a.stream.localeCompare(b.stream) || a.line - b.line);
}
