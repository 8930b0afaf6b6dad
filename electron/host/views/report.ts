/**
 * `report`: a failure as one document to give away: how the command ended, the cause, the lines that explain it, what a
 * person marked, and what changed since it last passed. The HTML has no scripts and loads nothing.
 */
import type { Artifact, StreamName } from '../../../shared/artifact.ts';
import type { CompareParams, Comparison } from '../../../shared/comparison.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { Secrets } from '../../../shared/secrets/mask.ts';
import {
  codeBlock,
  codeSpan,
  escapeControls,
  escapeLine,
  shownCommand,
} from '../../../shared/text/escape.ts';
import { formatBytes, formatCount, formatDuration, plural } from '../../../shared/text/format.ts';
import {
  type FailureView,
  type InspectParams,
  partsWithLines,
  type Report,
  type ReportParams,
  type View,
} from '../../../shared/views.ts';
import type { RequestOptions } from '../host.ts';
import { comparedWith, findingLines, markPart, nothingIn, type ShowPart } from './comparison-text.ts';

/** Text of the lines that explain the failure, in characters. */
const EXPLAINING_CHARS = 6000;
/** Differences that a report names. */
const MOST_FINDINGS = 30;

interface ReportSources {
  /** Null for what is not listed. */
  artifact(id: string): Promise<Artifact | null>;
  inspect(params: InspectParams, options: RequestOptions): Promise<View>;
  compare(params: CompareParams, options: RequestOptions): Promise<Comparison>;
  secrets(): Secrets;
}

/** Lines of a stream as they are shown in a report. */
interface Quoted {
  stream: StreamName;
  /** Why these lines are here. */
  why: string;
  /** From 1. */
  first: number;
  lines: readonly string[];
  /** The lines that tell the most. */
  telling: readonly number[];
}

/** The contents of a report. Its strings are masked but not yet escaped. */
interface Content {
  title: string;
  facts: readonly (readonly [name: string, value: string])[];
  cause: { place: string; text: string } | null;
  note: string | null;
  explaining: readonly Quoted[];
  marks: readonly Quoted[];
  /** The differences; null if there was nothing to compare with, and then `compared` says why. */
  changes: Comparison['findings'] | null;
  compared: string;
}

export async function failureReport(
  { format, marks = [], redact = true, ...target }: ReportParams,
  sources: ReportSources,
  options: RequestOptions = {},
): Promise<Report> {
  const secrets = redact ? sources.secrets() : null;
  let redacted = 0;
  const mask = (text: string): string => {
    const masked = secrets?.mask(text);
    redacted += masked?.count ?? 0;
    return masked?.text ?? text;
  };
  const inspect = async (params: InspectParams): Promise<View> => {
    const view = await sources.inspect(params, { ...options, ...(secrets ? { redact: secrets } : {}) });
    redacted += view.redacted ?? 0;
    return view;
  };
  const explain = (as_text: boolean) =>
    inspect({ ...target, mode: 'failure', max_chars: EXPLAINING_CHARS, as_text });
  const found = await explain(false);
  const artifact = await sources.artifact(found.artifact_id);
  // A cause is recorded of text with NULs, too, which counts as binary.
  const view = found.content_type === 'binary' && artifact?.cause ? await explain(true) : found;
  if (view.mode !== 'failure')
    throw new SpillwayError('unsupported', 'the output is no text', 'report an output of text');
  const quotedMarks: Quoted[] = [];
  for (const { stream, line, note } of marks) {
    const one = await inspect({ ...target, stream, mode: 'range', start_line: line, end_line: line });
    if (one.lines_shown === 0) continue;
    quotedMarks.push({ stream, why: mask(note), first: line, lines: [one.content], telling: [] });
  }
  const compared = await comparison(target, sources, options);
  const content: Content = {
    title: mask(artifact ? titleOf(artifact) : (view.file_path ?? view.artifact_id)),
    facts: factsOf(artifact, view).map(([name, value]) => [name, mask(value)] as const),
    cause: view.cause && {
      place: `${view.likely ? 'Likely, line' : 'Line'} ${formatCount(view.cause.line_number)} of ${view.cause.stream}`,
      text: mask(view.cause.text.trim()),
    },
    note: view.note ?? null,
    explaining: explainingOf(view),
    marks: quotedMarks,
    changes:
      compared.found?.findings.slice(0, MOST_FINDINGS).map((finding) => ({
        ...finding,
        text: mask(finding.text),
        baseline_text: finding.baseline_text && mask(finding.baseline_text),
      })) ?? null,
    compared: compared.words,
  };
  return {
    artifact_id: view.artifact_id,
    text: format === 'html' ? asHtml(content) : asMarkdown(content),
    redacted,
  };
}

