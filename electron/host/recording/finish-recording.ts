/** Ends the recording of a command whose background children may still write. */
import type { CommandEnd } from '../../recorder/command/run-on-pipes.ts';
import type { CommandOutcome } from '../../recorder/streams/concluded.ts';
import { startRecorder } from '../../recorder/streams/record-on.ts';
import type { Finished, Recording } from '../../recorder/streams/recording.ts';
import type { RunRequest } from './run-request.ts';

interface RecordingEnd {
  finished: Finished;
  /** Resolves when recording has ended. */
  rest: Promise<void>;
  /** Background children's output is not recorded. */
  restLost: boolean;
  /** The process that records on; null when there is none. */
  recorder: number | null;
}

/** Leaves streams that are still open to a recorder process, where `request` names one; else this process reads on. */
export async function finishRecording(
  { recorder, keepsOutput }: RunRequest,
  recording: Recording,
  outcome: CommandOutcome,
  open: CommandEnd['open'],
): Promise<RecordingEnd> {
  const ends = Object.values(open);
  if (ends.length === 0) {
    const finished = await recording.finish(outcome);
    return { finished, rest: Promise.resolve(), restLost: false, recorder: null };
  }
  if (!recorder) {
    const finished = recording.soFar(outcome);
    for (const end of ends) end.readOn();
    const rest = Promise.all(ends.map((end) => end.ended)).then(
      async () => void (await recording.finish(null)),
    );
    return { finished, rest, restLost: false, recorder: null };
  }
  const { finished, handOver } = recording.handOver(outcome);
  const isLost = ends.some(({ fd }) => fd === null);
  if (isLost)
    finished.warnings.push(`${LOST}: there is no mkfifo, which makes pipes that can be handed over`);
  let pid: number | undefined;
  try {
    pid = await startRecorder(recorder, handOver, open, !keepsOutput);
  } catch (error) {
    finished.warnings.push(`${LOST}: no recorder could be started (${(error as Error).message})`);
  }
  for (const end of ends) end.close();
  return {
    finished,
    rest: Promise.resolve(),
    restLost: isLost || pid === undefined,
    recorder: pid ?? null,
  };
}

const LOST = 'what its background children print is lost';
