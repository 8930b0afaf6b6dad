/** Formats marks as Markdown: for each artifact its lines with their notes, each with a permalink. */
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
  return `## ${codeSpan(name)}\n\n${codeSpan(`spillway inspect ${artifactId}`)}\n\n${entries.join('\n')}`;
}

function entry(mark: Mark, page: string): string {
  const of = mark.stream === 'output' ? '' : ` of ${mark.stream}`;
  const note = mark.note.trim() === '' ? '' : `\n\n${mark.note.trim()}`;
  return `[Line ${mark.line}${of}](${permalink(page, mark)})${note}\n\n${codeBlock(mark.text)}\n`;
}

/** By stream, then by line. */
export function sorted(marks: readonly Mark[]): Mark[] {
  return [...marks].sort((a, b) => a.stream.localeCompare(b.stream) || a.line - b.line);
}
