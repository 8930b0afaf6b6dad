/**
 * Fetches the lines that explain the shown command's failure: a failed command opens at its cause, and keys step
 * through the lines. Other artifacts are explained when a key asks.
 */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LineFilter } from '../../shared/api/filters.ts';
import type { DocumentRef } from '../../shared/api/rows.ts';
import { type Artifact, isMergedId, type StreamName } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { ERROR_LINES } from '../../shared/search-query.ts';
import { plural } from '../../shared/text/format.ts';
import { type FailureView, MAX_REPORT_MARKS, partsWithLines } from '../../shared/views.ts';
import { useActions } from '../actions/registry.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { nameOf } from '../library/artifact-facts.ts';
import { marks } from '../panels/marks/marks-export.ts';
import { savedWords, saveText, writeClipboard } from '../ui/state/page.ts';
import { useSteady } from '../ui/state/use-steady.ts';
import { pageAddress, permalink } from '../ui/text/format.ts';
import { maskedCopy } from '../viewer/selection/CopyDialog.tsx';
import { firstLine, lastLine } from '../viewer/selection/selection.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { type FailureContext, failureActions } from './artifact-actions.ts';

interface FailureOptions {
  artifact: Artifact | null;
  document: DocumentRef;
  /** Lines that it hides tell no error. */
  filter: LineFilter | null;
  viewer: Viewer;
  /** Whether it was opened at a line or a search, and should stay there. */
  hasPlace: boolean;
  say: (message: string) => void;
}

/** Milliseconds before a message says that the answer takes longer. */
const SLOW_MS = 300;

