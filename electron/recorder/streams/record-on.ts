/**
 * The recorder that continues when a command has ended and its background children still write. It reads from the
 * inherited read ends until they close, so that no output is lost and no child dies of SIGPIPE.
 */
import { spawn } from 'node:child_process';
import { existsSync, fstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { recordFile } from '../../store/format/names.ts';
import { ownerOf } from '../../store/format/owner.ts';
import { replaceFile } from '../../store/format/small-file.ts';
import { readPtyMaster } from '../terminal/pty-master.ts';
import { machineClock } from './clock.ts';
import type { RecordedStreamName } from './outcome.ts';
import { Outlet } from './outlet.ts';
import { type ReadEnd, readFrom } from './read-end.ts';
import { type HandOver, resumeRecording } from './recording.ts';

/** The JSON on the process's stdin. */
interface Task {
  /** Null if nothing is recorded: then it only reads, so that no writer's pipe breaks. */
  handOver: HandOver | null;
  /** Each with its descriptor in that process. */
  streams: { name: RecordedStreamName; fd: number; to: number | null; tells: boolean }[];
}

const FIRST_FD = 3;

/**
 * Starts the process: `command` runs `recordOn`. Resolves with its process id once it has everything it needs; rejects
 * if it cannot start. With `passThrough`, it also writes to our stdout and stderr, so a reader sees their end when the
 * last background child has closed them, as without Spillway. It does not write to a socket: Node gives its children
 * sockets and waits for their end.
 */
export async function startRecorder(
  command: readonly string[],
  handOver: HandOver | null,
  open: Partial<Record<RecordedStreamName, ReadEnd>>,
  passThrough: boolean,
): Promise<number | undefined> {
  const [file = '', ...args] = command;
  const ends = Object.entries(open).flatMap(([name, end]) =>
    end.fd === null ? [] : [{ name: name as RecordedStreamName, fd: end.fd, tells: end.tells === true }],
  );
  const task: Task = {
    handOver,
    streams: ends.map(({ name, tells }, index) => {
      const to = name === 'stderr' ? 2 : 1;
      return { name, fd: FIRST_FD + index, to: passThrough && !isSocket(to) ? to : null, tells };
    }),
  };
  const isHeld = (fd: number) => task.streams.some(({ to }) => to === fd);
  const child = spawn(file, args, {
    detached: true,
    cwd: '/',
    stdio: [
      'pipe',
      isHeld(1) ? 'inherit' : 'ignore',
      isHeld(2) ? 'inherit' : 'ignore',
      ...ends.map(({ fd }) => fd),
      ...Object.values(open).flatMap(({ along }) => along ?? []),
    ],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.stdin!.once('error', reject);
    // Record its process id first, so that no reader takes the recorder for dead.
    if (handOver !== null && child.pid !== undefined) nameRecorder(handOver, child.pid);
    child.stdin!.end(JSON.stringify(task), resolve);
  });
  child.unref();
  return child.pid;
}

/** If the record cannot be written, it names us until the recorder has started. */
function nameRecorder({ folder, record }: HandOver, pid: number): void {
  try {
    const path = join(folder, recordFile(record.artifact_id));
    if (existsSync(path)) replaceFile(path, JSON.stringify({ ...record, recorder: ownerOf(pid) }));
  } catch {
    // Ignore a full disk.
  }
}

function isSocket(fd: number): boolean {
  try {
    return fstatSync(fd).isSocket();
  } catch {
    return false;
  }
}

/** The process's main function: reads its task from stdin, then records until all writers have closed their ends. */
export async function recordOn(): Promise<void> {
  const { handOver, streams } = JSON.parse(readFileSync(0, 'utf8')) as Task;
  // Ignore signals meant for the terminal or the job that started us.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE'] as const) process.on(signal, () => {});
  const recording = handOver === null ? null : resumeRecording(handOver, machineClock());
  const outlets = new Map<number, Outlet>();
  const ends = streams.map(({ name, fd, to, tells }) => {
    if (to !== null && !outlets.has(to)) outlets.set(to, new Outlet(to));
    const take = (chunk: Uint8Array) => {
      recording?.write(name, chunk);
      return to === null ? null : outlets.get(to)!.write(chunk);
    };
    return isatty(fd) ? readPtyMaster(fd, take, tells ? () => {} : null) : readFrom(fd, take);
  });
  process.on('SIGTERM', () => {
    for (const end of ends) end.close();
  });
  await Promise.all(ends.map((end) => end.ended));
  await recording?.finish(null);
  await Promise.all([...outlets.values()].map((outlet) => outlet.flushed()));
}
