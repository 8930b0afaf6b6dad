/** Names the folders and files of captures (CONTRACT 4). A user's name never becomes a path unchanged. */
import { closeSync, openSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { ArtifactId, type ContentType, type Kind } from '../../../shared/artifact.ts';
import { ID_REST, KINDS, RECORD_SUFFIX } from '../../../shared/artifact-names.ts';
import { usualSecrets } from '../../../shared/secrets/mask.ts';
import { capturesFolder } from './places.ts';
import { sha256 } from './sha256.ts';
import { isoTime } from './times.ts';

/** Session of captures for which none was named. */
export const DEFAULT_SESSION = 'default';
export const SESSION_RECORD = 'session.json';

const MAX_SLUG_CHARS = 40;

/** Path of a session's folder. */
export function sessionFolder(home: string, session: string): string {
  return join(capturesFolder(home), sessionFolderName(session));
}

/** A slug for people, and a hash because slugs may collide. */
export function sessionFolderName(session: string): string {
  return `${slug(session).slice(0, MAX_SLUG_CHARS)}-${sha256(session).slice(0, 8)}`;
}

/** An id is in replies and file names: what is secret in its label is masked. */
export function newArtifactId(kind: Kind, label: string, at: Date): string {
  return artifactId(kind, usualSecrets.mask(label).text, at, randomHex(3));
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
/** The messages of an output, for comparisons (message-table.ts). */
export const messagesFile = (id: string) => `${id}.messages`;
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

const MAX_LABEL_CHARS = 60;
const ASCII = /^[ -~]*$/;
/** Most file names: part of an id as they are. */
const PLAIN = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,58}[A-Za-z0-9])?$/;

/** Makes any text part of an id: other characters become `_`; leading and trailing dots and dashes go. */
function slug(text: string): string {
  if (PLAIN.test(text)) return text;
  // Normalizing loads tables for a millisecond or two.
  const plain = (ASCII.test(text) ? text : text.normalize('NFKD'))
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[._-]+/, '')
    .slice(0, MAX_LABEL_CHARS)
    .replace(/[._-]+$/, '');
  return plain || 'unnamed';
}

/** Artifact ids: `<kind>-<label>-<YYYY-MM-DDTHH-MM-SS>-<6 hex>`, UTC (CONTRACT 1). */
export function artifactId(kind: Kind, label: string, at: Date, hex: string): string {
  const iso = isoTime(at);
  const stamp = `${iso.slice(0, 13)}-${iso.slice(14, 16)}-${iso.slice(17, 19)}`;
  return `${kind}-${slug(label)}-${stamp}-${hex}`;
}

/** Returns when a file was made; the epoch when the file system does not tell. */
export function birthTime(stats: Pick<Stats, 'birthtimeMs'>): Date {
  const time = stats.birthtimeMs;
  // An id's stamp has room for four-digit years only.
  return new Date(Number.isFinite(time) && time > 0 && time < 253_402_300_800_000 ? time : 0);
}

// Makes names that no other process makes, without `node:crypto`, which takes 2 ms and 2 MB to load.

/** Returns so many random bytes, in hexadecimal. */
export function randomHex(bytes: number): string {
  const random = Buffer.alloc(bytes);
  return (readFromSystem(random) ? random : fromCrypto(bytes)).toString('hex');
}

function readFromSystem(into: Buffer): boolean {
  try {
    const fd = openSync('/dev/urandom', 'r');
    try {
      return readSync(fd, into) === into.length;
    } finally {
      closeSync(fd);
    }
  } catch {
    // Windows, or a folder tree without devices.
    return false;
  }
}

function fromCrypto(bytes: number): Buffer {
  return process.getBuiltinModule('node:crypto').randomBytes(bytes);
}

/** Recognises the files that Spillway wrote in a session's folder, by name. Each begins with its artifact's id. */
const CAPTURED = KINDS.filter((kind) => kind !== 'file').join('|');
/**
 *     cmd-npm_test-2026-01-13T10-30-00-abc123.stdout.log.gz
 *     `-------------- id -------------------' `- suffix --'
 */
const OURS = new RegExp(String.raw`^((?:${CAPTURED})-${ID_REST})\.([a-z0-9._]+)$`);
const STREAM = String.raw`(?:(?:stdout|stderr)\.log|log|json|txt)`;
const WRITTEN = String.raw`meta\.json|times|commands|name|explained|messages|${STREAM}(?:\.gz)?|${STREAM}\.tail\.\d+\.\d+`;
/** Written beside the file it is about to replace (small-file.ts). */
const TEMPORARY = String.raw`\.[0-9a-f]{8}\.tmp`;
const SUFFIX = new RegExp(`^(?:pin|(\\d+)\\.gone|(?:${WRITTEN})(${TEMPORARY})?)$`);
const SESSION_TEMPORARY = new RegExp(`^${SESSION_RECORD.replace('.', '\\.')}${TEMPORARY}$`);

export interface OurFile {
  id: string;
  /** The rest of the name, after the id and its dot. */
  suffix: string;
  temporary: boolean;
  /** Process id in the name of a record that is being removed; else null. */
  remover: number | null;
}

/** Parses a file name; null when Spillway gives no such names. Matches the longest id, as a label may look like one. */
export function ourFile(name: string): OurFile | null {
  const [, id, suffix] = OURS.exec(name) ?? [];
  if (id === undefined || suffix === undefined || id.length > 120) return null;
  const match = SUFFIX.exec(suffix);
  if (!match) return null;
  return {
    id,
    suffix,
    temporary: match[2] !== undefined,
    remover: match[1] === undefined ? null : Number(match[1]),
  };
}

export function isSessionTemporary(name: string): boolean {
  return SESSION_TEMPORARY.test(name);
}

/** Name of a record during its removal: it still names the capture's other files if the process dies half way. */
export const goneFile = (id: string, pid: number) => `${id}.${pid}.gone`;

/** Returns a stream file's compressed name, or the plain name of a compressed one: either may exist by now. */
export function otherForm(name: string): string {
  return name.endsWith('.gz') ? name.slice(0, -3) : `${name}.gz`;
}

const STREAM_FILE = new RegExp(`^${STREAM}(?:\\.gz)?$`);

export function isStreamSuffix(suffix: string): boolean {
  return STREAM_FILE.test(suffix);
}
