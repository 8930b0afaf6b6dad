/**
 * Knows the window's terminals: their names, which one is active, which are recorded. Tells Spillway: names go beside
 * the recordings (electron/host/terminal/editor-terminals.ts), the active one into a file of this window
 * (`electron/host/terminal/terminals.ts`). Terminals that were open before all new ones were recorded are listed.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { CAPTURES_FOLDER, isTerminalId, RECORD_SUFFIX } from '../../shared/artifact-names.ts';
import {
  endTerminal,
  listTerminal,
  nameTerminal,
  type TerminalCapture,
} from '../host/terminal/editor-terminals.ts';
import { shellName } from './shims.ts';

interface KnownTerminal {
  name: string;
  pid: number;
  /** Null when it is neither recorded nor listed. */
  record: TerminalRecord | null;
  isRecorded: boolean;
}

export interface WindowTerminals {
  active: KnownTerminal | null;
  all: KnownTerminal[];
}

interface TrackerOptions {
  /** Spillway's. */
  home: string;
  /** The folder of the shims. */
  storage: string;
  changed(terminals: WindowTerminals): void;
}

/** A recording begins a moment after its terminal opens. Milliseconds. */
const LOOK_AGAIN_MS = [100, 500, 2000];
/** A recording has begun by then, where the system does not say what runs. Milliseconds. */
const START_MS = 1900;
/** Nothing tells that a terminal was renamed. */
const NAMES_MS = 1000;

export class TerminalTracker implements vscode.Disposable {
  readonly #options: TrackerOptions;
  readonly #records: TerminalRecords;
  readonly #subscriptions: vscode.Disposable[];
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #watchesNames: NodeJS.Timeout;
  #names = '';
  /** By artifact id, as they were written. */
  readonly #written = new Map<string, string>();
  /** Open before all new ones were recorded. */
  readonly #before = new Set<vscode.Terminal>();
  readonly #listed = new Map<vscode.Terminal, TerminalRecord>();
  #writes = true;
  /** The session of listed terminals; null lists none. */
  #listsIn: string | null = null;
  /** When that was set; milliseconds of the monotonic clock. */
  #listsSince = 0;

