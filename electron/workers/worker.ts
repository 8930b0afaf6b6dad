/** Runs in the thread: one task after another. */
import { parentPort, workerData } from 'node:worker_threads';
import { toSpillwayError } from '../../shared/errors.ts';
import { prepareSearch } from '../search/warm-up.ts';
import { stepBack } from './priority.ts';
import { runTask, type TaskArgs, type TaskMessage, type TaskName, type TaskReply } from './tasks.ts';

/** A thread without work for so long prepares for a search. */
const IDLE_MS = 500;
/** Preparing takes a quarter of a second of processor time, which short-lived tests save. */
const PREPARES = process.env.SPILLWAY_WARM_UP !== '0';
let idle: NodeJS.Timeout | undefined;
const preparation = prepareSearch();
// The build also runs this file without a thread, to fill V8's code cache.
if (workerData?.stepsBack === true) stepBack();

parentPort?.on('message', (message: TaskMessage) => {
  const reply = answer(message);
  parentPort?.postMessage(reply, reply.ok ? buffersOf(reply.result) : []);
  clearTimeout(idle);
  if (PREPARES) idle = setTimeout(prepare, IDLE_MS).unref();
});

/** Takes one step between messages. */
function prepare(): void {
  if (preparation.next().done !== true) idle = setTimeout(prepare, 0).unref();
}

function answer({ id, name, args }: TaskMessage): TaskReply {
  try {
    return { id, ok: true, result: runTask(name, args as TaskArgs<TaskName>) };
  } catch (error) {
    const { code, what, todo } = toSpillwayError(error);
    return { id, ok: false, error: { code, what, todo } };
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
