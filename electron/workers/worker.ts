/** Runs in a thread, or in a process of a share: one task after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import { prepareSearch } from '../search/search-stretch.ts';
import { stepBack, threadId } from './call-watch.ts';
import { runTask, type TaskArgs, type TaskMessage, type TaskName, type TaskReply } from './tasks.ts';
import { WatchesHere, type WatchMessage } from './watches.ts';

/** A thread without work for so long prepares for a search. */
const IDLE_MS = 500;
/** Preparing takes a quarter of a second of processor time, which short-lived tests save. */
const PREPARES = process.env.SPILLWAY_WARM_UP !== '0';
let idle: NodeJS.Timeout | undefined;
const preparation = prepareSearch();
// The build also runs this file without a thread, to fill V8's code cache.
if (workerData?.stepsBack === true) stepBack();
const thread = threadId();
const post = (message: object, moved: ArrayBuffer[] = []) => {
  if (parentPort) parentPort.postMessage(message, moved);
  else process.send?.(message);
};
if (thread !== null && parentPort) post({ thread });

const watches = new WatchesHere(post);

const take = (message: TaskMessage | WatchMessage) => {
  if ('watch' in message || 'unwatch' in message) {
    watches.take(message);
    return;
  }
  const reply = answer(message);
  post(reply, reply.ok ? buffersOf(reply.result) : []);
  clearTimeout(idle);
  if (PREPARES) idle = setTimeout(prepare, IDLE_MS).unref();
};
if (parentPort) parentPort.on('message', take);
else if (process.send) {
  process.on('message', take);
  process.on('disconnect', () => process.exit());
}

/** Takes one step between messages. */
function prepare(): void {
  if (preparation.next().done !== true) idle = setTimeout(prepare, 0).unref();
}

function answer({ id, name, args }: TaskMessage): TaskReply {
  try {
    return { id, ok: true, result: runTask(name, args as TaskArgs<TaskName>) };
  } catch (error) {
    const { code, what, todo } = toSpillwayError(error);
    const system = error instanceof SpillwayError ? undefined : (error as NodeJS.ErrnoException)?.code;
    return { id, ok: false, error: { code, what, todo, ...(system === undefined ? {} : { system }) } };
  }
}

/** The memory of the arrays in a result: it moves to the receiver instead of being copied. */
function buffersOf(value: unknown, found = new Set<ArrayBuffer>(), depth = 0): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    // A view of a part must not take the rest along.
    if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength)
      found.add(value.buffer);
  } else if (typeof value === 'object' && value !== null && depth < 3) {
    const parts = Object.values(value);
    // Long lists hold rows or numbers, not arrays.
    if (parts.length < 4096) for (const part of parts) buffersOf(part, found, depth + 1);
  }
  return [...found];
}
