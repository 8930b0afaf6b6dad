/** Saves lines to a file: the selection, everything shown, or all matches. */
import { useCallback, useRef, useState } from 'react';
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { formatBytes, formatCount, plural } from '../../shared/text/format.ts';
import { useActions } from '../commands/registry.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { nameOf } from '../library/artifact-look.ts';
import { quotedSource } from '../library/quoted-source.ts';
import type { Search } from '../search/use-search.ts';
import { saveText } from '../ui/state/save-text.ts';
import { codeSpan, fence } from '../ui/words/markdown.ts';
import { pageAddress } from '../ui/words/permalink.ts';
import { rangeWords, restWords } from '../ui/words/quoted-lines.ts';
import { firstLine, lastLine, outerColumns } from '../viewer/selection/selection.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { exportActions } from './actions.ts';
import { type FileForm, fetchFile, type LinesToSave, type Saved } from './export-text.ts';

interface ExportOptions {
  artifact: Artifact | null;
  stream: StreamName | null;
  viewer: Viewer;
  search: Search;
  say: (message: string) => void;
}

/** The lines in the dialog. */
interface Asked {
  what: 'selection' | 'lines' | 'matches';
  wanted: LinesToSave;
  /** The first and last line, for a part of the text. */
  lines: { first: number; last: number } | null;
}

export type Exporting = ReturnType<typeof useExport>;

export function useExport({ artifact, stream, viewer, search, say }: ExportOptions) {
  const connection = useConnection();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [done, setDone] = useState<number | null>(null);
  const request = useRef<AbortController | null>(null);

  const context = {
    isActive: search.active,
    saveLines: () => setAsked(linesOf(viewer, search)),
    saveMatches: () => {
      if (search.snapshot.total > 0) setAsked(matchesOf(search));
      else say('Nothing to save: no line matches so far');
    },
  };
  useActions(exportActions, context);

  const close = useCallback(() => {
    request.current?.abort();
    request.current = null;
    setAsked(null);
    setDone(null);
  }, []);
  const save = async (form: FileForm) => {
    if (!asked || !connection || !artifact) return;
    const mine = new AbortController();
    request.current = mine;
    setDone(0);
    try {
      const saved = await fetchFile(connection, asked.wanted, form, {
        signal: mine.signal,
        onProgress: setDone,
      });
      if (request.current !== mine) return;
      const name = `${nameOf(artifact)}-${placeWords(asked)}.${form === 'markdown' ? 'md' : 'txt'}`;
      const parts = form === 'markdown' ? markdown(asked, saved, artifact, stream) : saved.parts;
      saveText(name, parts, form === 'markdown' ? 'text/markdown' : 'text/plain');
      const cut = saved.clipped > 0 ? `; only the beginning of ${plural(saved.clipped, 'long line')}` : '';
      say(`Saved ${plural(saved.lines, 'line')}, ${formatBytes(saved.chars)}${cut}`);
      close();
    } catch (error) {
      if (request.current !== mine) return;
      close();
      say(`Nothing was saved. ${toSpillwayError(error).message}`);
    }
  };
  return { asked, done, save, close };
}

function linesOf({ rows, selection, passing }: Viewer, { document }: Search): Asked | null {
  const [start, end] = [rows.lineOf(0), rows.lineOf(rows.count - 1)];
  if (start === null || end === null || rows.count === 0) return null;
  const first = selection ? Math.max(start, firstLine(selection)) : start;
  const last = selection ? Math.min(end, lastLine(selection)) : end;
  // A part of a line drawn in another order has no columns: save the line.
  const columns = selection?.columns && !selection.columns.drawn ? outerColumns(selection) : null;
  const place = rows.rowOf(first);
  const count = rows.rowOf(last + 1) - place;
  const wanted = { document, count, lineOf: (at: number) => rows.lineOf(place + at) };
  // If a filter hides the first or last line, its columns don't apply.
  const isWhole = !columns || (passing && !(passing.has(first) && passing.has(last)));
  return {
    what: selection ? 'selection' : 'lines',
    wanted: isWhole ? wanted : { ...wanted, columns },
    lines: { first, last },
  };
}

function matchesOf({ search, document, snapshot }: Search): Asked | null {
  if (!search) return null;
  const wanted = { document, query: search.query, count: snapshot.total };
  const { filter } = search;
  return { what: 'matches', wanted: filter ? { ...wanted, filter } : wanted, lines: null };
}

function placeWords({ lines, wanted: { query } }: Asked): string {
  if (!lines) return `matches-${query?.pattern.slice(0, 40)}`;
  return lines.first === lines.last ? `line-${lines.first}` : `lines-${lines.first}-${lines.last}`;
}

/**
 * Formats a Markdown file: the command or file, which lines were saved with a link, the lines, and the command that
 * prints them.
 */
function markdown(
  { lines, wanted }: Asked,
  { parts, ticks, lines: count }: Saved,
  artifact: Artifact,
  stream: StreamName | null,
): (string | Blob)[] {
  const { query } = wanted;
  const range = lines && { ...lines, count: wanted.count };
  const { words, command } = quotedSource({
    ...{ artifact, stream, line: lines?.first ?? 1, page: pageAddress(), pattern: query?.pattern },
    words: range ? rangeWords(range) : `${formatCount(count)} lines`,
  });
  const found = query ? ` with ${codeSpan(query.pattern)}` : '';
  const block = fence(ticks);
  const quoted = [`${words}${found}\n\n${block}text\n`, ...parts, `${block}\n`];
  if (command === null) return quoted;
  const which = lines
    ? `--start ${lines.first} --end ${lines.last}`
    : `--pattern ${JSON.stringify(query?.pattern)}`;
  return [...quoted, `\n${codeSpan(`${command} ${which}`)}${range ? restWords(range) : ''}\n`];
}
