/** Recorded terminals as they are asked about: their output, their screen, and the commands that were typed in them. */

import { join } from 'node:path';
import * as z from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { MAX_VIEW_LINES } from '../../../shared/limits.ts';
import {
  DEFAULT_TERMINAL_LINES,
  INCOMPLETE_TERMINAL,
  type LastFailedCommand,
  type TerminalCommands,
  type TerminalCommandsParams,
  type TerminalOutput,
  type TerminalOutputParams,
  type TypedCommand,
} from '../../../shared/terminals.ts';
import { isOrAre, nearest, theNearest } from '../../../shared/text/nearest.ts';
import type { LinesView } from '../../../shared/views.ts';
import type { Catalogue } from '../../library/catalogue.ts';
import { openStream } from '../../reader/bytes/streams.ts';
import type { Captures } from '../../store/captures.ts';
import type { CaptureEntry } from '../../store/format/entry.ts';
import { isProcessAlive } from '../../store/format/owner.ts';
import { entryNames } from '../../store/format/places.ts';
import { storedOffset } from '../../store/format/record.ts';
import { readOwn } from '../../store/format/small-file.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { RequestOptions } from '../host.ts';
import type { LiveSettings } from '../settings/config.ts';
import type { Texts } from '../views/texts.ts';
import { CommandCauses, typedCommands } from './editor-terminals.ts';
import { Screens } from './screen.ts';
import { sinceView, TerminalText } from './since-view.ts';
import {
  base,
  commandTime,
  filesOf,
  lastActivity,
  maxChars,
  NOTHING_NEW,
  screenView,
  sizesFromRecord,
  terminalFacts,
  timesReach,
} from './terminal-view.ts';

interface TerminalsOptions {
  home: string;
  captures: Captures;
  catalogue: Catalogue;
  documents: TargetDocuments;
  texts: Texts;
  live: LiveSettings;
}

const DEFAULT_COMMANDS = 100;
/** Terminals that a failed command is looked for in, the most recently active first. */
const TERMINALS_LOOKED_AT = 50;

export class Terminals {
  readonly #live: LiveSettings;
  readonly #recorded: RecordedTerminals;
  readonly #text: TerminalText;
  readonly #screens = new Screens();
  readonly #causes = new CommandCauses();

  constructor(options: TerminalsOptions) {
    this.#live = options.live;
    this.#recorded = new RecordedTerminals(options.home, options.captures, options.catalogue);
    this.#text = new TerminalText(options.documents, options.texts);
  }