  constructor(options: TrackerOptions) {
    this.#options = options;
    this.#records = new TerminalRecords(options.home);
    const refresh = () => void this.refresh();
    const { window } = vscode;
    this.#subscriptions = [
      window.onDidChangeActiveTerminal(refresh),
      window.onDidCloseTerminal((terminal) => {
        this.#closed(terminal);
        refresh();
      }),
      window.onDidChangeTerminalState(refresh),
      window.onDidEndTerminalShellExecution(refresh),
      window.onDidOpenTerminal(() => this.refreshSoon()),
    ];
    this.#watchesNames = setInterval(() => {
      if (this.#names !== namesNow()) void this.refresh({ isUse: false });
    }, NAMES_MS);
    this.refreshSoon();
  }

  /** `writes` false removes what was written: nothing is known of a window in which nothing is recorded. */
  set({ writes, listsIn }: { writes: boolean; listsIn: string | null }): void {
    if (this.#listsIn === null && listsIn !== null)
      for (const terminal of vscode.window.terminals) this.#before.add(terminal);
    if (this.#listsIn === null) this.#listsSince = performance.now();
    if (listsIn === null) this.#before.clear();
    this.#writes = writes;
    this.#listsIn = listsIn;
    this.refreshSoon();
  }

  refreshSoon(): void {
    for (const delay of LOOK_AGAIN_MS) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        void this.refresh();
      }, delay);
      this.#timers.add(timer);
    }
  }

  /** `isUse`: somebody chose a terminal, or used one. */
  async refresh({ isUse }: { isUse: boolean } = { isUse: true }): Promise<WindowTerminals> {
    const { activeTerminal, terminals } = vscode.window;
    this.#names = namesNow();
    const pids = await Promise.all(terminals.map(({ processId }) => processId));
    const records = this.#records.byProcess();
    const known = terminals.map((terminal, at) => this.#known(terminal, pids[at], records));
    const active = activeTerminal ? (known[terminals.indexOf(activeTerminal)] ?? null) : null;
    const found = { active, all: known.flatMap((terminal) => terminal ?? []) };
    if (isUse) this.#write(found);
    this.#options.changed(found);
    return found;
  }

  dispose(): void {
    clearInterval(this.#watchesNames);
    for (const timer of this.#timers) clearTimeout(timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
    rmSync(this.#file(), { force: true });
  }

  #known(
    terminal: vscode.Terminal,
    pid: number | undefined,
    records: Map<number, TerminalRecord>,
  ): KnownTerminal | null {
    if (pid === undefined) return null;
    const { name } = terminal;
    const record = records.get(pid) ?? this.#list(terminal, pid);
    if (record?.file === null) this.#listed.set(terminal, record);
    if (record) this.#name(record, name);
    return { name, pid, record, isRecorded: record !== null && record.file !== null };
  }

  #list(terminal: vscode.Terminal, pid: number): TerminalRecord | null {
    const { home, storage } = this.#options;
    if (this.#listsIn === null || !this.#before.has(terminal) || !isForTyping(terminal)) return null;
    const isPlain = isPlainShell(pid, storage) ?? performance.now() - this.#listsSince >= START_MS;
    if (!isPlain) return null;
    this.#before.delete(terminal);
    const { name, shellIntegration } = terminal;
    const cwd = shellIntegration?.cwd?.fsPath ?? null;
    try {
      return { ...listTerminal(home, { session: this.#listsIn, name, pid, cwd }), file: null };
    } catch {
      // Without a home of its own, Spillway records nothing either, and says why.
      return null;
    }
  }

  #closed(terminal: vscode.Terminal): void {
    const record = this.#listed.get(terminal);
    this.#listed.delete(terminal);
    this.#before.delete(terminal);
    try {
      if (record && hasEnded(terminal)) endTerminal(record, terminal.exitStatus?.code ?? null);
    } catch {
      // Its shell has ended, as every listing sees.
    }
  }

  #name(record: TerminalRecord, name: string): void {
    if (this.#written.get(record.artifactId) === name) return;
    try {
      nameTerminal(record, name);
      this.#written.set(record.artifactId, name);
    } catch {
      // The recording has a name of its own.
    }
  }

  #write({ active, all }: WindowTerminals): void {
    const file = this.#file();
    try {
      if (!this.#writes || !all.some(({ record }) => record)) {
        rmSync(file, { force: true });
        return;
      }
      const facts = {
        owner: process.pid,
        workspace: vscode.workspace.name ?? null,
        active: active?.pid ?? null,
        changed_at: new Date().toISOString(),
        terminals: all.map(({ pid }) => ({ pid })),
      };
      mkdirSync(join(this.#options.home, 'run', 'terminals'), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.next`, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
      renameSync(`${file}.next`, file);
    } catch {
      // Without a home there is nothing recorded either.
    }
  }

  #file(): string {
    return join(this.#options.home, 'run', 'terminals', `vscode-${process.pid}.json`);
  }
}

/** A window that reloads closes its terminals, too; they go on, and it has them again. */
function hasEnded({ exitStatus }: vscode.Terminal): boolean {
  const { Process, User, Extension } = vscode.TerminalExitReason;
  return exitStatus !== undefined && [Process, User, Extension].includes(exitStatus.reason);
}

function namesNow(): string {
  return vscode.window.terminals.map(({ name }) => name).join('\n');
}

/** False for the terminals of tasks, of other extensions' programs, and hidden ones. */
function isForTyping({ creationOptions }: vscode.Terminal): boolean {
  const { shellPath, shellArgs = [], hideFromUser } = creationOptions;
  if (hideFromUser || shellArgs.includes('-c')) return false;
  return shellPath === undefined || shellName(shellPath) !== null;
}

/**
 * Finds the capture of a terminal. The shim becomes the recorder, so both have the same process id; a terminal that is
 * only listed has its shell's process id in its record.
 */
interface TerminalRecord extends TerminalCapture {
  /** The file of its output; null for one that is listed and not recorded. */
  file: string | null;
}

class TerminalRecords {
  readonly #captures: string;
  /** Terminals that have ended: their records are not read again. */
  readonly #ended = new Set<string>();

  /** `home` is Spillway's. */
  constructor(home: string) {
    this.#captures = join(home, CAPTURES_FOLDER);
  }

  /** The running captures, by process id. */
  byProcess(): Map<number, TerminalRecord> {
    const found = new Map<number, TerminalRecord>();
    for (const session of namesIn(this.#captures)) {
      const folder = join(this.#captures, session);
      for (const name of namesIn(folder)) {
        if (!isTerminalId(name) || !name.endsWith(RECORD_SUFFIX) || this.#ended.has(name)) continue;
        const record = readRecord(join(folder, name));
        if (record === null) continue;
        const pid = record.recorder?.pid;
        if (record.status !== 'running') this.#ended.add(name);
        if (record.status !== 'running' || pid === undefined) continue;
        const file = record.streams?.[0]?.file ?? null;
        // A recording counts more than a line in the list, should there be both.
        if (found.has(pid) && file === null) continue;
        const artifactId = name.slice(0, -RECORD_SUFFIX.length);
        found.set(pid, { artifactId, folder, file: file && join(folder, file) });
      }
    }
    return found;
  }
}

/**
 * True for a shell, and for a program that one has become; false for a shim, and the recorder that it becomes. Null
 * where the system does not say.
 */
function isPlainShell(pid: number, shims: string): boolean | null {
  try {
    const program = basename(readlinkSync(`/proc/${pid}/exe`));
    const shell = shellName(program.replace(/[\d.-]+$/, ''));
    return shell !== null && !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(shims);
  } catch {
    return null;
  }
}

interface Fields {
  status?: string;
  recorder?: { pid?: number } | null;
  streams?: { file?: string | null }[];
}

function readRecord(path: string): Fields | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Fields;
  } catch {
    // It is replaced or removed just now.
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
