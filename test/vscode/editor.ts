/** A real VS Code with the packaged extension, in folders of its own; and what Spillway recorded in it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { vsix } from '../../electron/tooling/vsix.mjs';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';

export const cli = fileURLToPath(new URL('../../dist/node/cli.js', import.meta.url));

/** The setting that makes all new terminals recorded ones. */
export const DEFAULT_PROFILE = 'terminal.integrated.defaultProfile.linux';

/** Without questions, and without features that take the focus. */
const SETTINGS = {
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'task.allowAutomaticTasks': 'on',
  'terminal.integrated.suggest.enabled': false,
};
/** A path is a setting of the machine, which VS Code keeps apart from the person's. */
const MACHINE_SETTINGS = { 'spillway.path': cli };

export interface EditorStart {
  settings?: object;
  machineSettings?: object;
  shell?: string;
  /** Files in the workspace. */
  files?: Record<string, string>;
  /** The extensions lie beside the user's folders, as usual, or elsewhere. */
  extensions?: 'beside' | 'elsewhere';
}

export interface Recorded {
  id: string;
  record: {
    label: string;
    session: string;
    status: string;
    exit_code: number | null;
    warnings: string[];
    recorder: { pid: number } | null;
  };
  bytes: Buffer;
  commands: { command: string; cwd: string | null; exit: number | null | undefined; output: Buffer }[];
}

export class Editor {
  readonly root = makeFolder();
  readonly workspace = join(this.root, 'shop');
  readonly home = join(this.root, 'spillway');
  readonly user = join(this.root, 'data', 'data', 'User');
  /** For Spillway's own command: without the captures that agents have on this machine. */
  readonly env = { ...process.env, SPILLWAY_HOME: this.home, SPILLWAY_FIND_AGENTS: '0' };
  readonly #shell: string;
  readonly #extensions: string;
  #server: ChildProcess | null = null;
  #url = '';
  #settings: Record<string, unknown> = {};

