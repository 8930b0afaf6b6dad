/** The thread's side: one task after the other. */
import { parentPort } from 'node:worker_threads';
import { toSpillwayError } from '../../shared/errors.ts';
import { runTask, type TaskArgs, type TaskMessage, type TaskName, type TaskReply } from './tasks.ts';

parentPort?.on('message', (message: TaskMessage) => {
  parentPort?.postMessage(answer(message));
});

function answer({ id, name, args }: TaskMessage): TaskReply {
  try {
    return { id, ok: true, result: runTask(name, args as TaskArgs<TaskName>) };
  } catch (error) {
    const { code, what, todo } = toSpillwayError(error);
    return { id, ok: false, error: { code, what, todo } };
  }
}
