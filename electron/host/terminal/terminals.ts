/** Recorded terminals as they are asked about: their output, their screen, and the commands that were typed in them. */

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
import type { LinesView } from '../../../shared/views.ts';
import type { Catalogue } from '../../library/catalogue.ts';
import { openStream } from '../../reader/bytes/streams.ts';
import type { Captures } from '../../store/captures.ts';
import type { CaptureEntry } from '../../store/format/entry.ts';
import { storedOffset } from '../../store/format/record.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { RequestOptions } from '../host.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { Texts } from '../views/texts.ts';
import { RecordedTerminals } from './recorded-terminals.ts';
import { Screens } from './screen.ts';
import { sinceView, TerminalText } from './since-view.ts';
import {
  base,
  commandTime,
  filesOf,
  maxChars,
  NOTHING_NEW,
  screenView,
  sizesFromRecord,
  terminalFacts,
  timesReach,
} from './terminal-view.ts';
import { CommandCauses, typedCommands } from './typed-commands.ts';

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
    const failed = (await this.#lookedAt()).flatMap(
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
    const said = first === null ? { ...NOTHING_NEW, ...base(view) } : view;
    // Lines after the output belong to another command.
    const next = said.end_line !== null && said.end_line < (last ?? 0) ? said.next_start_line : null;
    return {
      ...{ ...said, ...terminalFacts(entry), next_start_line: next },
      mode: 'last_failed',
      typed_command: (await this.#withCauses(entry, [found], options))[0]!,
    };
  }

  /** Only marks tell commands apart: without any, a failure may be in the text all the same. */
  async #noneFailed(id: string | undefined): Promise<SpillwayError> {
    const entries = id === undefined ? await this.#lookedAt() : [await this.#recorded.find(id)];
    const isMarked = entries.length === 0 || entries.some((entry) => this.#commandsOf(entry).length > 0);
    return new SpillwayError(
      'not_found',
      isMarked
        ? "no command that a recorded terminal's shell marked has failed"
        : 'whether a typed command failed cannot be known: the shell has marked none',
      'use mode tail for the last lines; only bash, zsh and fish mark commands, and not with their startup files off',
    );
  }

  async #lookedAt(): Promise<CaptureEntry[]> {
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
