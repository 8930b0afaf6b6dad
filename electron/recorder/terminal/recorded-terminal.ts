/**
 * A recorded terminal: the program on a pseudo-terminal, between the person's terminal and the recording.
 *
 *     keys    ─────────────────────────────────────────> pty ─> shell
 *     screen  <── without our marks ── PromptMarkReader <───── pty <─ shell
 *                                         │    └──────> Recording        every byte, marks too
 *                                          └───────────> TerminalLog      what was typed, and what became of it
 */
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { commandsFile } from '../../store/format/names.ts';
import { type CommandExit, shellStatus } from '../command/command-handle.ts';
import { startClock } from '../streams/clock.ts';
import type { RecordingOptions } from '../streams/open-files.ts';
import { Outlet } from '../streams/outlet.ts';
import { type Recording, startRecording } from '../streams/recording.ts';
import { ProcessName } from './foreground.ts';
import { EarlyEcho, type HeldStart, holdStart } from './held-start.ts';
import { endInput, openPty, type Pty, type PtySize } from './pty.ts';
import { type Integration, integrate } from './shell-integration/integration.ts';
import {
  type PromptMarkReader,
  PromptMarkScanner,
  VsCodePromptMarks,
} from './shell-integration/prompt-marks.ts';
import { TerminalLog } from './shell-integration/terminal-log.ts';
import { DEFAULT_SIZE, takeUserTerminal, type UserTerminal } from './user-terminal.ts';

interface TerminalOptions {
  /** Path of the program. */
  file: string;
  /** The name the person gave. */
  command: string;
  args: readonly string[];
  /** The name in the list. */
  name: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Mark prompts and commands, if the program is a shell with an integration. */
  integration: boolean;
  recording: Pick<RecordingOptions, 'home' | 'unrecorded' | 'settings' | 'session'>;
  /** Called with a sentence about why nothing is recorded, or with null. */
  onStart?: (problem: string | null) => void;
}

export interface TerminalEnd {
  /** The exit status as in a shell: 128 + n for signal n. */
  status: number;
  /** The signal that asked us to end, and by which we should end. */
  endedBy: NodeJS.Signals | null;
  artifactId: string | null;
  warnings: string[];
}

/** Runs until the program has ended. Throws SpillwayError if no pseudo-terminal can be opened. */
export function runTerminal(options: TerminalOptions): Promise<TerminalEnd> {
  return new RecordedTerminal(options).run();
}

/** Milliseconds that the program may take to end after a hang-up. */
const HANGUP_MS = 1000;
/** Longest wait for an echo, in milliseconds, as some keys have none. */
const ECHO_MS = 500;
/** Longest time, in milliseconds, that bytes which may begin a mark are kept from the screen. */
const HOLD_MS = 25;
const CTRL = { c: '\x03', backslash: '\x1c' };
/** Switches off modes that an ended program may have left on: alternate screen, mouse, focus, paste, cursor. */
const RESET_SCREEN =
  '\x1b[?47l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[0m\r\n';

