/** Makes artifact ids in terminals links that open them in Spillway. */
import * as vscode from 'vscode';

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

export function provideLinks(open: (artifactId: string) => void) {
  return {
    provideTerminalLinks: ({ line }: vscode.TerminalLinkContext): ArtifactLink[] =>
      [...line.matchAll(ARTIFACT_ID)].map(({ index, 0: id }) => new ArtifactLink(index, id)),
    handleTerminalLink: ({ artifactId }: ArtifactLink): void => open(artifactId),
  };
}
