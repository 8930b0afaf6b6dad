/** Stopping a running command from the window. */
import * as z from 'zod';
import { ArtifactId, Status } from './artifact.ts';

export const StopParams = z.object({ artifact_id: ArtifactId });

export const StopPlan = z.object({
  /** Why a person can't stop it from here, as a sentence; null when they can. */
  refused: z.string().nullable(),
  /** The command and the processes it started, as far as is known. */
  processes: z.number().int(),
});
export type StopPlan = z.infer<typeof StopPlan>;

export const StopResult = z.object({
  status: Status,
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  /** Whether it ignored SIGTERM and was killed. */
  killed: z.boolean(),
  /** Processes that still run. */
  left: z.number().int(),
});
export type StopResult = z.infer<typeof StopResult>;
