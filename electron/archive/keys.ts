/**
 * Where a capture lies in the bucket. What a list filters by is in the key, so that listing is filtering:
 *
 *     v1/<space>/<failed|ok>/<day>/<hour>/<host>/<id>~<exit>~<label>/{stdout.gz,stderr.gz,output.gz,record.json}
 *
 * Day and hour are those of the id, in UTC, so that an id alone tells where to look. The record is put last: a capture
 * without one is not there yet.
 */
import { ArtifactId, type StreamName } from '../../shared/artifact.ts';
import { isFailure } from '../../shared/recording.ts';
import type { CaptureRecord } from '../store/format/record.ts';

export const RECORD_OBJECT = 'record.json';
export type Outcome = 'failed' | 'ok';

export interface Place {
  space: string;
  outcome: Outcome;
  /** `2026-01-13` */
  day: string;
  /** `00` to `23` */
  hour: string;
  host: string;
  id: string;
  /** The exit status, the signal's name, or `-`. */
  exit: string;
  label: string;
}

export const streamObject = (name: StreamName) => `${name}.gz`;

const STAMP = /-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-[0-9a-f]{6}$/;

/** Returns the day and hour in an id; null for another text. */
export function hourOf(id: string): Pick<Place, 'day' | 'hour'> | null {
  const found = ArtifactId.safeParse(id).success ? STAMP.exec(id) : null;
  return found && { day: found[1]!, hour: found[2]! };
}

/** Returns when the capture began, by its id. Milliseconds since the epoch. */
export function beganAt(id: string): number {
  const [, day, hour, minute, second] = STAMP.exec(id) ?? [];
  return Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}

/** `record`: with its secrets masked, as the label is part of the key. */
export function placeOf(record: CaptureRecord, space: string, host: string): Place {
  const id = record.artifact_id;
  return {
    ...{ space, id, host: namedInKey(host) },
    ...hourOf(id)!,
    outcome: isFailure(record.status) ? 'failed' : 'ok',
    exit: record.signal ?? String(record.exit_code ?? '-'),
    label: namedInKey(record.label),
  };
}

/** A part of a key has characters that need no escaping anywhere; `~` stands between parts. */
const MAX_NAME_CHARS = 63;

export function namedInKey(text: string): string {
  return (
    text
      .replace(/[^A-Za-z0-9._-]+/g, '_')
      .replace(/^\.+/, '_')
      .slice(0, MAX_NAME_CHARS) || '_'
  );
}

export function hourPrefix({ space, outcome, day, hour }: Omit<Place, 'host' | 'id' | 'exit' | 'label'>) {
  return `v1/${space}/${outcome}/${day}/${hour}/`;
}

/** Returns the capture's folder, with its `/`. */
export function folderOf(place: Place): string {
  return `${hourPrefix(place)}${place.host}/${place.id}~${place.exit}~${place.label}/`;
}

const KEY =
  /^v1\/([^/]+)\/(failed|ok)\/(\d{4}-\d\d-\d\d)\/(\d\d)\/([^/]+)\/([^/~]+)~([^/~]*)~([^/]*)\/([^/]+)$/;

/** Returns where an object lies, and its name there; null for what is not ours. */
export function parseKey(key: string): { place: Place; object: string } | null {
  const [, space, outcome, day, hour, host, id, exit, label, object] = KEY.exec(key) ?? [];
  if (id === undefined || !ArtifactId.safeParse(id).success) return null;
  const place = {
    ...{ space: space!, outcome: outcome as Outcome, day: day!, hour: hour!, host: host! },
    ...{ id, exit: exit!, label: label! },
  };
  return { place, object: object! };
}
