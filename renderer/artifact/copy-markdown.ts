/** Formats lines as Markdown: the command, the lines in a code block, a permalink and the command line to read them. */
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { isMergedId } from '../../shared/merged.ts';
import { isPlainFile, nameOf, pathOf, statusWord } from '../library/artifact-look.ts';
import { codeBlock, codeSpan } from '../ui/words/markdown.ts';
import { permalink } from '../ui/words/permalink.ts';
import { type QuotedRange, rangeWords, restWords } from '../ui/words/quoted-lines.ts';
import type { CopyForm } from '../viewer/selection/copy-forms.ts';

export interface QuotedLines extends QuotedRange {
  artifact: Artifact;
  stream: StreamName | null;
  /** Address of the window, without a fragment. */
  address: string;
}

export function asMarkdown(quoted: QuotedLines): CopyForm {
  return { whole: (text) => markdown(quoted, text) };
}

function markdown(quoted: QuotedLines, text: string): string {
  const { artifact, stream, first, last, address } = quoted;
  const id = artifact.artifact_id;
  const isFile = isPlainFile(artifact);
  const what = codeSpan(isFile ? (pathOf(artifact) ?? id) : nameOf(artifact));
  const state = isFile ? '' : `, ${statusWord(artifact)}`;
  // Only the window that merged it knows a merged text: there is nothing to link to.
  if (isMergedId(id)) return `${what}, merged by time: ${rangeWords(quoted)}\n\n${codeBlock(text)}\n`;
  const of = stream === null || stream === 'output' ? '' : ` of ${stream}`;
  const link = permalink(address, { artifactId: id, stream, line: first });
  const again = `spillway inspect ${id}${stream ? ` --stream ${stream}` : ''} --start ${first} --end ${last}`;
  return `${what}${state}: [${rangeWords(quoted, of)}](${link})\n\n${codeBlock(text)}\n\n${codeSpan(again)}${restWords(quoted)}\n`;
}