  /** Throws `not_found` for an unknown terminal, `usage` for a bad timestamp. */
  async output(params: TerminalOutputParams, options: RequestOptions = {}): Promise<TerminalOutput> {
    const output = await this.#output(params, options);
    const { warnings } = (await this.#recorded.find(output.artifact_id)).record;
    return warnings.includes(INCOMPLETE_TERMINAL) ? { ...output, note: INCOMPLETE_TERMINAL } : output;
  }

  async #output(params: TerminalOutputParams, options: RequestOptions): Promise<TerminalOutput> {
    const mode = params.mode ?? 'tail';
    const time = mode === 'since' ? commandTime(params.since_timestamp) : 0;
    if (mode === 'last_failed') return this.#lastFailed(params, options);
    const entry = await this.#recorded.find(params.terminal_id);
    await timesReach(entry, entry.streams[0]?.bytes ?? 0);
    if (mode === 'screen') return this.#screen(entry, options);
    const lines = params.lines ?? DEFAULT_TERMINAL_LINES;
    if (mode === 'since') {
      const { maxLineChars } = this.#live;
      return sinceView(this.#text, entry, { time, lines, maxLineChars, ...maxChars(params) }, options);
    }
    const asked = {
      tail: { mode: 'tail', lines } as const,
      head: { mode: 'head', lines } as const,
      all: { mode: 'head', lines: MAX_VIEW_LINES } as const,
    }[mode];
    return { ...(await this.#text.lines(entry, { ...asked, ...maxChars(params) }, options)), mode };
  }

  /** Throws `not_found` for an unknown terminal. */
  async terminalCommands(
    { artifact_id, failed, limit }: TerminalCommandsParams,
    options: RequestOptions = {},
  ): Promise<TerminalCommands> {
    const entry = await this.#recorded.find(artifact_id);
    const all = this.#commandsOf(entry);
    const asked = failed ? all.filter(({ status }) => status === 'failed') : all;
    const commands = asked.slice(0, limit ?? DEFAULT_COMMANDS);
    return { commands: await this.#withCauses(entry, commands, options), total: asked.length };
  }

  /** All commands of a terminal, newest first, without their causes. Throws `not_found`. */
  async typed(artifact_id: string): Promise<TypedCommand[]> {
    return this.#commandsOf(await this.#recorded.find(artifact_id));
  }

  /** The last failed command of all terminals; null when none failed. */
  async lastFailedCommand(): Promise<LastFailedCommand> {
    const failed = (await this.#refreshed()).flatMap(
      (entry) => this.#commandsOf(entry).find(({ status }) => status === 'failed') ?? [],
    );
    const command = failed.reduce<TypedCommand | null>(
      (last, one) => (last === null || (one.ended_at ?? '') > (last.ended_at ?? '') ? one : last),
      null,
    );
    return { command };
  }

  #withCauses(entry: CaptureEntry, commands: readonly TypedCommand[], options: RequestOptions) {
    return this.#causes.addTo(commands, (range) => this.#text.explained(entry, range, options));
  }

  close(): void {
    this.#screens.close();
  }

  #commandsOf(entry: CaptureEntry): TypedCommand[] {
    return typedCommands(entry, filesOf(entry).log());
  }

  /** The end of what it printed: errors come last. */
  async #lastFailed(params: TerminalOutputParams, options: RequestOptions): Promise<TerminalOutput> {
    const { terminal_id: id, lines = DEFAULT_TERMINAL_LINES } = params;
    const found =
      id === undefined
        ? (await this.lastFailedCommand()).command
        : (await this.terminalCommands({ artifact_id: id, failed: true, limit: 1 }, options)).commands[0];
    if (!found) throw await this.#noneFailed(id);
    const entry = await this.#recorded.find(found.artifact_id);
    const { start_line: first, end_line: last } = found;
    const range =
      first === null || last === null
        ? { lines: 1, start_line: Math.max(1, found.prompt_line) }
        : {
            lines: last - Math.max(first, last - lines + 1) + 1,
            start_line: Math.max(first, last - lines + 1),
          };
    const view = await this.#text.lines(entry, { mode: 'range', ...range, ...maxChars(params) }, options);
    const shown = first === null ? { ...NOTHING_NEW, ...base(view) } : view;
    // Lines after the output belong to another command.
    const next = shown.end_line !== null && shown.end_line < (last ?? 0) ? shown.next_start_line : null;
    return {
      ...{ ...shown, ...terminalFacts(entry), next_start_line: next },
      mode: 'last_failed',
      typed_command: (await this.#withCauses(entry, [found], options))[0]!,
    };
  }

  /** Only marks tell commands apart: without any, a failure may be in the text all the same. */
  async #noneFailed(id: string | undefined): Promise<SpillwayError> {
    const entries = id === undefined ? await this.#refreshed() : [await this.#recorded.find(id)];
    const isMarked = entries.length === 0 || entries.some((entry) => this.#commandsOf(entry).length > 0);
    return new SpillwayError(
      'not_found',
      isMarked
        ? "no command that a recorded terminal's shell marked has failed"
        : 'whether a typed command failed cannot be known: the shell has marked none',
      'use mode tail for the last lines; only bash, zsh and fish mark commands, and not with their startup files off',
    );
  }

  async #refreshed(): Promise<CaptureEntry[]> {
    return (await this.#recorded.byActivity()).slice(0, TERMINALS_LOOKED_AT);
  }

  async #screen(entry: CaptureEntry, options: RequestOptions): Promise<TerminalOutput> {
    const gap = entry.record.streams[0]?.gap ?? null;
    const sizes = filesOf(entry)
      .log()
      .sizes.map((size) => ({ ...size, offset: storedOffset(gap, size.offset) }));
    const document = await this.#text.document(entry, options);
    const screen = await document.use({ need: 'nothing', ...options }, (generation) =>
      this.#screens.show(entry.id, {
        ...{ stream: openStream(generation.stream), generation: generation.number },
        sizes: sizes.length > 0 ? sizes : sizesFromRecord(entry),
      }),
    );
    const view: LinesView = await this.#text.lines(entry, { mode: 'tail', lines: 1 }, options);
    return { ...NOTHING_NEW, ...base(view), ...terminalFacts(entry), ...screenView(screen) };
  }
}

// Finds recorded terminals: the named one, or the one in use.

