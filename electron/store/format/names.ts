/** Where captures lie in the home (CONTRACT 4), and the names of their files. Nothing that a user names becomes a path. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ArtifactId, type ContentType, type Kind } from '../../../shared/artifact.ts';
import { artifactId, slug } from './ids.ts';

/** What captures belong to when nobody names a session. */
export const DEFAULT_SESSION = 'default';
export const SESSION_RECORD = 'session.json';

const META = '.meta.json';
const MAX_SLUG = 40;

export function capturesFolder(home: string): string {
  return join(home, 'captures');
}

/** A session's folder: a slug for people, and a hash that keeps apart what slugs do not. */
export function sessionFolder(home: string, session: string): string {
  const hash = createHash('sha256').update(session).digest('hex').slice(0, 8);
  return join(capturesFolder(home), `${slug(session).slice(0, MAX_SLUG)}-${hash}`);
}

export function newArtifactId(kind: Kind, label: string, at: Date): string {
  return artifactId(kind, label, at, randomBytes(3).toString('hex'));
}

/** The files of one artifact, all beside each other and beginning with its id. */
export const recordFile = (id: string) => `${id}${META}`;
export const timesFile = (id: string) => `${id}.times`;
export const pinFile = (id: string) => `${id}.pin`;
/** Of a terminal: what was typed there (commands.ts). */
export const commandsFile = (id: string) => `${id}.commands`;
/** Of a command's streams. */
export const commandStreamFile = (id: string, stream: 'stdout' | 'stderr') => `${id}.${stream}.log`;
/** Of everything else's one stream. */
export const outputFile = (id: string, type: ContentType = 'log') =>
  `${id}${type === 'json' ? '.json' : type === 'text' ? '.txt' : '.log'}`;

/** The id that a file's name begins with, when it is a record's; else null. */
export function idOfRecordFile(name: string): string | null {
  if (!name.endsWith(META)) return null;
  const id = name.slice(0, -META.length);
  return ArtifactId.safeParse(id).success ? id : null;
}
