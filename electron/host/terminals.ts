/** Recorded terminals as they are asked about: their output, their screen, and the commands that were typed in them. */
import type { Artifact } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { MAX_VIEW_LINES } from '../../shared/limits.ts';
import {
  DEFAULT_TERMINAL_LINES,
  type TerminalCommands,
  type TerminalCommandsParams,
  type TerminalOutput,
  type TerminalOutputParams,
  type TypedCommand,
} from '../../shared/terminals.ts';
import { nearest } from '../../shared/text/nearest.ts';
import type { LinesView, Target } from '../../shared/views.ts';
import type { Captures } from '../library/captures/captures.ts';
import type { CaptureEntry } from '../library/captures/entry.ts';
import { storedOffset } from '../library/captures/gap-offsets.ts';
import { offsetSince } from '../library/captures/since.ts';
import { openSource } from '../reader/source.ts';
import type { Document } from './documents/document.ts';
import type { Access, Host, RequestOptions } from './host.ts';
import { newPartOfLine } from './terminal/new-part.ts';
import { Screens } from './terminal/screen.ts';
import { typedCommands } from './terminal/typed-commands.ts';
import {
  base,
  type Facts,
  factsOf,
  filesOf,
  lastActivity,
  maxChars,
  NOTHING_NEW,
  screenView,
  sizesFromRecord,
  targetOf,
  timeOf,
  timesReach,
} from './terminal/view-parts.ts';

export interface TerminalsOptions {
  captures: Captures;
  /** All that are known. */
  artifacts(): readonly Artifact[];
  document(target: Target, access: Access): Promise<Document>;
  inspect: Host['inspect'];
  lineAt(document: Document, offset: number, options?: RequestOptions): Promise<number>;
  maxLineChars: number;
}

const DEFAULT_COMMANDS = 100;
/** Terminals that a failed command is looked for in, the most recently active first. */
const TERMINALS_LOOKED_AT = 50;

