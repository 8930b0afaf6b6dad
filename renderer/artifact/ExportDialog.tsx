/** Asks in which form to save lines, and shows the progress. */

import { useCallback, useRef, useState } from 'react';
import type { Connection } from '../../shared/api/api.ts';
import { type ExportParams, MAX_EXPORT_LINES } from '../../shared/api/filters.ts';
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { codeSpan, fence, longestTicks } from '../../shared/text/escape.ts';
import { formatBytes, formatCount, plural } from '../../shared/text/format.ts';
import { useActions } from '../actions/registry.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { nameOf, quotedSource } from '../library/artifact-facts.ts';
import type { Search } from '../search/use-search.ts';
import { Button } from '../ui/controls/Button.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { savedWords, saveText } from '../ui/state/page.ts';
import { formatPercent, pageAddress, rangeWords, restWords } from '../ui/text/format.ts';
import { firstLine, lastLine, lineCount, outerColumns } from '../viewer/selection/selection.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import styles from './ArtifactView.module.css';
import { exportActions } from './artifact-actions.ts';

const FORMS: readonly { form: FileForm; name: string; hint: string }[] = [
  { form: 'text', name: 'Text', hint: 'the lines alone, as they are shown' },
  { form: 'numbers', name: 'With line numbers', hint: 'each line after its number' },
  { form: 'markdown', name: 'Markdown', hint: 'with the command, a link, and how to print them again' },
];

export function ExportDialog({ exporting }: { exporting: Exporting }) {
  const { asked, done, save, close } = exporting;
  const [form, setForm] = useState<FileForm>('text');
  const saveButton = useRef<HTMLButtonElement>(null);
  if (!asked) return null;
  const { count } = asked.wanted;
  const what = asked.what === 'matches' ? plural(count, 'matching line') : plural(count, 'line');
  const isSaving = done !== null;
  return (
    <Dialog
      open
      onClose={close}
      initialFocus={saveButton}
      title={`Save ${what}`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button ref={saveButton} tone="primary" disabled={isSaving} onClick={() => void save(form)}>
            Save
          </Button>
        </>
      }
    >
      {isSaving ? (
        <p role="status">
          {formatPercent(done, Math.max(done, count))} of {formatCount(count)} lines
        </p>
      ) : (
        <fieldset className={styles.forms}>
          <legend className="visually-hidden">Form</legend>
          {FORMS.map((each) => (
            <label key={each.form} className={styles.form}>
              <input
                type="radio"
                name="form"
                checked={form === each.form}
                onChange={() => setForm(each.form)}
              />
              <span>
                {each.name}
                <span className={styles.hint}> {each.hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}

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

/** Saves lines to a file: the selection, everything shown, or all matches. */
type Exporting = ReturnType<typeof useExport>;

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
      const outcome = await saveText(name, parts, form === 'markdown' ? 'text/markdown' : 'text/plain');
      const cut = saved.clipped > 0 ? `; only the beginning of ${plural(saved.clipped, 'long line')}` : '';
      const words = savedWords(
        outcome,
        `Saved ${plural(saved.lines, 'line')}, ${formatBytes(saved.chars)}${cut}`,
      );
      if (words !== null) say(words);
      close();
    } catch (error) {
      if (request.current !== mine) return;
      close();
      say(`Nothing was saved. ${toSpillwayError(error).message}`);
    }
  };
  return { asked, done, save, close };
}

function linesOf({ rows, selection: selected, passing }: Viewer, { document }: Search): Asked | null {
  // A single line is where one is, and seldom what one wants to save.
  const selection = selected && (selected.columns || lineCount(selected) > 1) ? selected : null;
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
    ...{ artifact, stream, line: lines?.first ?? 1, lastLine: lines?.last ?? 1 },
    ...{ page: pageAddress(), pattern: query?.pattern },
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

/** Fetches lines page by page and builds a file: text, text with line numbers, or Markdown. */
type FileForm = 'text' | 'numbers' | 'markdown';

/** The lines to save: a part of a text, or all matches of a search. */
interface LinesToSave extends Omit<ExportParams, 'from' | 'lines'> {
  /** Returns the line at an index below `count`; absent for all lines from the host. */
  lineOf?: (place: number) => number | null;
  /** Number of lines, if known. */
  count: number;
  /** First column of the first line and last column of the last line: 0 and infinity for whole lines. */
  columns?: { from: number; to: number };
}

interface Saved {
  parts: Blob[];
  lines: number;
  /** Long lines of which only the beginning was saved. */
  clipped: number;
  /** UTF-16 code units. */
  chars: number;
  /** Longest run of back ticks in the text; a fence around it needs more. */
  ticks: number;
}

/** Rejects with `changed` if the text was replaced meanwhile; never returns fewer lines than asked for. */
async function fetchFile(
  connection: Connection,
  wanted: LinesToSave,
  form: FileForm,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (lines: number) => void },
): Promise<Saved> {
  const saved: Saved = { parts: [], lines: 0, clipped: 0, chars: 0, ticks: 0 };
  const isNumbered = form === 'numbers' || (form === 'markdown' && wanted.query !== undefined);
  const { lineOf, count, columns, ...rest } = wanted;
  const width = String(lineOf?.(count - 1) ?? count).length;
  let generation: number | null = null;
  const take = async (
    params: Omit<ExportParams, 'document' | 'query'>,
    isFirst: boolean,
    isLast: boolean,
  ) => {
    const page = await connection.request('exportLines', { ...rest, ...params }, { signal });
    generation ??= page.generation;
    if (page.generation !== generation)
      throw new SpillwayError('changed', 'The text changed while it was saved', 'save again');
    const texts = page.lines.map(({ line_number: line, text, clipped }, i) => {
      if (clipped) saved.clipped += 1;
      const end = isLast && page.next === null && i === page.lines.length - 1 ? columns?.to : undefined;
      const start = isFirst && i === 0 ? columns?.from : 0;
      const part = columns ? text.slice(start, end) : text;
      return isNumbered ? `${String(line).padStart(width)}  ${part}\n` : `${part}\n`;
    });
    const text = texts.join('');
    saved.parts.push(new Blob([text]));
    saved.lines += texts.length;
    saved.chars += text.length;
    if (form === 'markdown') saved.ticks = Math.max(saved.ticks, longestTicks(text));
    onProgress(saved.lines);
    return page.next;
  };
  if (!lineOf) {
    for (let from: number | null = 0; from !== null; ) from = await take({ from }, false, false);
    return saved;
  }
  for (let start = 0; start < count; start += MAX_EXPORT_LINES) {
    const size = Math.min(MAX_EXPORT_LINES, count - start);
    const lines = Array.from({ length: size }, (_, i) => lineOf(start + i)).filter((line) => line !== null);
    const isLast = start + size >= count;
    for (let from: number | null = 0; from !== null; )
      from = await take({ lines, from }, start === 0 && from === 0, isLast);
  }
  return saved;
}