/** Returns the context of the actions; null without a failure. */
export function useFailure(options: FailureOptions): FailureContext | null {
  const { artifact, document, filter, viewer, hasPlace, say } = options;
  const connection = useConnection();
  const { state } = viewer.opened.snapshot;
  // If a range is shown, such as one command of a terminal, explain only its lines.
  const { range } = viewer;
  const start = range?.start;
  const end = range?.end;
  const text = `${state?.generation ?? 0}:${state?.total_bytes ?? 0}:${start}-${end}`;
  const asked = useRef<{ document: DocumentRef; text: string; view: Promise<FailureView> } | null>(null);

  const [found, setFound] = useState<readonly number[]>([]);
  /** The cause in the shown text, once it is known. */
  const [causeLine, setCauseLine] = useState<number | null>(null);
  const lines = useMemo(() => withLine(found, causeLine), [found, causeLine]);

  const ask = useCallback((): Promise<FailureView> => {
    const known = asked.current;
    if (known && known.document === document && known.text === text) return known.view;
    if (!connection) return Promise.reject(new Error('The host does not answer'));
    const lines = start === undefined ? {} : { start_line: start, end_line: end };
    const view = connection.request('inspect', { ...document, ...lines, mode: 'failure' }).then((answer) => {
      if (answer.mode !== 'failure') throw new Error('another view came');
      return answer;
    });
    view.then(
      (answer) => setFound(explainingLines(answer)),
      () => {
        asked.current = null;
      },
    );
    asked.current = { document, text, view };
    return view;
  }, [connection, document, text, start, end]);

  useOpenAtCause({ artifact, viewer, hasPlace, ask, onCause: setCauseLine });

  /** Returns the nearest line that tells an error, as the ruler marks them; null without any. */
  const errorFrom = async (from: number, direction: 1 | -1): Promise<number | null> => {
    const search = { document, query: ERROR_LINES, ...(filter ? { filter } : {}) };
    const params = { search, line_number: from, direction: direction === 1 ? 'next' : 'previous' } as const;
    return (await connection?.request('nextMatch', params))?.line_number ?? null;
  };
  /** In what did not fail, an explanation comes late and leaves errors out: goes to the next one of either. */
  const stepThroughErrors = async (start: number, direction: 1 | -1): Promise<number | null> => {
    const explaining = await Promise.race([ask().then(explainingLines), after(SLOW_MS)]);
    const ends = direction === 1 ? 0 : Number.MAX_SAFE_INTEGER;
    for (const from of [start, ends]) {
      const error = await errorFrom(from, direction);
      const line = stepFrom(withLine(explaining ?? [], error), from, direction, false);
      if (line !== null) viewer.showLine(line, 'unless visible');
      if (line !== null) return line;
    }
    return null;
  };
  const stepThroughExplanation = async (from: number, direction: 1 | -1): Promise<number | null> => {
    const slow = setTimeout(() => say('Looking for the lines that explain the failure…'), SLOW_MS);
    const view = await ask().finally(() => clearTimeout(slow));
    const explaining = withLine(explainingLines(view), range ? null : causeLine);
    const line = stepFrom(explaining, from, direction);
    if (line === null) say('Nothing explains a failure here');
    else {
      viewer.showLine(line, 'unless visible');
      const part = view.parts.find((one) => one.start_line <= line && line <= one.end_line);
      const why = line === causeLine && !range ? 'the cause' : part?.why;
      say(why ? `Line ${line.toLocaleString('en')}: ${why}` : '');
    }
    return line;
  };
  /** Ends with the line that the last step went to. Keys may come faster than answers: each goes on from the last. */
  const steps = useRef({ last: Promise.resolve<number | null>(null), waiting: 0 }).current;

  const context: FailureContext = useSteady({
    lines,
    step: (direction) => {
      const isFirst = steps.waiting === 0;
      steps.waiting += 1;
      steps.last = steps.last
        .then(async (last) => {
          const from = (isFirst ? null : last) ?? viewer.currentLine();
          const line =
            hasFailed(artifact) || range ? null : await stepThroughErrors(from, direction).catch(() => null);
          return line ?? (await stepThroughExplanation(from, direction));
        })
        .catch((error) => {
          say(toSpillwayError(error).message);
          return null;
        })
        .finally(() => {
          steps.waiting -= 1;
        });
    },
    copyForAgent: () => {
      if (!artifact) return;
      const { selection } = viewer;
      if (isMergedId(artifact.artifact_id))
        return say('Agents read each artifact of a merged text by itself');
      const lines = selection && { first: firstLine(selection), last: lastLine(selection) };
      // A step to a line selects that line.
      const text =
        lines && lines.first < lines.last
          ? Promise.resolve(linesForAgent(artifact, state?.stream ?? null, lines, pageAddress()))
          : ask().then((view) => agentText(artifact, view));
      text
        .then((whole) => maskedCopy(connection, whole))
        .then(({ text, masked }) => writeClipboard(text).then(() => masked))
        .then(
          (masked) => say(masked ? `Copied for an agent; ${masked}` : 'Copied for an agent'),
          (error) => say(toSpillwayError(error).message),
        );
    },
    saveReport: () => {
      if (!artifact || !connection) return;
      const { artifact_id } = artifact;
      if (isMergedId(artifact_id)) return say('A merged text has no report: save one of an output in it');
      const marked = marks
        .get()
        .filter((mark) => mark.artifactId === artifact_id)
        .slice(0, MAX_REPORT_MARKS)
        .sort((a, b) => a.line - b.line)
        .map(({ stream, line, note }) => ({ stream, line, note }));
      const slow = setTimeout(() => say('Writing the report…'), SLOW_MS);
      connection
        .request('report', { artifact_id, format: 'html', marks: marked })
        .finally(() => clearTimeout(slow))
        .then(
          async ({ text, redacted }) => {
            const outcome = await saveText(`${artifact_id}.html`, [text], 'text/html');
            const masked = redacted === 0 ? '' : `; ${plural(redacted, 'secret')} masked`;
            const words = savedWords(outcome, `Saved a report of the failure${masked}`);
            if (words !== null) say(words);
          },
          (error) => say(toSpillwayError(error).message),
        );
    },
  });
  useActions(failureActions, context);
  return hasFailed(artifact) ? context : null;
}

function hasFailed(artifact: Artifact | null): boolean {
  return artifact?.status === 'failed' || artifact?.status === 'timed_out';
}

interface OpenAtCauseOptions extends Pick<FailureOptions, 'artifact' | 'viewer' | 'hasPlace'> {
  ask: () => Promise<FailureView>;
  /** Called with the cause's line in the shown text. */
  onCause: (line: number | null) => void;
}

/** Goes to the cause, once per artifact and stream, unless the person has scrolled or chosen a line. */
function useOpenAtCause(options: OpenAtCauseOptions): void {
  const { artifact, viewer, hasPlace } = options;
  const latest = useRef(options);
  latest.current = options;
  // Remember whether a position was restored: later there always is one.
  const [hadPlace] = useState(hasPlace);
  const { state } = viewer.opened.snapshot;
  const isFor = state !== null && hasFailed(artifact) && artifact?.cause !== null;
  const id = isFor ? (artifact?.artifact_id ?? null) : null;
  const stream = state?.stream ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another stream has the cause in another line
  useEffect(() => {
    latest.current.onCause(null);
    if (id === null) return;
    const request = new AbortController();
    const before = latest.current.viewer.scroll.view.get().position;
    const open = async () => {
      const recorded = await recordedLine(latest.current, request.signal);
      // The recorded cause is known at once; finding the whole explanation may take seconds.
      const line = recorded ?? (hadPlace ? null : causeLineIn(await latest.current.ask()));
      if (request.signal.aborted) return;
      latest.current.onCause(line);
      const { scroll, selection, pending, range, showLine } = latest.current.viewer;
      const now = scroll.view.get().position;
      const isMoved = now.row !== before.row || now.px !== before.px;
      if (hadPlace || line === null || isMoved || selection || pending || range) return;
      showLine(line, 'always');
      if (recorded !== null) await latest.current.ask();
    };
    open().catch(() => {});
    return () => request.abort();
  }, [id, stream, hadPlace]);
}

