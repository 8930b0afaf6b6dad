/**
 * Knows the window's terminals: their names, which one is active, which are recorded. Writes this down for Spillway
 * (electron/host/terminal/open-terminals.ts reads it), as long as something may be recorded.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { recordOfProcess, type TerminalRecord } from './records.ts';

export interface KnownTerminal {
  name: string;
  pid: number;
  record: TerminalRecord | null;
}

export interface WindowTerminals {
  active: KnownTerminal | null;
  all: KnownTerminal[];
}

/** A recording begins a moment after its terminal opens. Milliseconds. */
const LOOK_AGAIN_MS = [100, 500, 2000];

export class TerminalTracker implements vscode.Disposable {
  readonly #home: string;
  readonly #changed: (terminals: WindowTerminals) => void;
  readonly #subscriptions: vscode.Disposable[];
  readonly #timers = new Set<NodeJS.Timeout>();
  #writes = true;

  constructor(home: string, changed: (terminals: WindowTerminals) => void) {
    this.#home = home;
    this.#changed = changed;
    const look = () => void this.look();
    const { window } = vscode;
    this.#subscriptions = [
      window.onDidChangeActiveTerminal(look),
      window.onDidCloseTerminal(look),
      window.onDidChangeTerminalState(look),
      window.onDidEndTerminalShellExecution(look),
      window.onDidOpenTerminal(() => this.lookSoon()),
    ];
    this.lookSoon();
  }

  /** False removes what was written: nothing is known of a window in which nothing is recorded. */
  setWrites(writes: boolean): void {
    this.#writes = writes;
    this.lookSoon();
  }

  lookSoon(): void {
    for (const delay of LOOK_AGAIN_MS) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        void this.look();
      }, delay);
      this.#timers.add(timer);
    }
  }

  async look(): Promise<WindowTerminals> {
    const { activeTerminal, terminals } = vscode.window;
    const known = await Promise.all(terminals.map((terminal) => this.#known(terminal)));
    const active = activeTerminal ? (known[terminals.indexOf(activeTerminal)] ?? null) : null;
    const found = { active, all: known.flatMap((terminal) => terminal ?? []) };
    this.#write(found);
    this.#changed(found);
    return found;
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
    rmSync(this.#file(), { force: true });
  }

  async #known(terminal: vscode.Terminal): Promise<KnownTerminal | null> {
    const pid = await terminal.processId;
    if (pid === undefined) return null;
    return { name: terminal.name, pid, record: recordOfProcess(this.#home, pid) };
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
        // An unrecorded terminal was open before, or not meant to be recorded.
        terminals: all.map(({ name, pid, record }) => ({ name, pid, recorded: record !== null })),
      };
      mkdirSync(join(this.#home, 'run', 'terminals'), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.next`, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
      renameSync(`${file}.next`, file);
    } catch {
      // Without a home there is nothing recorded either.
    }
  }

  #file(): string {
    return join(this.#home, 'run', 'terminals', `vscode-${process.pid}.json`);
  }
}
