/**
 * Stops a running command for a person, whichever process records it; the record says that it was cancelled. A recorder
 * of one command passes SIGTERM on. A recorder of several commands must not be signalled: the command is, with its
 * process tree, and a file tells its recorder why.
 */
import { SpillwayError } from '../../../shared/errors.ts';
import type { StopPlan, StopResult } from '../../../shared/lifecycle.ts';
import {
  endMembers,
  endTree,
  type ProcessTree,
  processes,
  sendSignal,
  treeMembers,
} from '../../recorder/command/process-tree.ts';
import type { CaptureEntry } from '../../store/format/entry.ts';
import { isAlive, isProcessAlive, type Owner, ownScope } from '../../store/format/owner.ts';
import { sandboxOf } from '../../store/format/places.ts';
import { requestStop } from '../recording/run-request.ts';

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 2000;
/** A recorder writes the outcome within this, unless the disk is busy. */
const OUTCOME_MS = 3000;
const POLL_MS = 20;

type Way =
  | { refused: string }
  /** Its process group is its own. */
  | { refused: null; by: 'command'; pid: number }
  /** `led`: a helper of the recorder's leads the command. */
  | { refused: null; by: 'recorder'; pid: number; led: boolean };

type Recorder = Extract<Way, { by: 'recorder' }>;

/** Errors: `not_found`. */
export function stopPlan(entry: CaptureEntry | null, id: string): StopPlan {
  const way = wayTo(entry, id);
  if (way.refused !== null) return { refused: way.refused, processes: 0 };
  const members = way.by === 'command' ? treeOf(way.pid) : under(way.pid, helpersOf(way));
  return { refused: null, processes: members.length };
}

/** @param find returns the current capture. Errors: `not_found`, `unsupported`. */
export async function stopCommand(
  home: string,
  find: () => CaptureEntry | null,
  id: string,
): Promise<StopResult> {
  const entry = find();
  const way = wayTo(entry, id);
  if (way.refused !== null)
    throw new SpillwayError('unsupported', way.refused, 'end it where it was started');
  const withdraw = requestStop(home, entry!.record.artifact_id);
  try {
    return await stop(find, id, way);
  } finally {
    withdraw();
  }
}

async function stop(
  find: () => CaptureEntry | null,
  id: string,
  way: Exclude<Way, { refused: string }>,
): Promise<StopResult> {
  const left = way.by === 'command' ? await endCommand(way.pid) : await endThroughRecorder(way);
  const deadline = performance.now() + OUTCOME_MS;
  let record = find()?.record;
  while (record?.status === 'running' && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    record = find()?.record;
  }
  if (!record) throw notFound(id);
  const { status, exit_code, signal } = record;
  return { status, exit_code, signal, killed: signal === 'SIGKILL', left };
}

function wayTo(entry: CaptureEntry | null, id: string): Way {
  if (!entry) throw notFound(id);
  const { kind, status, recorder, stop, agent } = entry.record;
  if (kind !== 'cmd') return { refused: 'only commands can be stopped' };
  if (status !== 'running') return { refused: 'it has ended already' };
  if (sandboxOf(entry.folder) !== null) return { refused: 'it runs in the sandbox of its agent' };
  const process = stop === 'recorder' ? recorder : stop;
  if (!process || !stop) return { refused: 'its recorder does not say how to stop it' };
  if (!isHere(process)) return { refused: 'it runs in another container or on another machine' };
  if (!isAlive(process)) return { refused: 'its process has ended' };
  if (!maySignal(process.pid)) return { refused: 'it belongs to another user' };
  const { pid } = process;
  if (stop !== 'recorder') return { refused: null, by: 'command', pid };
  // The recorder of agents' shells starts the command itself.
  return { refused: null, by: 'recorder', pid, led: agent === null };
}

/** Process ids are valid within one scope only. */
function isHere({ place }: Owner): boolean {
  const own = ownScope();
  return !place || !own || (place.boot === own.boot && place.pids === own.pids);
}

function maySignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const groupOf = (pid: number): ProcessTree => ({ pid, ownGroup: true, outputs: [] });

function treeOf(pid: number): number[] {
  return treeMembers(groupOf(pid), [pid], true);
}

async function endCommand(pid: number): Promise<number> {
  return (await endTree(groupOf(pid), GRACE_MS)).length;
}

/** Leaves the recorder and its helpers alone: they record how the command ended. */
async function endThroughRecorder(way: Recorder): Promise<number> {
  const recorder = way.pid;
  const helpers = helpersOf(way);
  const left = await endMembers({
    members: () => under(recorder, helpers),
    signal: (known, signal) => {
      if (signal === 'SIGTERM') sendSignal(recorder, signal);
      else for (const pid of known) sendSignal(pid, signal);
    },
    isMore: () => false,
    graceMs: GRACE_MS,
  });
  return left.filter(({ pid }) => isProcessAlive(pid)).length;
}

/**
 * The recorder's own children: one leads the command, others pass its output on. None where no child leads anything,
 * as the recorder started the command itself then.
 */
function helpersOf({ pid: recorder, led }: Recorder): ReadonlySet<number> {
  const rows = processes();
  const parents = new Set(rows.map(({ parent }) => parent));
  const children = rows.filter(({ parent }) => parent === recorder).map(({ pid }) => pid);
  return new Set(led && children.some((pid) => parents.has(pid)) ? children : []);
}

/** All processes under a recorder but the helpers: the command, with what it started. */
function under(recorder: number, helpers: ReadonlySet<number>): number[] {
  const rows = processes();
  const all = (of: number): number[] =>
    rows.filter(({ parent }) => parent === of).flatMap(({ pid }) => [pid, ...all(pid)]);
  return all(recorder).filter((pid) => !helpers.has(pid));
}

function notFound(id: string): SpillwayError {
  return new SpillwayError('not_found', `there is no capture ${id}`, 'it was removed');
}
