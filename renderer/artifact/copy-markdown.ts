/** Formats lines as Markdown: the command, the lines in a code block, a permalink and the command line to read them. */
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { quotedSource } from '../library/quoted-source.ts';
import { codeBlock, codeSpan } from '../ui/words/markdown.ts';
import { type QuotedRange, rangeWords, restWords } from '../ui/words/quoted-lines.ts';
import type { CopyForm } from '../viewer/selection/copy-forms.ts';

interface QuotedLines extends QuotedRange {
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
  const of = stream === null || stream === 'output' ? '' : ` of ${stream}`;
  const { words, command } = quotedSource({
    ...{ artifact, stream, line: first, page: address },
    words: rangeWords(quoted, of),
  });
  const block = `${words}\n\n${codeBlock(text)}\n`;
  if (command === null) return block;
  return `${block}\n${codeSpan(`${command} --start ${first} --end ${last}`)}${restWords(quoted)}\n`;
}
