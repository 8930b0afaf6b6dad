/** Names the folders and files of captures (CONTRACT 4). A user's name never becomes a path unchanged. */
import { join } from 'node:path';
import { ArtifactId, type ContentType, type Kind } from '../../../shared/artifact.ts';
import { CAPTURES_FOLDER, RECORD_SUFFIX } from '../../../shared/artifact-names.ts';
import { artifactId, slug } from './ids.ts';
import { randomHex } from './random.ts';
import { sha256 } from './sha256.ts';

/** Session of captures for which none was named. */
export const DEFAULT_SESSION = 'default';
export const SESSION_RECORD = 'session.json';

const MAX_SLUG_CHARS = 40;

export function capturesFolder(home: string): string {
  return join(home, CAPTURES_FOLDER);
}

/** Path of a session's folder: a slug for people, and a hash because slugs may collide. */
export function sessionFolder(home: string, session: string): string {
  const hash = sha256(session).slice(0, 8);
  return join(capturesFolder(home), `${slug(session).slice(0, MAX_SLUG_CHARS)}-${hash}`);
}

export function newArtifactId(kind: Kind, label: string, at: Date): string {
  return artifactId(kind, label, at, randomHex(3));
}

/** Names of one artifact's files, which lie beside each other. */
export const recordFile = (id: string) => `${id}${RECORD_SUFFIX}`;
export const timesFile = (id: string) => `${id}.times`;
export const pinFile = (id: string) => `${id}.pin`;
/** Commands typed in a terminal (commands.ts). */
export const commandsFile = (id: string) => `${id}.commands`;
/** The name that a terminal has in its editor (entry.ts). */
export const nameFile = (id: string) => `${id}.name`;
/** Why a command failed (explained.ts). */
export const explainedFile = (id: string) => `${id}.explained`;
/** A command's stream. */
export const commandStreamFile = (id: string, stream: 'stdout' | 'stderr') => `${id}.${stream}.log`;
/** The one stream of any other kind of artifact. */
export const outputFile = (id: string, type: ContentType = 'log') =>
  `${id}${type === 'json' ? '.json' : type === 'text' ? '.txt' : '.log'}`;

/** Returns the artifact id in a record's file name; null for other names. */
export function idOfRecordFile(name: string): string | null {
  if (!name.endsWith(RECORD_SUFFIX)) return null;
  const id = name.slice(0, -RECORD_SUFFIX.length);
  return ArtifactId.safeParse(id).success ? id : null;
}