async function comparison(
  target: CompareParams,
  { compare }: ReportSources,
  options: RequestOptions,
): Promise<{ found: Comparison | null; words: string }> {
  try {
    const found = await compare({ ...target, all_lines: false }, options);
    const { findings, total_findings: total } = found;
    const shown = Math.min(findings.length, MOST_FINDINGS);
    const all = total === 0 ? nothingIn(found) : plural(total, 'difference');
    const count = shown < total ? `the ${shown} most telling of ${all}` : all;
    const words = [`${sentence(comparedWith(found))}: ${count}.`, found.note && `${sentence(found.note)}.`];
    return { found, words: words.filter(Boolean).join(' ') };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { found: null, words: `Not compared: ${toSpillwayError(error).what}.` };
  }
}

function titleOf({ command, args, label }: Artifact): string {
  return escapeLine(command === null ? label : shownCommand(command, args ?? []));
}

function factsOf(artifact: Artifact | null, { total_lines, total_bytes, artifact_id }: FailureView) {
  const facts: [string, string | null][] = [
    ['Ended', artifact && endOf(artifact)],
    ['Directory', artifact?.cwd ?? null],
    ['Started', artifact?.started_at ?? null],
    ['Took', artifact?.duration_ms == null ? null : formatDuration(artifact.duration_ms)],
    ['Output', `${plural(total_lines ?? 0, 'line')}, ${formatBytes(total_bytes)}`],
    ['Id', artifact_id],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, escapeLine(value)] as const]));
}

function endOf({ status, exit_code, signal, kind }: Artifact): string | null {
  if (kind === 'file' && status === 'finished') return null;
  const how = signal ?? (exit_code === null ? null : `exit status ${exit_code}`);
  return `${status.replace('_', ' ')}${how === null ? '' : `, ${how}`}`;
}

/** Lines shown before and after the cause, and before and after another telling line. */
const AROUND_CAUSE = { before: 6, after: 12 };
const AROUND_LINE = { before: 1, after: 3 };

/** The cause with the lines around it, then the other telling lines in the order of the output. */
function explainingOf(view: FailureView): Quoted[] {
  const { stream, cause, likely } = view;
  const causeLine = cause?.stream === stream ? cause.line_number : undefined;
  const quoted: Quoted[] = [];
  for (const { start_line: start, lines, line } of partsWithLines(view)) {
    const isCause = causeLine !== undefined && causeLine >= start && causeLine < start + lines.length;
    const telling = isCause ? causeLine : line;
    if (telling === undefined) continue;
    const { before, after } = isCause ? AROUND_CAUSE : AROUND_LINE;
    const from = Math.max(start, telling - before);
    const shown = lines.slice(from - start, telling + after + 1 - start);
    const one: Quoted = {
      ...{ stream, first: from, lines: shown, telling: [telling] },
      why: isCause ? (likely ? 'the likely cause' : 'the cause') : '',
    };
    if (isCause) quoted.unshift(one);
    else quoted.push(one);
  }
  return quoted;
}