/** Returns the line of the recorded cause in the shown text; null if unknown. */
async function recordedLine(
  { artifact, viewer }: OpenAtCauseOptions,
  signal: AbortSignal,
): Promise<number | null> {
  const { document, snapshot } = viewer.opened;
  const cause = artifact?.cause;
  const shown = snapshot.state?.stream;
  if (!cause || !document) return null;
  if (cause.stream === shown) return cause.line_number;
  if (shown !== 'combined') return null;
  if (cause.combined_line !== undefined) return cause.combined_line;
  return document.lineLike({ stream: cause.stream, line: cause.line_number }, signal);
}

/** Returns the cause's line in the viewed text; null if it is in another stream. */
function causeLineIn({ stream, cause }: FailureView): number | null {
  return cause?.stream === stream ? cause.line_number : null;
}

/** Returns the numbers of the cause and of lines chosen for what they say, in order. The place alone chose others. */
export function explainingLines({
  stream,
  cause,
  parts,
}: Pick<FailureView, 'stream' | 'cause' | 'parts'>): number[] {
  const lines = parts.flatMap(({ line, why }) => (why ? (line ?? []) : []));
  if (cause && cause.stream === stream) lines.push(cause.line_number);
  return [...new Set(lines)].sort((a, b) => a - b);
}

/** Inserts a line, keeping the order. */
function withLine(lines: readonly number[], line: number | null): readonly number[] {
  if (line === null || lines.includes(line)) return lines;
  return [...lines, line].sort((a, b) => a - b);
}

const after = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));

/** Returns the next line below or above `from`, or else, if it may wrap, the one at the other end; null for none. */
export function stepFrom(
  lines: readonly number[],
  from: number,
  direction: 1 | -1,
  wraps = true,
): number | null {
  const next = direction === 1 ? lines.find((line) => line > from) : lines.findLast((line) => line < from);
  return next ?? (wraps ? lines.at(direction === 1 ? 0 : -1) : null) ?? null;
}

/**
 * Formats a failure for an agent: how the command ended, the lines that explain it, and how to read on. Each part of
 * captured text follows a label: its line numbers, and the command that prints it again.
 */
export function agentText(artifact: Artifact, view: FailureView): string {
  const command =
    artifact.command === null ? artifact.label : [artifact.command, ...(artifact.args ?? [])].join(' ');
  const { artifact_id: id, stream, cause, total_lines: total } = view;
  const parts = [...partsWithLines(view)].map(({ start_line: start, end_line: end, why, lines }) => {
    const reason = why ? `, ${why}` : '';
    return `[${stream}, lines ${start}-${end} of ${total}${reason}; ${readAgain(id, stream, start, end)}]\n${lines.join('\n')}`;
  });
  return [
    `${command}: ${ended(artifact)}`,
    ...(cause ? [`cause: line ${cause.line_number} of ${cause.stream}: ${cause.text.trim()}`] : []),
    ...parts,
    `more: spillway inspect ${id} --mode failure --stream ${stream}`,
  ].join('\n');
}

/** Names lines for an agent: the MCP call and the command that show them, and a link that selects them. */
export function linesForAgent(
  artifact: Artifact,
  stream: StreamName | null,
  { first, last }: { first: number; last: number },
  page: string,
): string {
  const id = artifact.artifact_id;
  const call = {
    artifact_id: id,
    ...(stream && { stream }),
    ...{ mode: 'range', start_line: first, end_line: last },
  };
  return [
    `lines ${first}-${last}${stream ? ` of ${stream}` : ''} of ${JSON.stringify(nameOf(artifact))}`,
    `inspect_output ${JSON.stringify(call)}`,
    readAgain(id, stream, first, last),
    permalink(page, { artifactId: id, stream, line: first, lastLine: last }),
  ].join('\n');
}

function readAgain(id: string, stream: StreamName | null, start: number, end: number): string {
  return `spillway inspect ${id}${stream ? ` --stream ${stream}` : ''} --start ${start} --end ${end}`;
}

function ended({ status, exit_code, signal }: Artifact): string {
  if (status === 'timed_out') return 'timed out';
  if (signal !== null) return `ended by ${signal}`;
  return exit_code === null ? status : `exit status ${exit_code}`;
}
