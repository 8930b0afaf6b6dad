/**
 * Runs a command on a terminal of its own, connected to the person's: keys and window sizes are passed on. Ctrl-C and
 * the like reach the command through its terminal.
 */
import { spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { RecordedStreamName } from '../streams/outcome.ts';
import { type ReadEnd, readFrom } from '../streams/read-end.ts';
import { EarlyEcho } from '../terminal/held-start.ts';
import {
  endInput,
  type LineSettings,
  lineSettings,
  openPty,
  openTerminal,
  type Pty,
  type PtySize,
  UnixPty,
} from '../terminal/pty.ts';
import { endOfMaster } from '../terminal/pty-master.ts';
import { sizeNow, takeUserTerminal, type UserTerminal } from '../terminal/user-terminal.ts';
import type {
  CommandEnd,
  CommandExit,
  CommandHandle,
  CommandOptions,
  Prepared,
  Takers,
} from './command-handle.ts';
import { folderToEnter } from './find-command.ts';
import { asGiven } from './given-bytes.ts';
import { type Leader, startLeader } from './leader.ts';
import { findPerl, inPerl, STARTER_PRELUDE } from './perl.ts';
import { endTree, GRACE_MS, type ProcessTree, type Survivor } from './process-tree.ts';
import { outputsOf, prepareOnPipes } from './run-on-pipes.ts';

interface PtyCommandOptions extends CommandOptions {
  /** Called when the person presses the key for interrupt or quit. */
  onAsked(signal: NodeJS.Signals): void;
}

export interface StartedPtyOptions extends PtyCommandOptions {
  take: Takers;
  /** Called when the command has exited, before its last output is read. */
  onExit(): void;
  /** Without a leader, background children get SIGHUP at the end, and Ctrl-Z does nothing. */
  perl: string | null;
}

/** Longest wait for a blocked screen before we stop with a stopped command. */
const LAST_SHOWN_MS = 1000;
/** Longest wait for the echo of early keys, as some have none. */
const ECHO_MS = 100;

/**
 * Throws SpillwayError `unsupported` without terminals, and the system's error if the start fails: ENOENT, EACCES and
 * the like.
 */
export function prepareOnPty(options: PtyCommandOptions): Prepared {
  return {
    async start(take, onExit) {
      try {
        return await runOnPty({ ...options, take, onExit, perl: findPerl() });
      } catch (error) {
        if (!(error instanceof NoLeader)) throw error;
        const { streams, screens } = options.plan;
        const plan = { ...options.plan, terminal: false, screens: { ...screens, [streams[0]!]: 1 as const } };
        return prepareOnPipes({ ...options, plan }).start(take, onExit);
      }
    },
  };
}

/** Only a leader can give a command a terminal and another stderr, and none works here. */
class NoLeader extends Error {}

export async function runOnPty(options: StartedPtyOptions): Promise<CommandHandle> {
  const running = new RunningOnPty(options);
  await running.start();
  return running;
}

interface Started {
  pid: number;
  pty: Pty;
  leader: Leader | null;
  exited: Promise<CommandExit>;
}

class RunningOnPty implements CommandHandle {
  readonly ended: Promise<CommandEnd>;
  readonly #options: StartedPtyOptions;
  readonly #settings: LineSettings | null;
  /** The size of the person's terminal. */
  #size = sizeNow();
  #leader: Leader | null = null;
  #pty: Pty | null = null;
  #led: Started | null = null;
  /** Its stderr, if that leads elsewhere. */
  #stderr: ReadEnd | null = null;
  #user: UserTerminal | null = null;
  #stopInput = () => {};
  /** Keys that the person's terminal has echoed, typed before it was ours. */
  #early: Buffer = Buffer.alloc(0);
  /** Keys typed since, before the command has started. */
  #typed: Buffer[] = [];
  readonly #echo = new EarlyEcho();
  readonly #starting = new AbortController();
  /** Ends a start that hangs. */
  #giveUp: NodeJS.Timeout | null = null;
  #givenUpBy: NodeJS.Signals | null = null;
  #reason: CommandEnd['reason'] = 'exited';
  #ending: Promise<readonly Survivor[]> | null = null;
  #waiting: Promise<void> = Promise.resolve();
  #hasEnded: (end: Promise<CommandEnd>) => void = () => {};

  constructor(options: StartedPtyOptions) {
    this.#options = options;
    this.#settings = options.stdin === 'inherit' ? lineSettings() : null;
    this.ended = new Promise((resolve) => {
      this.#hasEnded = resolve;
    });
  }

  async start(): Promise<void> {
    const { timeout, abort } = this.#options;
    const timer = timeout === null ? null : setTimeout(() => this.#end('timed_out'), timeout);
    const onAbort = () => this.#end('cancelled');
    abort?.addEventListener('abort', onAbort, { once: true });
    if (abort?.aborted) onAbort();
    const unwatch = () => {
      if (timer) clearTimeout(timer);
      abort?.removeEventListener('abort', onAbort);
    };
    try {
      this.#led = (await this.#startLed()) ?? this.#startUnled();
    } catch (error) {
      unwatch();
      this.#leaveUser();
      if (!this.#starting.signal.aborted) throw error;
      const end = { reason: this.#reason, exitCode: null, signal: this.#givenUpBy, open: {}, survivors: [] };
      this.#hasEnded(Promise.resolve(end));
      return;
    } finally {
      if (this.#giveUp) clearTimeout(this.#giveUp);
    }
    const led = this.#led;
    for (const bytes of this.#typed.splice(0)) led.pty.write(bytes);
    // The window may have changed meanwhile.
    this.#resized(sizeNow());
    const ended = led.exited.then((exit) => {
      this.#options.onExit();
      unwatch();
      return this.#conclude(led, exit);
    });
    this.#hasEnded(ended);
  }

  /**
   * Starts the command behind a leader. Null if none works here. Throws start errors with a `code`, and the abort reason
   * once every process of it has ended.
   */
  async #startLed(): Promise<Started | null> {
    const { plan, perl, cwd, reap, stdin } = this.#options;
    if (perl === null) return null;
    const terminal = { ...openTerminal(this.#size), settings: this.#settings?.words ?? '' };
    const { master, slave, path } = terminal;
    const [, stderr] = outputsOf({ ...plan, screens: { ...plan.screens, [plan.streams[0]!]: undefined } });
    const screen = stderr?.screen ?? null;
    let leader: Leader | null;
    try {
      leader = startLeader(
        {
          ...{ ...asGiven(this.#withTerm(), perl), cwd: folderToEnter(cwd), stdin, reap, ownGroup: false },
          terminal,
          outputs: [terminal, ...(stderr ? [screen ?? ('pipe' as const)] : [])],
        },
        perl,
      );
    } catch (error) {
      closeSync(master);
      if (isOfCommand(error)) throw error;
      return null;
    } finally {
      // Holding this end open prevents a hang-up.
      closeSync(slave);
      screen?.closeSlave();
    }
    if (leader === null) {
      closeSync(master);
      return null;
    }
    this.#leader = leader;
    const gone = leader.gone.then(() => ({ exitCode: null, signal: null }));
    const pty = new UnixPty({ pid: leader.pid ?? 0, fd: master, path, exited: gone }, (bytes) =>
      this.#take(bytes),
    );
    this.#pty = pty;
    leader.onStop = (signal) => void this.#stopped(leader, signal);
    // Take the terminal while the leader starts.
    this.#takeUser();
    try {
      const opened = await Promise.race([leader.open(), aborted(this.#starting.signal)]);
      if (opened === null) return await this.#withoutLeader(leader, pty);
      if (stderr) {
        const take = this.#options.take(stderr.name);
        this.#stderr = screen
          ? screen.read(take, leader.telling.includes(screen.master))
          : readFrom(opened[0]!.fd, take);
      }
      await this.#passEarly(pty);
      const pid = await Promise.race([leader.start(), aborted(this.#starting.signal)]);
      return { pid, pty, leader, exited: leader.exited };
    } catch (error) {
      leader.release();
      this.#stderr?.close();
      if (this.#starting.signal.aborted) {
        await endTree({ pid: leader.pid ?? 0, ownGroup: true, outputs: [path] });
        await leader.gone;
      } else if ((error as NodeJS.ErrnoException).code === undefined) return this.#withoutLeader(leader, pty);
      throw error;
    }
  }

  async #withoutLeader(leader: Leader, pty: Pty): Promise<null> {
    leader.release();
    this.#stderr?.close();
    // It closes our side.
    await pty.exited;
    return null;
  }

  /** Starts the command as the leader of its own session. */
  #startUnled(): Started {
    const { plan, path, cwd, args } = this.#options;
    this.#starting.signal.throwIfAborted();
    if (plan.streams.length > 1) throw new NoLeader();
    const { env } = this.#withTerm();
    const onData = (bytes: Buffer) => this.#take(bytes);
    const pty = openPty({ file: path, args, cwd: folderToEnter(cwd) ?? '.', env, size: this.#size, onData });
    this.#pty = pty;
    this.#takeUser();
    return { pid: pty.pid, pty, leader: null, exited: pty.exited };
  }

  /** Terminal programs need the name of a terminal; a person's terminal has told it already. */
  #withTerm(): StartedPtyOptions {
    const { env } = this.#options;
    const isTypeKnown = env.TERM || [0, 1, 2].some((fd) => isatty(fd));
    return isTypeKnown ? this.#options : { ...this.#options, env: { ...env, TERM: 'xterm-256color' } };
  }

  /** Types the keys that came before we had the person's terminal, which has echoed them. */
  async #passEarly(pty: Pty): Promise<void> {
    const early = this.#early;
    if (early.length === 0) return;
    const { echoes, endOfFile } = this.#settings ?? { echoes: true, endOfFile: 0x04 };
    const echoed = new Promise<void>((resolve) => {
      // Of the end of input there is a NUL, and no echo.
      if (echoes) this.#echo.expect(Buffer.from(early.filter((byte) => byte !== 0)), resolve);
      else resolve();
    });
    pty.write(early.map((byte) => byte || endOfFile || 0));
    await Promise.race([echoed, new Promise((resolve) => setTimeout(resolve, ECHO_MS).unref())]);
  }

  /** 0 if the start was given up. */
  get pid(): number {
    return this.#led?.pid ?? 0;
  }

  /** Sends it to the command's group, as the terminal would. */
  signal(signal: NodeJS.Signals): void {
    if (this.pid === 0) return;
    try {
      process.kill(-this.pid, signal);
    } catch {
      // It has already ended.
    }
  }

  /** Always false: the command has a session of its own, so no signal to our process group reaches it. */
  async sawSignal(): Promise<boolean> {
    return false;
  }

  hangUp(stream: RecordedStreamName): void {
    if (stream !== this.#options.plan.streams[0]) this.#stderr?.close();
    else this.signal('SIGHUP');
  }

  cancel(): void {
    this.#end('cancelled');
  }

  #takeUser(): void {
    if (this.#options.stdin !== 'inherit' || this.#user) return;
    const { interrupt, quit } = (this.#leader && this.#settings) ?? { interrupt: 0x03, quit: 0x1c };
    const keys = [[interrupt, 'SIGINT'] as const, [quit, 'SIGQUIT'] as const];
    const write = (bytes: Buffer | string) => {
      if (this.#led) return this.#led.pty.write(bytes);
      this.#typed.push(Buffer.from(bytes));
      return null;
    };
    const typed = (bytes: Buffer) => {
      for (const [key, signal] of keys) {
        if (key === null || !bytes.includes(key)) continue;
        this.#options.onAsked(signal);
        this.#giveUpSoon(signal);
      }
      return write(bytes);
    };
    this.#user = takeUserTerminal({
      found: this.#settings?.words,
      typed,
      inputEnded: () => {
        this.#stopInput = endInput(write);
      },
      resized: (now) => this.#resized(now),
      // The caller passes the signal on.
      signalled: (signal) => this.#giveUpSoon(signal),
    });
    const { early } = this.#user;
    // The terminal turns these keys into signals until it is ours: they came after that, and were not echoed.
    if (keys.some(([key]) => key !== null && early.includes(key))) typed(early);
    else this.#early = early;
  }

  /** Gives up if the command has not started soon. Usually it has, and then gets the signal. */
  #giveUpSoon(signal: NodeJS.Signals): void {
    if (this.#led || this.#giveUp) return;
    this.#giveUp = setTimeout(() => {
      this.#givenUpBy = signal;
      this.#starting.abort();
    }, GRACE_MS);
  }

  /** Leaves a size alone that the command has set. */
  #resized(now: PtySize): void {
    if (this.#led === null || isSame(now, this.#size)) return;
    this.#size = now;
    this.#led.pty.resize(now);
  }

  #leaveUser(): void {
    this.#stopInput();
    this.#user?.restore();
  }

  /** Gives the person's terminal what the command left at its own. */
  #giveBack(): void {
    const { left } = this.#leader ?? {};
    const { perl } = this.#options;
    if (!left || !perl || this.#user?.isJoined !== true) return;
    const settings = this.#settings && this.#ending === null ? left.settings : null;
    const isSized = left.size !== null && !isSame(left.size, this.#size);
    const keys = Buffer.concat([left.unread, this.#user.unread()]);
    if (settings !== null || isSized || keys.length > 0)
      giveBack(perl, { settings, size: isSized ? left.size : null, keys });
  }

  /**
   * Stops us with the command, until something continues us; without a terminal, until something continues the command.
   */
  async #stopped(leader: Leader, signal: NodeJS.Signals): Promise<void> {
    const wantsTerminal = signal === 'SIGTTIN' || signal === 'SIGTTOU';
    const isContinued = this.#user && !wantsTerminal ? await this.#stopUser(leader, this.#user) : false;
    if (isContinued || signal !== 'SIGSTOP') leader.goOn();
  }

  /** Stops us after showing all its output, such as leaving the alternate screen. */
  async #stopUser({ exited }: Leader, user: UserTerminal): Promise<boolean> {
    let hasEnded = false;
    void exited.then(() => {
      hasEnded = true;
    });
    const master = this.#pty?.master;
    const output = master && endOfMaster(master, () => this.#waiting);
    await within(this.#waiting, LAST_SHOWN_MS);
    // Show no more until the person's terminal has the command's modes again.
    await output?.drain(false);
    await within(this.#waiting, LAST_SHOWN_MS);
    // It may have been killed meanwhile.
    const isContinued = hasEnded ? false : await user.stop();
    this.#readBehind(this.#waiting);
    return isContinued;
  }

  #take(bytes: Buffer): void {
    const { take, plan } = this.#options;
    const taken = take(plan.streams[0]!)(this.#echo.without(bytes));
    if (taken === null) return;
    this.#pty?.pause();
    this.#waiting = Promise.all([this.#waiting, taken]).then(() => {});
    this.#readBehind(this.#waiting);
  }

  /** Resumes reading once `waiting` is done, unless another wait has begun. */
  #readBehind(waiting: Promise<void>): void {
    void waiting.then(() => {
      if (this.#waiting === waiting) this.#pty?.resume();
    });
  }

  #end(reason: 'timed_out' | 'cancelled'): void {
    if (this.#ending || this.#starting.signal.aborted) return;
    this.#reason = reason;
    if (!this.#led) {
      this.#starting.abort();
      return;
    }
    const { pid, leader, pty } = this.#led;
    const outputs = pty.path === null ? [] : [pty.path];
    const tree: ProcessTree = { pid, ownGroup: true, outputs, leader: leader?.pid ?? null };
    this.#ending = endTree(tree);
  }

  async #conclude({ pty, leader }: Started, exit: CommandExit): Promise<CommandEnd> {
    const survivors = (await this.#ending) ?? [];
    const output = pty.master && endOfMaster(pty.master, () => this.#waiting, leader ? [leader.control] : []);
    const patience = this.#ending === null && exit.signal === null;
    await Promise.all([output?.drain(patience), this.#stderr?.drain(patience)]);
    this.#leaveUser();
    this.#giveBack();
    void output?.ended.then(() => leader?.release());
    const [first, second] = this.#options.plan.streams;
    const open = {
      ...(output?.isOpen ? { [first!]: output } : {}),
      ...(this.#stderr?.isOpen ? { [second!]: this.#stderr } : {}),
    };
    return { reason: this.#reason, exitCode: exit.exitCode, signal: exit.signal, open, survivors };
  }
}

function isSame(one: PtySize, other: PtySize): boolean {
  return one.columns === other.columns && one.rows === other.rows;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Whether the leader could not start for a reason that would also stop the command. */
function isOfCommand(error: unknown): boolean {
  return ['E2BIG', 'EAGAIN', 'ENOMEM'].includes((error as NodeJS.ErrnoException).code ?? '');
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/**
 * TIOCSTI types the keys. They were echoed when they were typed. Some systems don't allow it: then they are lost. Of
 * the end of input the queue has a NUL.
 */
const SCRIPT = String.raw`${STARTER_PRELUDE}
my ($settings, $size, $keys) = @ARGV;
my $modes = modes();
change($modes, $settings) if $settings;
# TIOCSWINSZ
ioctl STDIN, $^O eq 'linux' ? 0x5414 : 0x80087467, pack 'S4', reverse(split /x/, $size), 0, 0 if $size;
my $local = $modes->getlflag;
$modes->setlflag($local & ~POSIX::ECHO() & ~POSIX::ECHONL()) if length $keys;
$modes->setattr(0, POSIX::TCSANOW());
for my $key (split //, pack 'H*', $keys) {
  $key = chr $modes->getcc(POSIX::VEOF()) if $key eq "\0" && $local & POSIX::ICANON();
  ioctl STDIN, $^O eq 'linux' ? 0x5412 : 0x80017472, $key or last;
}
$modes->setlflag($local);
$modes->setattr(0, POSIX::TCSANOW());
`;

interface GivenBack {
  /** As the command's leader tells them. */
  settings: string | null;
  size: PtySize | null;
  keys: Buffer;
}

/** Our job must be in the terminal's foreground. */
function giveBack(perl: string, { settings, size, keys }: GivenBack): void {
  const sized = size === null ? '' : `${size.columns}x${size.rows}`;
  const { args, env } = inPerl(SCRIPT, [settings ?? '', sized, keys.toString('hex')], process.env);
  spawnSync(perl, args, { stdio: ['inherit', 'ignore', 'ignore'], env });
}