/** Ids offered with an error. */
const OFFERED_IDS = 3;

class RecordedTerminals {
  readonly #home: string;
  readonly #captures: Captures;
  readonly #catalogue: Catalogue;

  constructor(home: string, captures: Captures, catalogue: Catalogue) {
    this.#home = home;
    this.#captures = captures;
    this.#catalogue = catalogue;
  }

  /**
   * Finds the named terminal; without a name, the active one of an editor, else the most recently active. Throws
   * `not_found`, with the ids that may be meant.
   */
  async find(id: string | undefined): Promise<CaptureEntry> {
    if (id === undefined) {
      const entry = terminalInUse(this.#home, await this.#withActivity());
      if (entry) return entry;
      throw new SpillwayError(
        'not_found',
        'no terminal has been recorded',
        'start one with `spillway terminal`',
      );
    }
    const entry = this.#captures.find(id);
    if (entry?.record.kind === 'terminal') return entry;
    await this.#captures.refresh();
    throw new SpillwayError(
      'not_found',
      entry ? `${id} is not a terminal` : `no terminal has the id ${JSON.stringify(id.slice(0, 200))}`,
      await this.#offer(id.slice(0, 200)),
    );
  }

  /** The most recently active first. */
  async byActivity(): Promise<CaptureEntry[]> {
    return (await this.#withActivity()).map(({ entry }) => entry);
  }

  async #withActivity(): Promise<{ entry: CaptureEntry; activity: number }[]> {
    await this.#captures.refresh();
    return this.#ids()
      .flatMap((id) => this.#captures.find(id) ?? [])
      .map((entry) => ({ entry, activity: lastActivity(entry) }))
      .sort((a, b) => b.activity - a.activity);
  }

  async #offer(id: string): Promise<string> {
    const near = nearest(id, this.#ids(), OFFERED_IDS);
    if (near.length > 0) return theNearest(near);
    const active = (await this.byActivity()).slice(0, OFFERED_IDS).map((one) => one.id);
    if (active.length > 0) return `the last used ${isOrAre(active)}`;
    return 'none has been recorded yet, start one with `spillway terminal`';
  }

  #ids(): string[] {
    const terminals = this.#catalogue.all().filter(({ kind }) => kind === 'terminal');
    return terminals.map(({ artifact_id }) => artifact_id);
  }
}

// Reads what editors write down of their terminals, in `run/terminals/` of the home: which one is active.
// VS Code's extension writes one file for each window (electron/vscode/terminals.ts).

const EditorWindow = z.object({
  /** The process that wrote it, and removes it at its end. */
  owner: z.number().int().positive(),
  workspace: z.string().nullable(),
  /** Process id of the active terminal. */
  active: z.number().int().nullable(),
  /** When a terminal was last chosen, or a command ended in one. */
  changed_at: z.string(),
  terminals: z.array(z.object({ pid: z.number().int() })),
});
type EditorWindow = z.infer<typeof EditorWindow>;

/**
 * Returns the terminal in use: the active one of the editor window used last, unless there was output since in a
 * terminal outside of editors. `entries`: all terminals, the most recently active first, with `activity` in
 * milliseconds.
 */
function terminalInUse(
  home: string,
  entries: readonly { entry: CaptureEntry; activity: number }[],
): CaptureEntry | null {
  const latest = entries[0];
  for (const { active, changed_at, terminals } of editorWindows(home)) {
    const found = entries.find(({ entry }) => active !== null && pidOf(entry) === active);
    if (!found || !latest) continue;
    const isLatestHere = terminals.some(({ pid }) => pid === pidOf(latest.entry));
    return isLatestHere || latest.activity <= Date.parse(changed_at) ? found.entry : latest.entry;
  }
  return latest?.entry ?? null;
}

/** The one used last comes first. */
function editorWindows(home: string): EditorWindow[] {
  const folder = join(home, 'run', 'terminals');
  return entryNames(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => read(join(folder, name)) ?? [])
    .filter(({ owner }) => isProcessAlive(owner))
    .sort((a, b) => b.changed_at.localeCompare(a.changed_at));
}

function pidOf({ record }: CaptureEntry): number | null {
  return record.status === 'running' ? (record.recorder?.pid ?? null) : null;
}

function read(path: string): EditorWindow | null {
  try {
    return EditorWindow.safeParse(JSON.parse(readOwn(path) ?? '')).data ?? null;
  } catch {
    return null;
  }
}
