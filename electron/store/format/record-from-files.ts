/**
 * Derives a record for a capture whose own can't be read: kind, label and start from its id, streams from its files,
 * session from its folder.
 */
import { join } from 'node:path';
import type { Kind } from '../../../shared/artifact.ts';
import { commandStreamFile, outputFile, SESSION_RECORD } from './names.ts';
import { type CaptureRecord, RECORD_VERSION, type StreamRecord } from './record.ts';
import { believedSession } from './sandbox.ts';
import { parseSession } from './session.ts';
import { readOwn } from './small-file.ts';
import { lstatOrNull } from './walk.ts';

/** Looks only at which files exist. `newer`: a later version wrote the record, and the command may still run. */
export function recordFromFiles(folder: string, id: string, newer: boolean): CaptureRecord {
  const [, kind, label, stamp] = /^([a-z]+)-(.+)-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})-[0-9a-f]{6}$/.exec(
    id,
  )!;
  const started = new Date(stamp!.replace(/T(\d{2})-(\d{2})-(\d{2})$/, 'T$1:$2:$3Z'));
  return {
    version: RECORD_VERSION,
    artifact_id: id,
    kind: kind as Exclude<Kind, 'file'>,
    label: label!,
    command: null,
    args: null,
    cwd: null,
    env_names: null,
    session: sessionNamed(folder),
    agent: null,
    origin: null,
    status: newer ? 'finished' : 'interrupted',
    exit_code: null,
    signal: null,
    cause: null,
    started_at: Number.isNaN(started.getTime()) ? new Date(0).toISOString() : started.toISOString(),
    ended_at: null,
    duration_ms: null,
    warnings: [],
    recorder: null,
    stop: null,
    streams: streamsFound(folder, id),
    times: null,
    terminal: null,
  };
}

/** Returns the session's name; empty when its record can't be read either. */
function sessionNamed(folder: string): string {
  const text = readOwn(join(folder, SESSION_RECORD));
  const parsed = text === null ? null : parseSession(text);
  return (parsed?.ok && believedSession(parsed.session, folder)?.name) || '';
}

function streamsFound(folder: string, id: string): StreamRecord[] {
  const commands = (['stdout', 'stderr'] as const).map((name) =>
    streamFound(folder, name, commandStreamFile(id, name)),
  );
  if (commands.some((stream) => stream.file !== null)) return commands;
  const outputs = (['log', 'json', 'text'] as const).map((type) => outputFile(id, type));
  const found = outputs
    .map((file) => streamFound(folder, 'output', file))
    .find((stream) => stream.file !== null);
  return [found ?? streamOf('output', null, 0)];
}

function streamFound(folder: string, name: StreamRecord['name'], file: string): StreamRecord {
  const plain = lstatOrNull(join(folder, file));
  if (plain?.isFile()) return streamOf(name, file, plain.size);
  const packed = !plain && lstatOrNull(join(folder, `${file}.gz`))?.isFile();
  return streamOf(name, packed ? file : null, 0);
}

function streamOf(name: StreamRecord['name'], file: string | null, bytes: number): StreamRecord {
  return {
    name,
    file,
    folded: null,
    total_bytes: bytes,
    total_lines: null,
    gap: null,
    content_type: 'unknown',
  };
}
