/**
 * Formats marks as Markdown: each artifact's lines with notes and permalinks. A merged text has no permalinks, as only
 * the window that merged it knows it.
 */
import { isMergedId } from '../../shared/merged.ts';
import { codeBlock, codeSpan } from '../ui/words/markdown.ts';
import { permalink } from '../ui/words/permalink.ts';
import type { Mark } from './mark-store.ts';
import type { WholeMark } from './whole-marks.ts';

/** @param page address of the window, without a fragment */
export function marksAsMarkdown(marks: readonly WholeMark[], page: string): string {
  const groups = new Map<string, WholeMark[]>();
  for (const mark of marks) groups.set(mark.artifactId, [...(groups.get(mark.artifactId) ?? []), mark]);
  return [...groups.values()].map((group) => section(group, page)).join('\n');
}

function section(group: readonly WholeMark[], page: string): string {
  const { name, artifactId } = group[0]!;
  const entries = sorted(group).map((mark) => entry(mark, page));
  const from = isMergedId(artifactId) ? 'Merged by time.' : codeSpan(`spillway inspect ${artifactId}`);
  return `## ${codeSpan(name)}\n\n${from}\n\n${entries.join('\n')}`;
}

function entry(mark: WholeMark, page: string): string {
  const of = mark.stream === 'output' ? '' : ` of ${mark.stream}`;
  const note = mark.note.trim() === '' ? '' : `\n\n${mark.note.trim()}`;
  const line = `Line ${mark.line}${of}`;
  const place = isMergedId(mark.artifactId) ? line : `[${line}](${permalink(page, mark)})`;
  return `${place}${note}\n\n${codeBlock(mark.isCut ? `${mark.text} …` : mark.text)}\n`;
}

/** Sorts marks by stream, then by line. */
export function sorted<M extends Mark>(marks: readonly M[]): M[] {
  return [...marks].sort((a, b) => a.stream.localeCompare(b.stream) || a.line - b.line);
}
