/** The part of VS Code's extension API (1.100) that the extension uses, as its documentation declares it. */
declare module 'vscode' {
  export interface Disposable {
    dispose(): unknown;
  }
  export type Event<T> = (listener: (value: T) => unknown) => Disposable;
  export class Uri {
    static file(path: string): Uri;
    static parse(value: string): Uri;
    readonly scheme: string;
    readonly path: string;
    readonly fsPath: string;
    toString(): string;
  }
  export interface EnvironmentVariableCollection {
    persistent: boolean;
    replace(variable: string, value: string): void;
    clear(): void;
  }
  export interface Memento {
    get<T>(key: string): T | undefined;
    update(key: string, value: unknown): Thenable<void>;
  }
  export interface ExtensionContext {
    readonly subscriptions: Disposable[];
    readonly extensionUri: Uri;
    readonly globalStorageUri: Uri;
    readonly globalState: Memento;
    readonly environmentVariableCollection: EnvironmentVariableCollection;
  }
  export enum TerminalExitReason {
    Unknown = 0,
    Shutdown = 1,
    Process = 2,
    User = 3,
    Extension = 4,
  }
  export interface Terminal {
    readonly name: string;
    readonly processId: Thenable<number | undefined>;
    readonly creationOptions: TerminalOptions;
    readonly exitStatus:
      | { readonly code: number | undefined; readonly reason: TerminalExitReason }
      | undefined;
    readonly shellIntegration: { readonly cwd: Uri | undefined } | undefined;
    show(): void;
  }
  export interface TerminalOptions {
    name?: string;
    shellPath?: string;
    shellArgs?: string | string[];
    hideFromUser?: boolean;
    env?: Record<string, string | null | undefined>;
  }
  export class TerminalProfile {
    constructor(options: TerminalOptions);
  }
  export interface TerminalLinkContext {
    line: string;
  }
  export class TerminalLink {
    constructor(startIndex: number, length: number, tooltip?: string);
    startIndex: number;
    length: number;
  }
  export enum StatusBarAlignment {
    Left = 1,
    Right = 2,
  }
  export interface StatusBarItem extends Disposable {
    text: string;
    tooltip: string;
    name: string;
    command: string;
    show(): void;
  }
  export enum ConfigurationTarget {
    Global = 1,
  }
  export interface WorkspaceConfiguration {
    get<T>(section: string): T | undefined;
    inspect<T>(section: string): { globalValue?: T; defaultValue?: T } | undefined;
    update(section: string, value: unknown, target: ConfigurationTarget): Thenable<void>;
  }
  export interface ConfigurationChangeEvent {
    affectsConfiguration(section: string): boolean;
  }
  export interface TextDocument {
    readonly uri: Uri;
  }
  export namespace window {
    const activeTextEditor: { document: TextDocument } | undefined;
    const activeTerminal: Terminal | undefined;
    const terminals: readonly Terminal[];
    const onDidChangeActiveTerminal: Event<Terminal | undefined>;
    const onDidOpenTerminal: Event<Terminal>;
    const onDidCloseTerminal: Event<Terminal>;
    const onDidChangeTerminalState: Event<Terminal>;
    const onDidStartTerminalShellExecution: Event<unknown>;
    const onDidEndTerminalShellExecution: Event<unknown>;
    function registerTerminalProfileProvider(
      id: string,
      provider: { provideTerminalProfile(): TerminalProfile | Thenable<TerminalProfile> },
    ): Disposable;
    function registerTerminalLinkProvider<T extends TerminalLink>(provider: {
      provideTerminalLinks(context: TerminalLinkContext): T[];
      handleTerminalLink(link: T): unknown;
    }): Disposable;
    function createStatusBarItem(id: string, alignment: StatusBarAlignment, priority: number): StatusBarItem;
    function showInformationMessage(message: string, ...items: string[]): Thenable<string | undefined>;
    function showErrorMessage(message: string, ...items: string[]): Thenable<string | undefined>;
    function showQuickPick<T extends { label: string; detail?: string }>(
      items: T[],
      options: { title: string; placeHolder?: string },
    ): Thenable<T | undefined>;
    function showTextDocument(document: TextDocument, options: { preview: boolean }): Thenable<unknown>;
  }
  export namespace env {
    const remoteName: string | undefined;
    function openExternal(target: Uri): Thenable<boolean>;
  }
  export namespace workspace {
    const name: string | undefined;
    function getConfiguration(section?: string): WorkspaceConfiguration;
    const onDidChangeConfiguration: Event<ConfigurationChangeEvent>;
    function openTextDocument(options: { content: string; language: string }): Thenable<TextDocument>;
  }
  export namespace commands {
    function registerCommand(command: string, callback: (...args: never[]) => unknown): Disposable;
  }
}