  constructor({ settings = {}, machineSettings = {}, files = {}, ...start }: EditorStart = {}) {
    this.#shell = start.shell ?? '/bin/bash';
    this.#extensions =
      start.extensions === 'elsewhere' ? join(this.root, 'elsewhere') : join(this.root, 'data', 'extensions');
    for (const folder of [
      this.workspace,
      this.user,
      join(this.root, 'user'),
      join(this.workspace, '.vscode'),
    ])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(this.user, 'settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
    this.setMachineSettings(machineSettings);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.workspace, name), text);
    for (const rc of ['.bashrc', '.zshrc']) writeFileSync(join(this.root, 'user', rc), "PS1='$ '\n");
    const extension = join(this.root, 'spillway.vsix');
    writeFileSync(extension, vsix());
    this.manage('--install-extension', extension);
  }

  setMachineSettings(settings: object): void {
    const folder = join(this.root, 'data', 'data', 'Machine');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...MACHINE_SETTINGS, ...settings }));
  }

  /** Runs the server's program to install or uninstall. */
  manage(...args: string[]): void {
    const { node, server } = programs();
    execFileSync(node, [server, ...this.#folders(), ...args], { stdio: 'pipe' });
  }

  async start(): Promise<void> {
    const { node, server } = programs();
    const args = [server, '--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
    const env = {
      ...{ PATH: process.env.PATH, HOME: join(this.root, 'user'), SHELL: this.#shell, LANG: 'C.UTF-8' },
      SPILLWAY_HOME: this.home,
    };
    this.#server = spawn(node, [...args, ...this.#folders()], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    this.#server.stdout?.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    await expect.poll(() => /listening on (\d+)/.exec(said)?.[1]).toBeTruthy();
    this.#url = `http://127.0.0.1:${/listening on (\d+)/.exec(said)![1]}/?folder=${this.workspace}`;
  }

  /** Resolves once the extension runs. */
  async open(page: Page): Promise<void> {
    await page.goto(this.#url);
    await expect(this.status(page)).toBeVisible();
  }

  status(page: Page) {
    return page.locator('.statusbar-item', { hasText: /recorded/i });
  }

  async newTerminal(page: Page): Promise<Recorded> {
    const found = () => this.wholes();
    const before = found().length;
    // VS Code takes a changed profile a moment later.
    await expect(async () => {
      await page.keyboard.press('Control+Shift+Backquote');
      await expect.poll(() => found().length, { timeout: 15_000 }).toBeGreaterThan(before);
    }).toPass({ timeout: 90_000 });
    // VS Code's own marks, by which it has its decorations.
    await expect.poll(() => found().at(-1)!.bytes.includes('\x1b]633;B')).toBe(true);
    return found().at(-1)!;
  }

  /** Runs a command of VS Code by its title. */
  async run(page: Page, title: string): Promise<void> {
    await page.keyboard.press('F1');
    await this.#pick(page, />/, title);
  }

  /** Opens a terminal of a profile. */
  async newFromProfile(page: Page, profile: string): Promise<void> {
    await this.run(page, 'Create New Terminal (With Profile)');
    await this.#pick(page, /^$/, profile);
  }

  /** `begins`: what the question's field has in it when it is asked. */
  async #pick(page: Page, begins: RegExp, title: string): Promise<void> {
    await expect(page.locator('.quick-input-widget .quick-input-box input')).toHaveValue(begins);
    await page.keyboard.type(title);
    const text = title.replace(/^Terminal: /, '');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first().click();
  }

  /** Types into the terminal that is shown. */
  async type(page: Page, line: string): Promise<void> {
    await page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus();
    await page.keyboard.type(`${line}\n`);
  }

  /** Oldest first. */
  recorded(): Recorded[] {
    const captures = join(this.home, 'captures');
    const names = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
    return names(captures)
      .flatMap((session) => names(join(captures, session)).map((name) => join(captures, session, name)))
      .filter((path) => path.endsWith('.meta.json'))
      .map(readRecorded)
      .sort((a, b) => a.started.localeCompare(b.started));
  }

  /** Without terminals that are only listed, since they were open before. */
  wholes(): Recorded[] {
    return this.recorded().filter(
      ({ record }) => !record.warnings.some((one) => one.startsWith('Incomplete')),
    );
  }

  /** Ends all terminals. The next page would restore them a moment later, and the restored one takes the focus. */
  async endTerminals(): Promise<void> {
    const running = () => this.recorded().filter(({ record }) => record.status === 'running');
    for (const { record } of running()) hangUp(record.recorder!.pid);
    await expect.poll(() => running().length).toBe(0);
  }

  byId(id: string): Recorded {
    return this.recorded().find((one) => one.id === id)!;
  }

  /** VS Code empties the file before it writes it: meanwhile, they are as they were. */
  settings(): Record<string, unknown> {
    try {
      this.#settings = JSON.parse(readFileSync(join(this.user, 'settings.json'), 'utf8'));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return this.#settings;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    const killing = setTimeout(() => server.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(killing);
  }

  async remove(): Promise<void> {
    await this.stop();
    // Recorders and shells write a little after the server has ended.
    removeFolder(this.root);
  }

  #folders(): string[] {
    const folders = ['--server-data-dir', join(this.root, 'data'), '--extensions-dir', this.#extensions];
    return ['--accept-server-license-terms', ...folders];
  }
}

/**
 * Has Spillway note what it would open, in place of a window, and print `says`. Returns how to read that, oldest first.
 */
export function withoutWindow(editor: Editor, says = 'Opened in the Spillway window'): () => string[] {
  const [spillway, opened] = [join(editor.root, 'spillway-without-window'), join(editor.root, 'opened')];
  const note = `[ "$1" = open ] && { echo "$2" >>'${opened}'; echo '${says}'; exit; }`;
  writeFileSync(spillway, `#!/bin/sh\n${note}\nexec '${cli}' "$@"\n`, { mode: 0o700 });
  editor.setMachineSettings({ 'spillway.path': spillway });
  return () => (existsSync(opened) ? readFileSync(opened, 'utf8').split('\n').slice(0, -1) : []);
}

function programs() {
  const { SPILLWAY_VSCODE_NODE: node, SPILLWAY_VSCODE_SERVER: server } = process.env;
  if (!node || !server) throw new Error('run `npm test -- vscode`, which gets VS Code');
  return { node, server };
}

function hangUp(pid: number): void {
  try {
    process.kill(pid, 'SIGHUP');
  } catch {
    // It has just ended.
  }
}

function readRecorded(path: string): Recorded & { started: string } {
  try {
    return readOnce(path);
  } catch (error) {
    // A short output has just been moved into the record.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return readOnce(path);
  }
}

function readOnce(path: string): Recorded & { started: string } {
  const record = JSON.parse(readFileSync(path, 'utf8'));
  const stem = path.slice(0, -'.meta.json'.length);
  const bytes = existsSync(`${stem}.log`)
    ? readFileSync(`${stem}.log`)
    : Buffer.from(record.streams[0].folded ?? '', 'base64');
  const entries = existsSync(`${stem}.commands`)
    ? readFileSync(`${stem}.commands`, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    : [];
  const commands = entries
    .filter(({ type }) => type === 'begun')
    .map(({ number, command, cwd, start_offset }) => {
      const end = entries.findLast((one) => one.type === 'ended' && one.number === number);
      return { command, cwd, exit: end?.exit_code, output: bytes.subarray(start_offset, end?.end_offset) };
    });
  return { id: stem.split('/').at(-1)!, record, bytes, commands, started: record.started_at };
}
