/**
 * Passes paths and artifact ids from `spillway open`, or from a second start, to the inspector that already runs in
 * the same home: one line of JSON each way on the private socket `control`.
 *
 *     {"open":["/a/path"]}  ->  {"reply":{"url":…,"pid":…,"version":…,"shell":…}}  |  {"error":{code,what,todo}}
 */
import type net from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import * as z from 'zod';
import { firstProblem, fromWire, toWire, WireError } from '../../shared/api/wire.ts';
import { ArtifactId } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { connectPrivately, listenPrivately, socketHolder } from '../host/socket/private-socket.ts';

export const ControlInfo = z.object({
  pid: z.number().int(),
  version: z.string(),
  shell: z.enum(['electron', 'web']),
});
export type ControlInfo = z.infer<typeof ControlInfo>;

const ControlReply = ControlInfo.extend({
  /** Address of the interface, with what lets in; null when it is a desktop window. */
  url: z.string().nullable(),
});
type ControlReply = z.infer<typeof ControlReply>;

const ControlRequest = z.object({
  /**
   * Artifact ids, and absolute paths, since each process has its own directory. Empty only asks which process runs.
   */
  open: z
    .array(
      z
        .string()
        .max(32_768)
        .refine(
          (item) => !item.includes('\0') && (path.isAbsolute(item) || ArtifactId.safeParse(item).success),
          'expected an absolute path or an artifact id',
        ),
    )
    .max(10_000),
  /** Agents may read the paths. */
  agents: z.boolean().optional(),
  /** The address is to start a browser with, and not to be printed. */
  for_browser: z.boolean().optional(),
});
type ControlRequest = z.infer<typeof ControlRequest>;

export interface ControlOptions {
  /** SPILLWAY_HOME; the socket is in its `run` directory. */
  home: string;
  info: ControlInfo;
  /** Shows the paths and artifacts. A SpillwayError is passed to the asking process unchanged. */
  onOpen(request: ControlRequest): Promise<{ url: string | null }>;
}

/** Enough for ten thousand paths of ordinary length. */
const LONGEST_LINE_CHARS = 4 * 1024 * 1024;
const ASK_WITHIN_MS = 10_000;
/** Longer, because adding a large directory takes time. */
const ANSWER_WITHIN_MS = 30_000;

/** Serves the control socket. Throws as `listenPrivately`; `busy` when another process serves this home. */
export async function serveControl(options: ControlOptions): Promise<{ close(): Promise<void> }> {
  const { server, close } = await listenPrivately(path.join(options.home, 'run'), 'control');
  server.maxConnections = 64;
  server.on('connection', async (socket: net.Socket) => {
    // Drop clients that send nothing or never read.
    socket.setTimeout(ASK_WITHIN_MS, () => socket.destroy());
    try {
      const line = await readLine(socket, LONGEST_LINE_CHARS);
      if (line === null) return socket.destroy();
      socket.setTimeout(0);
      socket.end(`${JSON.stringify(await answer(line, options))}\n`);
      socket.setTimeout(ASK_WITHIN_MS);
    } catch {
      socket.destroy();
    }
  });
  return { close };
}

/**
 * Asks the process that serves `home`; resolves with null when none does. Throws the error that it answered, `busy`
 * when it does not answer, and as `connectPrivately`.
 */
export async function askRunning(home: string, request: ControlRequest): Promise<ControlReply | null> {
  const checked = ControlRequest.safeParse(request);
  if (!checked.success) throw badRequest(firstProblem(checked.error));
  const run = path.join(home, 'run');
  const socket = await connectPrivately(run, 'control');
  if (socket === null) return null;
  try {
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy(new Error('timeout')));
    socket.write(`${JSON.stringify(checked.data)}\n`);
    const line = await readLine(socket, LONGEST_LINE_CHARS);
    const answer = Answer.safeParse(parsed(line ?? ''));
    if (!answer.success) throw await silent(run);
    if ('error' in answer.data) throw fromWire(answer.data.error);
    return answer.data.reply;
  } catch (error) {
    throw error instanceof SpillwayError ? error : await silent(run);
  } finally {
    socket.destroy();
  }
}

const Answer = z.union([z.object({ reply: ControlReply }), z.object({ error: WireError })]);

async function answer(line: string, { onOpen, info }: ControlOptions): Promise<z.infer<typeof Answer>> {
  try {
    const request = ControlRequest.safeParse(parsed(line));
    if (!request.success) throw badRequest(firstProblem(request.error));
    const { url } = await onOpen(request.data);
    return { reply: { ...info, url } };
  } catch (error) {
    return { error: toWire(error) };
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function badRequest(problem: string): SpillwayError {
  return new SpillwayError(
    'usage',
    `This can't be opened (${problem})`,
    'give absolute paths or artifact ids',
  );
}

async function silent(run: string): Promise<SpillwayError> {
  const pid = await socketHolder(run, 'control');
  const who = pid === null ? 'The Spillway that is running' : `The Spillway that is running (process ${pid})`;
  return new SpillwayError('busy', `${who} does not answer`, 'wait a moment and retry, or end that process');
}

/**
 * Resolves with the line without its `\n`; with null when the socket ends first, or the line is longer than
 * `longest` characters. Rejects with the socket's error.
 */
export function readLine(socket: Socket, longest: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder('utf8');
    const parts: string[] = [];
    let length = 0;
    const settle = (line: string | null) => {
      socket.pause();
      socket.off('data', onData).off('end', onClose).off('close', onClose).off('error', reject);
      resolve(line);
    };
    const onClose = () => settle(null);
    const onData = (chunk: Buffer) => {
      const end = chunk.indexOf(0x0a);
      const text = decoder.write(end < 0 ? chunk : chunk.subarray(0, end));
      length += text.length;
      if (length > longest) return settle(null);
      parts.push(text);
      if (end >= 0) settle(parts.join(''));
    };
    socket.on('data', onData).on('end', onClose).on('close', onClose).on('error', reject);
  });
}