class RecordedTerminal {
  readonly #options: TerminalOptions;
  readonly #clock = startClock();
  readonly #outlet: Outlet;
  readonly #user: UserTerminal;
  readonly #processName: ProcessName;
  readonly #echo = new EarlyEcho();
  /** Zero until the terminal is taken over, which reports a size at once if it knows one. */
  #size: PtySize = { columns: 0, rows: 0 };
  #recording: Recording | null = null;
  #log: TerminalLog | null = null;
  #integration: Integration | null = null;
  #scanner: PromptMarkReader | null = null;
  #pty: Pty | null = null;
  /** Number of bytes held by the scanner that were already shown. */
  #shown = 0;
  #holdTimer: NodeJS.Timeout | null = null;
  #held: HeldStart | null = null;
  #stopInput = () => {};
  #endedBy: NodeJS.Signals | null = null;
  #abandon: (() => void) | null = null;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#processName = new ProcessName(options.command);
    this.#outlet = new Outlet(1, {
      full: () => this.#pty?.pause(),
      room: () => this.#pty?.resume(),
      gone: () => this.#hangUp(),
    });
    this.#user = takeUserTerminal(
      {
        typed: (bytes) => this.#pty?.write(bytes) ?? null,
        inputEnded: () => this.#endInput(),
        resized: (size) => this.#resize(shownSize(size)),
        signalled: (signal) => this.#signalled(signal),
      },
      { isGuarded: true },
    );
    this.#size = shownSize(this.#user.size);
  }

  async run(): Promise<TerminalEnd> {
    try {
      const pty = this.#start();
      const exit = await Promise.race([pty.exited, this.#abandoned()]);
      return await this.#finish(exit);
    } finally {
      if (this.#holdTimer) clearTimeout(this.#holdTimer);
      this.#held?.release();
      this.#stopInput();
      this.#processName.stop();
      this.#integration?.remove();
      this.#user.restore();
    }
  }

  #start(): Pty {
    const { file, command, args, name, cwd, env, integration, recording: where } = this.#options;
    const recording = startRecording({
      ...where,
      ...{ kind: 'terminal', label: name, command, args, cwd, envNames: null },
      ...{ streams: ['output'], contentType: 'log', terminal: this.#size, clock: this.#clock },
    });
    this.#recording = recording;
    this.#options.onStart?.(recording.problem);
    const { artifactId, folder } = recording;
    const logFile = artifactId !== null && folder !== null ? join(folder, commandsFile(artifactId)) : null;
    this.#log = new TerminalLog(logFile, () => new Date(this.#clock()).toISOString());
    this.#log.resized(this.#size);
    const shell = { args, env: ownEnvironment(env) };
    if (integration && artifactId !== null) this.#integration = integrate(file, args, shell.env);
    if (this.#integration) this.#scanner = new PromptMarkScanner(this.#integration.nonce);
    else if (integration && env.VSCODE_NONCE) this.#scanner = new VsCodePromptMarks(env.VSCODE_NONCE);
    const start = { file, ...(this.#integration ?? shell) };
    const { early } = this.#user;
    if (early.length > 0) this.#held = holdStart(file, start.args, start.env);
    try {
      this.#pty = openPty({
        ...{ cwd, size: this.#size },
        ...(this.#held ?? start),
        onData: (bytes) => this.#output(bytes),
      });
    } catch (error) {
      void recording.finish({ status: 'finished', warnings: ['no pseudo-terminal could be opened'] });
      throw error;
    }
    this.#processName.follow(this.#pty.pid);
    if (early.length === 0) return this.#pty;
    this.#echo.expect(early, () => this.#held?.release());
    this.#pty.write(early);
    setTimeout(() => this.#held?.release(), ECHO_MS).unref();
    return this.#pty;
  }

  #output(bytes: Buffer): void {
    this.#recording?.write('output', bytes);
    this.#processName.outputCame();
    const scanner = this.#scanner;
    if (!scanner) {
      this.#log?.take({ bytes, mark: null });
      this.#outlet.push(this.#echo.without(bytes));
      return;
    }
    if (!scanner.hides) {
      this.#outlet.push(this.#echo.without(bytes));
      for (const piece of scanner.scan(bytes)) this.#log?.take(piece);
      return;
    }
    if (this.#holdTimer) clearTimeout(this.#holdTimer);
    let skip = this.#shown;
    for (const piece of scanner.scan(bytes)) {
      this.#log?.take(piece);
      if (piece.mark) this.#integration?.remove();
      // If the beginning of a mark was shown, show the rest too.
      if (!piece.mark || skip > 0) this.#outlet.push(this.#echo.without(piece.bytes.subarray(skip)));
      skip = Math.max(0, skip - piece.bytes.length);
    }
    this.#shown = skip;
    if (scanner.held.length > this.#shown) this.#holdTimer = setTimeout(() => this.#showHeld(), HOLD_MS);
  }

  #showHeld(): void {
    const held = this.#scanner?.held ?? Buffer.alloc(0);
    this.#outlet.push(held.subarray(this.#shown));
    this.#shown = held.length;
  }

  #resize(size: PtySize): void {
    if (size.columns === this.#size.columns && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#log?.resized(size);
    this.#pty?.resize(size);
  }

  #endInput(): void {
    if (isatty(0)) this.#hangUp();
    else this.#stopInput = endInput((key) => this.#pty?.write(key));
  }

  #signalled(signal: 'SIGHUP' | 'SIGTERM' | 'SIGINT' | 'SIGQUIT'): void {
    // The keyboard is not in raw mode, so type the key.
    if (signal === 'SIGINT') this.#pty?.write(CTRL.c);
    else if (signal === 'SIGQUIT') this.#pty?.write(CTRL.backslash);
    else {
      this.#endedBy ??= signal;
      this.#hangUp();
    }
  }

  /** Hangs up, as closing a shell's window does. Doesn't wait for a shell that ignores it. */
  #hangUp(): void {
    this.#pty?.kill('SIGHUP');
    setTimeout(() => this.#abandon?.(), HANGUP_MS).unref();
  }

  #abandoned(): Promise<CommandExit> {
    return new Promise((resolve) => {
      this.#abandon = () => resolve({ exitCode: null, signal: 'SIGHUP' });
    });
  }

  async #finish(exit: CommandExit): Promise<TerminalEnd> {
    const scanner = this.#scanner;
    if (scanner) {
      this.#log?.take({ bytes: scanner.held, mark: null });
      if (scanner.hides) this.#showHeld();
    }
    const status = shellStatus(exit);
    this.#log?.close(status);
    if (this.#endedBy && isatty(1)) this.#outlet.push(Buffer.from(RESET_SCREEN));
    const finished = await this.#recording?.finish({
      status: 'finished',
      exit_code: exit.exitCode,
      signal: exit.signal,
      terminal: this.#size,
    });
    // Don't let a blocked screen delay the end.
    if (this.#endedBy) await Promise.race([this.#outlet.flushed(), wait(HANGUP_MS)]);
    else await this.#outlet.flushed();
    return {
      status,
      endedBy: this.#endedBy,
      artifactId: finished?.artifactId ?? null,
      warnings: finished?.warnings ?? [],
    };
  }
}

/** Views of its screen need one. */
function shownSize({ columns, rows }: PtySize): PtySize {
  return { columns: columns || DEFAULT_SIZE.columns, rows: rows || DEFAULT_SIZE.rows };
}

/** Removes sizes from the environment, which programs would prefer over the terminal's own. */
function ownEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { COLUMNS: _, LINES: __, ...rest } = env;
  return { ...rest, TERM: env.TERM || 'xterm-256color' };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
