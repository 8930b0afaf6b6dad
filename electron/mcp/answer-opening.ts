/**
 * Answers an MCP client's first requests (`initialize` or `server/discover`, then `tools/list`) from a file made by the
 * build, before the server is loaded. Some clients give up on a slow server, or start without it.
 *
 *   client ── initialize, tools/list ──> replies from the file            about 20 ms of processor over Node's own
 *      └───── the same bytes, and all that follow ──> the server; its replies to those are dropped
 *
 * The server answers everything else. It takes five times as long to load as Node, so it is loaded when the client asks
 * for more, or is silent for a second; for one that leaves before, never. Import nothing here that is slow to load.
 */
import { accessSync, constants, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { resolveHome } from '../host/settings/home-path.ts';
import type { OpeningReplies } from './opening-replies.ts';

export interface Opening {
  /** Everything from the client, including the requests already answered. */
  readonly input: Readable;
  /** Ids of the requests already answered. */
  readonly answered: ReadonlySet<string | number>;
}

/** After this long without a request, the server is loaded. */
const PATIENCE_MS = 1000;
const MOST_BYTES = 64 * 1024;
const LINE_FEED = 10;
const ENVELOPE_VERSION = 'io.modelcontextprotocol/protocolVersion';

/**
 * Resolves when the server is needed; with null if this is not `spillway mcp`, or the server will refuse or warn. Ends
 * the process if the client ends its input when everything in it is answered.
 */
export async function answerOpening(args: readonly string[], file: string): Promise<Opening | null> {
  const runs = startsPlainly(args);
  const home = resolveHome();
  if (runs === null || process.stdin.isTTY || ![home, join(home, 'run')].every(isUsable)) return null;
  const replies = readReplies(file, runs ? 'running' : 'reading');
  if (replies === null) return null;
  // The client no longer reads: exit as the server would.
  const leave = () => process.exit(0);
  process.stdout.once('error', leave);
  const opening = await answer(replies, process.stdin, (line) => process.stdout.write(line));
  process.stdout.off('error', leave);
  if (opening === null) await new Promise<never>(() => process.stdout.write('', leave));
  return opening;
}

/** Returns null if the input has ended, and all of it is answered. */
async function answer(
  replies: OpeningReplies,
  stdin: Readable,
  write: (line: string) => void,
): Promise<Opening | null> {
  const input = new PassThrough();
  const answered = new Set<string | number>();
  let rest = Buffer.alloc(0);
  let isListed = false;
  const isOver = await new Promise<boolean>((resolve) => {
    const stop = (isOver: boolean) => {
      clearTimeout(timer);
      stdin.off('data', take).off('end', onEnd).off('error', done).pause();
      resolve(isOver);
    };
    const done = () => stop(false);
    const onEnd = () => stop(rest.length === 0);
    let timer = setTimeout(done, PATIENCE_MS);
    const take = (chunk: Buffer) => {
      input.write(chunk);
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
        const step = stepOf(rest.subarray(0, end).toString(), replies);
        rest = rest.subarray(end + 1);
        if (step === null) return done();
        if (step.reply === null) continue;
        // A client that asks for more needs the server: here, nothing holds one up that does not read.
        if (isListed) return done();
        answered.add(step.id);
        write(`${JSON.stringify({ result: step.reply, jsonrpc: '2.0', id: step.id })}\n`);
        isListed = step.isLast;
        clearTimeout(timer);
        timer = setTimeout(done, PATIENCE_MS);
      }
      // No first request is that long.
      if (rest.length > MOST_BYTES) done();
    };
    stdin.on('data', take).once('end', onEnd).once('error', done);
  });
  if (isOver) return null;
  if (stdin.readableEnded || stdin.destroyed) input.end();
  else stdin.pipe(input);
  return { input, answered };
}

type Step = { reply: null } | { reply: object; id: string | number; isLast: boolean };

/** Returns the reply to a message; `reply: null` if it needs none; null if the server has to answer it. */
function stepOf(line: string, replies: OpeningReplies): Step | null {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return null;
  }
  const { jsonrpc, id, method, params } = (message ?? {}) as Record<string, unknown>;
  if (jsonrpc !== '2.0') return null;
  if (method === 'notifications/initialized' && id === undefined) return { reply: null };
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  const request = { id: id as string | number, params: (params ?? {}) as Record<string, unknown> };
  const meta = request.params._meta as Record<string, unknown> | undefined;
  if (meta?.[ENVELOPE_VERSION] !== undefined) {
    if (meta[ENVELOPE_VERSION] !== replies.modern.version) return null;
    if (method === 'server/discover')
      return { reply: replies.modern.discover, id: request.id, isLast: false };
    if (method === 'tools/list' && request.params.cursor === undefined)
      return { reply: replies.modern.tools, id: request.id, isLast: true };
    return null;
  }
  if (method === 'initialize') {
    const { protocolVersion: asked } = request.params;
    if (typeof asked !== 'string') return null;
    const [latest] = replies.legacy.versions;
    const protocolVersion = replies.legacy.versions.includes(asked) ? asked : latest;
    return { reply: { ...replies.legacy.initialize, protocolVersion }, id: request.id, isLast: false };
  }
  if (method === 'tools/list' && request.params.cursor === undefined)
    return { reply: replies.legacy.tools, id: request.id, isLast: true };
  return null;
}

/** Returns false for `--no-run`, else true; null for arguments that the command line has to handle. */
function startsPlainly([command, ...rest]: readonly string[]): boolean | null {
  if (command !== 'mcp') return null;
  let runs = true;
  for (let i = 0; i < rest.length; i += 1) {
    if (rest[i] === '--no-run') runs = false;
    else if (rest[i] === '--session' && rest[i + 1] !== undefined) i += 1;
    else if (rest[i] !== '--ephemeral') return null;
  }
  return runs;
}

/**
 * Returns true for a private, writable folder, and for a missing one, which the server creates. The server refuses any
 * other and says why.
 */
function isUsable(folder: string): boolean {
  try {
    const stats = lstatSync(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
    const isOurs = process.getuid === undefined || stats.uid === process.getuid();
    return stats.isDirectory() && isOurs && (process.platform === 'win32' || (stats.mode & 0o077) === 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function readReplies(file: string, kind: 'running' | 'reading'): OpeningReplies | null {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as Record<typeof kind, OpeningReplies>)[kind];
  } catch {
    // The build is incomplete: the server answers instead.
    return null;
  }
}
