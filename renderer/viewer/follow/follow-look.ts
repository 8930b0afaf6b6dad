/** What is shown of following: a run that has ended grows no more, so there it says that rather than promise more. */
import type { Artifact } from '../../../shared/artifact.ts';
import { canGrow } from '../../library/artifact-look.ts';
import type { Following } from './following.ts';

export type FollowLook = Following | 'ended';

/** @param waits something came that was not seen yet: the way there stays */
export function followLook(following: Following, artifact: Artifact | undefined, waits: boolean): FollowLook {
  if (following === 'off' || !artifact || canGrow(artifact)) return following;
  return following === 'paused' && waits ? 'paused' : 'ended';
}
