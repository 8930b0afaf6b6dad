/** Recognises the files that Spillway wrote in a session's folder, by name. Each begins with its artifact's id. */
import { ID_REST, KINDS } from '../../../shared/artifact-names.ts';
import { SESSION_RECORD } from './names.ts';

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
