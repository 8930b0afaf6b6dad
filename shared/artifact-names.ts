/**
 * Names of artifacts and of their files (CONTRACT 1 and 4), for code that loads no schemas, such as the recorder and the
 * extension for VS Code.
 */

export const KINDS = ['cmd', 'tool', 'terminal', 'capture', 'file'] as const;
type Kind = (typeof KINDS)[number];

/** The expression for the part of an id after its kind. */
export const ID_REST = String.raw`[A-Za-z0-9._-]+-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-[0-9a-f]{6}`;

/** The folder of the home with our captures. */
export const CAPTURES_FOLDER = 'captures';
/** The folder of the home with captures of commands that ran in the sandbox of an agent, by agent. */
export const SANDBOXES_FOLDER = 'sandboxes';
/** Ends the file name of a capture's record; its id stands before it. */
export const RECORD_SUFFIX = '.meta.json';

/** Whether an id names a file in a source, and not a capture. */
export const isFileId = (id: string) => isOfKind(id, 'file');
/** Whether an id, or a file's name that begins with one, is a terminal's. */
export const isTerminalId = (id: string) => isOfKind(id, 'terminal');

function isOfKind(id: string, kind: Kind): boolean {
  return id.startsWith(`${kind}-`);
}
