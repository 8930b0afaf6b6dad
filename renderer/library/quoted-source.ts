/** Describes the artifact of quoted lines, with a link to them and the command that prints them. */
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { isMergedId } from '../../shared/merged.ts';
import { codeSpan } from '../ui/words/markdown.ts';
import { permalink } from '../ui/words/permalink.ts';
import { isPlainFile, nameOf, pathOf, statusWord } from './artifact-look.ts';

interface Quote {
  artifact: Artifact;
  /** Null for the default stream. */
  stream: StreamName | null;
  /** The line of the link. */
  line: number;
  /** Which lines are quoted, in words. */
  words: string;
  /** Address of the window, without a fragment. */
  page: string;
  /** A search that the link opens. */
  pattern?: string | undefined;
}

interface QuotedSource {
  /** Markdown. */
  words: string;
  /** Null for a merged text, which only the window that merged it knows. */
  command: string | null;
}

export function quotedSource({ artifact, stream, line, words, page, pattern }: Quote): QuotedSource {
  const id = artifact.artifact_id;
  const name = codeSpan(nameOf(artifact));
  if (isMergedId(id)) return { words: `${name}, merged by time: ${words}`, command: null };
  const what = isPlainFile(artifact) ? codeSpan(pathOf(artifact) ?? id) : `${name}, ${statusWord(artifact)}`;
  const search = pattern === undefined ? '' : `&q=${encodeURIComponent(pattern)}`;
  const link = permalink(page, { artifactId: id, stream, line }) + search;
  const command = `spillway inspect ${id}${stream ? ` --stream ${stream}` : ''}`;
  return { words: `${what}: [${words}](${link})`, command };
}