function headOf({ stream, first, lines, why }: Quoted): string {
  const last = first + lines.length - 1;
  const where =
    first === last ? `Line ${formatCount(first)}` : `Lines ${formatCount(first)}–${formatCount(last)}`;
  return `${where} of ${stream}${why === '' ? '' : `: ${escapeLine(why)}`}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const NO_CAUSE = 'No line explains a failure.';
const READ_AGAIN = 'Made by Spillway. Read all of it with';

function asMarkdown({ title, facts, cause, note, explaining, marks, changes, compared }: Content): string {
  const quoted = (one: Quoted): string[] => {
    const width = String(one.first + one.lines.length - 1).length;
    const rows = one.lines.map((line, index) => {
      const number = one.first + index;
      const sign = one.telling.includes(number) ? '>' : ' ';
      return `${sign} ${String(number).padStart(width)}  ${escapeControls(line)}`;
    });
    return [`${headOf(one).replace(/[\\`*_<[\]]/g, '\\$&')}`, codeBlock(rows.join('\n'))];
  };
  const changed = changes?.flatMap((finding) =>
    findingLines(finding, (text, of) => markPart(escapeControls(text), of)),
  );
  const id = facts.find(([name]) => name === 'Id')?.[1] ?? '';
  return `${[
    `# ${codeSpan(title)}`,
    facts.map(([name, value]) => `- ${name}: ${codeSpan(value)}`).join('\n'),
    '## Cause',
    ...(cause ? [`${cause.place}:`, codeBlock(escapeControls(cause.text))] : [NO_CAUSE]),
    ...(note === null ? [] : [`${sentence(note)}.`]),
    ...(explaining.length > 0 ? ['## Lines that explain it', ...explaining.flatMap(quoted)] : []),
    ...(marks.length > 0 ? ['## Marked lines', ...marks.flatMap(quoted)] : []),
    '## What changed',
    compared,
    ...(changed && changed.length > 0 ? [codeBlock(changed.join('\n'))] : []),
    `${READ_AGAIN} ${codeSpan(`spillway inspect ${id}`)}.`,
  ].join('\n\n')}\n`;
}

function html(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return escapeControls(text).replace(/[&<>"]/g, (sign) => entities[sign]!);
}

const htmlPart: ShowPart = (text, of) =>
  of === 'old' ? `<del>${html(text)}</del>` : of === 'new' ? `<ins>${html(text)}</ins>` : html(text);

function asHtml({ title, facts, cause, note, explaining, marks, changes, compared }: Content): string {
  const quoted = (one: Quoted): string => {
    const rows = one.lines.map((line, index) => {
      const number = one.first + index;
      const row = `<i>${number}</i>${html(line)}`;
      return one.telling.includes(number) ? `<b>${row}</b>` : row;
    });
    return `<h3>${html(headOf(one))}</h3><pre>${rows.join('\n')}</pre>`;
  };
  const changed = changes?.flatMap((finding) => findingLines(finding, htmlPart)) ?? [];
  const id = facts.find(([name]) => name === 'Id')?.[1] ?? '';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${html(title)}</title>
<style>${STYLE}</style>
<main>
<h1><code>${html(title)}</code></h1>
<dl>${facts.map(([name, value]) => `<dt>${html(name)}</dt><dd>${html(value)}</dd>`).join('')}</dl>
<h2>Cause</h2>
${cause ? `<p>${html(cause.place)}</p><pre class="cause">${html(cause.text)}</pre>` : `<p>${NO_CAUSE}</p>`}
${note === null ? '' : `<p>${html(sentence(note))}.</p>`}
${explaining.length > 0 ? `<h2>Lines that explain it</h2>${explaining.map(quoted).join('')}` : ''}
${marks.length > 0 ? `<h2>Marked lines</h2>${marks.map(quoted).join('')}` : ''}
<h2>What changed</h2>
<p>${html(compared)}</p>
${changed.length > 0 ? `<pre>${changed.join('\n')}</pre>` : ''}
<footer>${READ_AGAIN} <code>spillway inspect ${html(id)}</code></footer>
</main>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --muted: light-dark(#5c5c66, #a0a0ab); --line: light-dark(#d9d9df, #3a3a42);
  --surface: light-dark(#f5f5f7, #1d1d21); --failed: light-dark(#b3261e, #ff8b80); --marked: light-dark(#fde7e5, #46211f);
  --new: light-dark(#d7f2dc, #17402a) }
body { margin: 0; font: 14px/1.5 system-ui, sans-serif; background: light-dark(#fff, #141417); color: light-dark(#18181b, #ececf0) }
main { max-width: 1100px; margin: 0 auto; padding: 24px }
h1 { font-size: 20px; overflow-wrap: anywhere } h2 { margin: 28px 0 8px; font-size: 16px }
h3 { margin: 16px 0 4px; color: var(--muted); font-size: 13px; font-weight: 500 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0 } dt { color: var(--muted) } dd { margin: 0; overflow-wrap: anywhere }
pre, code { font: 12.5px/18px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace } h1 code { font-size: 18px }
pre { margin: 0; padding: 8px 12px; overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; background: var(--surface) }
pre.cause { border-color: var(--failed); color: var(--failed); white-space: pre-wrap; overflow-wrap: anywhere }
pre i { display: inline-block; min-width: 5ch; margin-right: 2ch; color: var(--muted); font-style: normal; text-align: right; user-select: none }
pre b { font-weight: inherit; background: var(--marked) } ins { background: var(--new); text-decoration: none } del { background: var(--marked) }
footer { margin-top: 32px; padding-top: 8px; border-top: 1px solid var(--line); color: var(--muted) }
`;
