/** Opens artifacts and files in Spillway: for the extension's commands, and from links in terminals. */
import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import { findExecutable, readSettings } from './settings.ts';

/** Opens an artifact or a file in Spillway's window or page. Says why if that fails. */
export function openInSpillway(target: string): void {
  const { path } = readSettings();
  const spillway = findExecutable(path);
  if (spillway === null) {
    void vscode.window.showErrorMessage(
      `Spillway is not installed at ${path}: set spillway.path to its command, then try again`,
    );
    return;
  }
  const child = spawn(spillway, ['open', target], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout.on('data', (bytes: Buffer) => {
    printed += bytes.toString();
  });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const failed = (why: string) =>
    vscode.window.showErrorMessage(`Spillway could not open it: ${why.trim() || 'it gave no reason'}`);
  child.on('error', ({ message }) => void failed(message));
  child.on('close', (status) => {
    const url = /^Spillway is at (http\S+)$/m.exec(printed)?.[1];
    if (status !== 0) void failed(said);
    else if (url !== undefined && vscode.env.remoteName !== undefined) void showPage(url);
  });
}

/** Origins of pages that were opened from here: the rest of an address is another each time. */
const opened = new Set<string>();

/** Over a remote connection, Spillway runs where it can open no browser. */
async function showPage(url: string): Promise<void> {
  const again = 'Open the page';
  const { origin } = new URL(url);
  const isOpen = opened.has(origin);
  const ask = () => vscode.window.showInformationMessage("Shown on Spillway's page", again);
  if (isOpen && (await ask()) !== again) return;
  opened.add(origin);
  await vscode.env.openExternal(vscode.Uri.parse(url));
}

/** As the contract writes them: kind, label, time in UTC, six hexadecimal digits. */
const ARTIFACT_ID =
  /\b(?:cmd|tool|terminal|capture|file)-[A-Za-z0-9._-]{0,80}?\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{6}\b/g;

class ArtifactLink extends vscode.TerminalLink {
  readonly artifactId: string;

  constructor(start: number, artifactId: string) {
    super(start, artifactId.length, 'Open in Spillway');
    this.artifactId = artifactId;
  }
}

/** Makes artifact ids in terminals links. */
export function provideLinks(open: (artifactId: string) => void) {
  return {
    provideTerminalLinks: ({ line }: vscode.TerminalLinkContext): ArtifactLink[] =>
      [...line.matchAll(ARTIFACT_ID)].map(({ index, 0: id }) => new ArtifactLink(index, id)),
    handleTerminalLink: ({ artifactId }: ArtifactLink): void => open(artifactId),
  };
}