export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #screens = new Screens();

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  /** Throws `not_found` when there is no such terminal, `usage` for a moment that is none. */
  async output(params: TerminalOutputParams, options: RequestOptions = {}): Promise<TerminalOutput> {
    const mode = params.mode ?? 'tail';
    const time = mode === 'since' ? timeOf(params.since_timestamp) : 0;
    if (mode === 'last_failed') return this.#lastFailed(params, options);
    const entry = await this.#terminal(params.terminal_id);
    await timesReach(entry, entry.streams[0]?.bytes ?? 0);
    if (mode === 'screen') return this.#screen(entry, options);
    const lines = params.lines ?? DEFAULT_TERMINAL_LINES;
    if (mode === 'since') return this.#since(entry, time, { ...params, lines }, options);
    const asked = {
      tail: { mode: 'tail', lines } as const,
      head: { mode: 'head', lines } as const,
      all: { mode: 'head', lines: MAX_VIEW_LINES } as const,
    }[mode];
    return { ...(await this.#lines(entry, { ...asked, ...maxChars(params) }, options)), mode };
  }

  /** Throws `not_found` when there is no such terminal. */
  async commands({ artifact_id, failed, limit }: TerminalCommandsParams): Promise<TerminalCommands> {
    const all = this.#commandsOf(await this.#terminal(artifact_id));
    const asked = failed ? all.filter(({ status }) => status === 'failed') : all;
    return { commands: asked.slice(0, limit ?? DEFAULT_COMMANDS), total: asked.length };
  }

  /** Of all terminals, the one that failed last; null when none did. */
  async lastFailed(): Promise<TypedCommand | null> {
    const entries = (await this.#byActivity()).slice(0, TERMINALS_LOOKED_AT);
    const failed = entries.flatMap(
      (entry) => this.#commandsOf(entry).find(({ status }) => status === 'failed') ?? [],
    );
    return failed.reduce<TypedCommand | null>(
      (last, one) => (last === null || (one.ended_at ?? '') > (last.ended_at ?? '') ? one : last),
      null,
    );
  }

  close(): void {
    this.#screens.close();
  }

  #commandsOf(entry: CaptureEntry): TypedCommand[] {
    return typedCommands(entry, filesOf(entry).log());
  }

  async #lines(
    entry: CaptureEntry,
    params: { mode: 'head' | 'tail' | 'range'; lines: number; start_line?: number; max_chars?: number },
    options: RequestOptions,
  ): Promise<LinesView & Facts> {
    const view = await this.#options.inspect({ ...params, ...targetOf(entry) }, options);
    return { ...(view as LinesView), ...factsOf(entry) };
  }

  /** The end of what it printed: errors come last. */
  async #lastFailed(params: TerminalOutputParams, options: RequestOptions): Promise<TerminalOutput> {
    const { terminal_id: id, lines = DEFAULT_TERMINAL_LINES } = params;
    const found =
      id === undefined
        ? await this.lastFailed()
        : (await this.commands({ artifact_id: id, failed: true, limit: 1 })).commands[0];
    if (!found) {
      throw new SpillwayError(
        'not_found',
        'no command that was typed in a recorded terminal has failed',
        'mode tail gives the last lines; commands are known of bash and zsh only',
      );
    }
    const entry = await this.#terminal(found.artifact_id);
    const { start_line: first, end_line: last } = found;
    const range =
      first === null || last === null
        ? { lines: 1, start_line: Math.max(1, found.prompt_line) }
        : {
            lines: last - Math.max(first, last - lines + 1) + 1,
            start_line: Math.max(first, last - lines + 1),
          };
    const view = await this.#lines(entry, { mode: 'range', ...range, ...maxChars(params) }, options);
    const said = first === null ? { ...NOTHING_NEW, ...base(view) } : view;
    // What follows the output is another command's.
    const next = said.end_line !== null && said.end_line < (last ?? 0) ? said.next_start_line : null;
    return {
      ...{ ...said, ...factsOf(entry), next_start_line: next },
      mode: 'last_failed',
      typed_command: found,
    };
  }

  async #since(
    entry: CaptureEntry,
    time: number,
    params: TerminalOutputParams & { lines: number },
    options: RequestOptions,
  ): Promise<TerminalOutput> {
    const document = await this.#options.document(targetOf(entry), options.access ?? 'person');
    const found = await document.use({ need: 'everything', ...options }, async (generation) => {
      const source = openSource(generation.source);
      const gap = entry.record.streams[0]?.gap ?? null;
      await timesReach(entry, source.size);
      const stored = { source, gap };
      const offset = filesOf(entry).withTimes((times) => offsetSince(times, 0, time, stored));
      return { offset, size: source.size };
    });
    const start = await this.#options.lineAt(document, found.offset, options);
    const range = { mode: 'range', start_line: start, lines: params.lines, ...maxChars(params) } as const;
    const view: LinesView = await this.#lines(entry, range, options);
    const facts = factsOf(entry);
    if (found.offset >= found.size) return { ...NOTHING_NEW, ...base(view), ...facts };
    if (view.start_offset === null || view.start_line !== start || view.start_offset >= found.offset)
      return { ...view, ...facts, mode: 'since' };
    return {
      ...(await this.#withoutOldPart(document, view, found.offset, options)),
      ...facts,
    };
  }

  /** The first line began before: what is new of it alone. */
  #withoutOldPart(document: Document, view: LinesView, offset: number, options: RequestOptions) {
    return document.use({ need: 'nothing', ...options }, async (generation) => {
      const source = openSource(generation.source);
      const part = newPartOfLine(source, view.start_offset ?? 0, offset, this.#options.maxLineChars);
      const [, ...rest] = view.content.split('\n');
      return {
        ...view,
        mode: 'since' as const,
        start_offset: part.offset,
        content: [part.text, ...rest].join('\n'),
        truncated: true,
        note: [view.note, `line ${view.start_line} had begun before: only what is new of it is shown`]
          .filter(Boolean)
          .join('; '),
      };
    });
  }

  async #screen(entry: CaptureEntry, options: RequestOptions): Promise<TerminalOutput> {
    const gap = entry.record.streams[0]?.gap ?? null;
    const sizes = filesOf(entry)
      .log()
      .sizes.map((size) => ({ ...size, offset: storedOffset(gap, size.offset) }));
    const document = await this.#options.document(targetOf(entry), options.access ?? 'person');
    const screen = await document.use({ need: 'nothing', ...options }, (generation) =>
      this.#screens.show(entry.id, {
        ...{ source: openSource(generation.source), generation: generation.number },
        sizes: sizes.length > 0 ? sizes : sizesFromRecord(entry),
      }),
    );
    const view: LinesView = await this.#lines(entry, { mode: 'tail', lines: 1 }, options);
    return { ...NOTHING_NEW, ...base(view), ...factsOf(entry), ...screenView(screen) };
  }

  async #terminal(id: string | undefined): Promise<CaptureEntry> {
    if (id === undefined) {
      const [entry] = await this.#byActivity();
      if (entry) return entry;
      throw new SpillwayError(
        'not_found',
        'no terminal has been recorded',
        'start one with: spillway terminal',
      );
    }
    const entry = this.#options.captures.find(id);
    if (entry?.record.kind === 'terminal') return entry;
    await this.#options.captures.refresh();
    const near = nearest(id.slice(0, 200), this.#ids(), 3);
    const todo =
      near.length > 0
        ? `the nearest: ${near.join(', ')}`
        : 'none has been recorded, start one with: spillway terminal';
    throw new SpillwayError(
      'not_found',
      entry ? `${id} is no terminal` : `no terminal has the id ${JSON.stringify(id.slice(0, 200))}`,
      todo,
    );
  }

  async #byActivity(): Promise<CaptureEntry[]> {
    await this.#options.captures.refresh();
    return this.#ids()
      .flatMap((id) => this.#options.captures.find(id) ?? [])
      .map((entry) => ({ entry, at: lastActivity(entry) }))
      .sort((a, b) => b.at - a.at)
      .map(({ entry }) => entry);
  }

  #ids(): string[] {
    const terminals = this.#options.artifacts().filter(({ kind }) => kind === 'terminal');
    return terminals.map(({ artifact_id }) => artifact_id);
  }
}
