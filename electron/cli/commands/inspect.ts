/** `spillway inspect`: prints the selected lines, or a summary as a report. Notes go to standard error. */

import { existsSync } from 'node:fs';
import type { ViewMode } from '../../../shared/arguments/argument.ts';
import { viewMode } from '../../../shared/arguments/modes.ts';
import { INSPECT_ARGUMENTS } from '../../../shared/arguments/views.ts';
import { isTerminalId } from '../../../shared/artifact-names.ts';
import { namedLines } from '../../../shared/comparison.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ByteWindow, InspectParams, ReadParams, ReportFormat, View } from '../../../shared/views.ts';
import { withArchive } from '../../host/archive/access.ts';
import type { Host, ReadProgress } from '../../host/host.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { inspectLastFailed } from '../../host/terminal/terminal-view.ts';
import {
  byKind,
  comparedWith,
  findingLines,
  markPart,
  newInFailure,
  newSinceItPassed,
  nothingIn,
  type ShowPart,
} from '../../host/views/comparison-text.ts';
import { spelled } from '../declare/options.ts';
import {
  draw,
  forOutput,
  hasColour,
  noteForPerson,
  print,
  printJson,
  styled,
  tell,
  terminalLook,
} from '../output/print.ts';
import {
  type ByMode,
  byMode,
  clipped,
  colouredGrep,
  failedCommands,
  MOST_NAMED,
  numberedExplanation,
  outlineTable,
  rawBytes,
  redactedNote,
  summaryReport,
  viewNotes,
} from '../output/views.ts';
import { fromPipe, targetOf, withArchived } from '../target.ts';
import { isLargeFile, type Look, redacting, searchNeedsThreads, withHost } from '../with-host.ts';

/** Returns the exit status: 1 when grep found nothing, 2 when it gave up, or found nothing in what it could search. */
export async function inspect(given: string, params: InspectParams, look: Look): Promise<number> {
  return fromPipe(given, async (target) => {
    const mode = viewMode(params, (name) => spelled(INSPECT_ARGUMENTS[name]));
    const wanted = async () => (await import('../../host/archive/reader.ts')).wantedByView(mode, params);
    return withArchived(target, wanted, (home) => inspectTarget(target, { ...params, mode }, look, home));
  });
}

async function inspectTarget(
  given: string,
  params: InspectParams & { mode: ViewMode },
  { json, redact }: Look,
  home: string | undefined,
): Promise<number> {
  const { mode } = params;
  const { pattern } = params;
  if (mode === 'grep' && pattern === undefined && params.where === undefined)
    throw new SpillwayError(
      'usage',
      'grep needs a pattern',
      'say what to look for with --pattern or --where',
    );
  const { view, raw, failed } = await withHost(
    async (host) => {
      const asked = { ...(await targetOf(given, host)), ...params, mode };
      const progress = new ProgressLine();
      const onProgress = progress.show.bind(progress);
      const masking = redacting(redact);
      const options = { surface: 'command line' as const, onProgress, ...masking };
      const view = await inspectLastFailed(host, asked, options).finally(() => progress.clear());
      const found = await newInFailure(host, view, params, {});
      const changes = found && (masking.redact?.mask(found).text ?? found);
      if (changes !== null) view.note = view.note === undefined ? changes : `${changes}; ${view.note}`;
      const isRaw = params.raw === true && !json && view.mode !== 'summary' && view.mode !== 'outline';
      return {
        view,
        raw: isRaw ? await rawBytes(view, asked, host) : null,
        failed: json
          ? []
          : (await failedIn(view, params, host)).map((line) => masking.redact?.mask(line).text ?? line),
      };
    },
    {
      home,
      threads:
        mode === 'grep'
          ? searchNeedsThreads(given, pattern ?? '', params.fixed)
          : (mode === 'summary' || mode === 'outline' || params.section !== undefined) && isLargeFile(given),
    },
  );
  if (json) await printJson(view);
  else await printView(view, params, raw);
  for (const line of failed) await tell(noteForPerson(line));
  if (view.mode !== 'grep') return 0;
  if (view.timed_out) return 2;
  if (view.match_count > 0) return 0;
  return view.unsearched ? 2 : 1;
}

/** Returns lines about a terminal's failed commands; none for a part of it, or another artifact. */
async function failedIn(view: View, { start_line, end_line }: InspectParams, host: Host): Promise<string[]> {
  const { mode, artifact_id } = view;
  if (mode !== 'failure' || !isTerminalId(artifact_id)) return [];
  if (start_line !== undefined || end_line !== undefined) return [];
  return failedCommands(await host.terminalCommands({ artifact_id, failed: true, limit: MOST_NAMED }));
}

/** `raw`: the lines as bytes, if `--raw` was given. */
async function printView(view: View, params: InspectParams, raw: Buffer | null): Promise<void> {
  const text = byMode(TEXT, view, terminalLook().isTerminal);
  if (view.mode === 'outline' && text !== '') await print(`${text}\n`);
  else if (view.mode === 'summary') await print(text);
  else if (view.lines_shown > 0) await print(raw ?? `${text}\n`);
  for (const note of [...viewNotes(view, params), ...redactedNote(view.redacted)])
    await tell(noteForPerson(note));
}

const TEXT: ByMode<[isTerminal: boolean], string> = {
  head: plainLines,
  tail: plainLines,
  range: plainLines,
  grep: (view, isTerminal) => (isTerminal ? colouredGrep(view) : plainLines(view)),
  summary: (view) => forOutput(summaryReport(view), false),
  failure: numberedExplanation,
  outline: outlineTable,
};

function plainLines({ content }: { content: string }): string {
  return forOutput(content, false);
}

/** A faster view shows no progress. */
const PATIENCE_MS = 500;
const MB = 1e6;

class ProgressLine {
  readonly #begun = performance.now();
  #drawn = false;

  show({ read_bytes, total_bytes }: ReadProgress): void {
    if (performance.now() - this.#begun < PATIENCE_MS) return;
    this.#drawn = true;
    const read = Math.round(read_bytes / MB);
    const figures =
      total_bytes === null
        ? `${read} MB unpacked and read`
        : `${Math.floor((100 * read_bytes) / Math.max(1, total_bytes))} %: ${read} of ${Math.round(total_bytes / MB)} MB read`;
    void draw(`\r\x1b[2K${figures}`);
  }

  async clear(): Promise<void> {
    if (this.#drawn) await draw('\r\x1b[2K');
  }
}

// `spillway compare`: prints what an output has that runs that passed have not.

/** An output, or lines of it: `ID:from-to`. A file of such a name is meant itself. */
async function partOf(given: string, host: Host) {
  const lines = namedLines(given);
  if (lines === null || existsSync(given)) return targetOf(given, host);
  const { name, ...range } = lines;
  return { ...(await targetOf(name, host)), ...range };
}

const showPart: ShowPart = (text, of) => markPart(forOutput(text, false), of);
const colourPart: ShowPart = (text, of) =>
  styled(forOutput(text, false), of === 'old' ? 'red' : of === 'new' ? 'green' : null);

/** Returns the exit status: 1 if something differs, 2 if not all was compared and nothing is known to differ. */
export async function compare(failed: string, passed: readonly string[], json: boolean): Promise<number> {
  const needs = { threads: [failed, ...passed].some(isLargeFile) };
  const found = await withHost(async (own) => {
    const host = withArchive(own, resolveHome(process.env), 'person');
    const baselines = await Promise.all(passed.map((one) => partOf(one, host)));
    const target = await partOf(failed, host);
    const named = passed.length === 0 ? {} : { baselines };
    return host.compare({ ...target, ...named, all_lines: json }, { surface: 'command line' });
  }, needs);
  const { findings, total_findings: total, note } = found;
  if (json) await printJson(found);
  else {
    const show = hasColour() ? colourPart : showPart;
    const lines = byKind(findings).flatMap((finding) => findingLines(finding, show));
    await print(lines.map((line) => `${line}\n`).join(''));
    const named = comparedWith(found, passed[0]);
    const nothing = found.truncated ? 'not all was compared: in the rest nothing is new' : nothingIn(found);
    await tell(noteForPerson(total === 0 ? `${nothing}, ${named}` : named));
    if (total > findings.length)
      await tell(noteForPerson(`these are the ${findings.length} most telling of ${total} findings`));
    if (note !== undefined) await tell(noteForPerson(note));
  }
  return total > 0 || found.exit_codes ? 1 : found.truncated ? 2 : 0;
}

/** `spillway read`: prints a range of bytes as text; with a pattern, the matching lines from an offset on. */
export async function read(given: string, params: ReadParams, look: Look): Promise<number> {
  return fromPipe(given, (target) => {
    const wanted = async () => (await import('../../host/archive/reader.ts')).wantedByRead(params);
    return withArchived(target, wanted, (home) => readTarget(target, params, look, home));
  });
}

async function readTarget(
  given: string,
  params: ReadParams,
  { json, redact }: Look,
  home: string | undefined,
): Promise<number> {
  const { search } = params;
  if (search === '') throw new SpillwayError('usage', '--search cannot be ""', 'say what to look for');
  const window = await withHost(
    async (host) =>
      host.read(
        { ...(await targetOf(given, host)), ...params },
        { surface: 'command line', ...redacting(redact) },
      ),
    {
      home,
      threads: search !== undefined && searchNeedsThreads(given, search),
    },
  );
  if (json) {
    await printJson(window);
    return 0;
  }
  const searched = window.match_count !== undefined;
  // Matching lines lack a final line end; a range of bytes has its own.
  await print(forOutput(searched && window.content !== '' ? `${window.content}\n` : window.content, false));
  for (const note of [...notes(window), ...redactedNote(window.redacted)]) await tell(noteForPerson(note));
  return 0;
}

function notes(window: ByteWindow): string[] {
  const notes = window.note === undefined ? [] : [window.note];
  const { match_count: count, lines_shown: shown, next_offset: next } = window;
  if (count === undefined) return notes;
  if (count === 0) notes.push('no line matches');
  else if (shown === 0) notes.push(`none of the ${count} matching lines is at or after this offset`);
  else if (next !== null)
    notes.push(`these are ${shown} of ${count} matching lines: go on with --offset ${next}`);
  return [...notes, ...clipped(window.clipped_lines)];
}

/** `spillway report`: prints a failure as one document to give away. */
export async function report(given: string, format: ReportFormat, redact: boolean): Promise<number> {
  const { text, redacted } = await withHost(async (host) =>
    host.report({ ...(await targetOf(given, host)), format, redact }, { surface: 'command line' }),
  );
  await print(forOutput(text, false));
  for (const note of redactedNote(redacted || undefined)) await tell(noteForPerson(note));
  return 0;
}

/** For the last line of a failed `run`: compares it with the last time its command passed. */
const MOST_CHARS = 200;
/** `run` gives up earlier. */
const MOST_MS = 30_000;

export function changesSinceItPassed(artifactId: string): Promise<string | null> {
  return withHost((host) => newSinceItPassed(host, artifactId, MOST_CHARS, {}, MOST_MS));
}
