/** Searches many artifacts, a few at a time, and tells which have matches as they come. */

import type { DocumentRef } from '../../../shared/api/rows.ts';
import type { AcrossEvent, AcrossRef, FoundIn } from '../../../shared/api/search.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { expressionOf } from '../../search/expression.ts';
import type { Document } from '../documents/document.ts';
import type { Access } from '../host.ts';
import { runInOrder } from '../in-order.ts';
import type { Searches, SearchJob } from './search-job.ts';

/** Artifacts searched at once: small ones mostly wait for the disk and for each other's results. */
const PARALLEL_ARTIFACTS = 4;
/** Shortest time between two events; the first and the last are sent at once. */
const TELL_MS = 100;

interface AcrossParts {
  searches: Searches;
  documentOf: (ref: DocumentRef, access: Access) => Promise<Document>;
}

/** Throws `usage` for an invalid pattern, before anything is read. */
export function searchAcross(
  { query, artifact_ids }: AcrossRef,
  { searches, documentOf }: AcrossParts,
  listener: (event: AcrossEvent) => void,
  onError: (error: Error) => void,
): () => void {
  expressionOf(query);
  const stop = new AbortController();
  const { signal } = stop;
  const changed = new Map<string, FoundIn>();
  let searched = 0;
  let unreadable = 0;
  let sentAt = 0;
  const tell = (done: boolean) => {
    if (signal.aborted || (!done && Date.now() - sentAt < TELL_MS)) return;
    sentAt = Date.now();
    const found = [...changed.values()];
    changed.clear();
    listener({ found, searched, unreadable, done });
  };
  const note = (artifact_id: string, job: SearchJob, done: boolean) => {
    if (job.lines.size === 0) return;
    changed.set(artifact_id, { artifact_id, match_count: job.lines.size, done });
    tell(false);
  };
  const searchOne = async (artifactId: string) => {
    const document = await documentOf({ artifact_id: artifactId }, 'person');
    await document.use({ need: 'everything', signal }, async (generation) => {
      if (generation.contentType === 'binary') {
        unreadable += 1;
        return;
      }
      const job = searches.job(generation, query, false, true);
      const leave = job.onProgress(() => note(artifactId, job, false));
      try {
        await searches.complete(job, signal);
        note(artifactId, job, true);
      } finally {
        leave();
      }
    });
  };
  const work = async (artifactId: string) => {
    if (signal.aborted) return;
    try {
      await searchOne(artifactId);
    } catch {
      // It no longer exists or cannot be read: search the others all the same.
      unreadable += 1;
    }
    searched += 1;
    tell(false);
  };
  runInOrder(artifact_ids, PARALLEL_ARTIFACTS, work, () => {}).then(
    () => tell(true),
    (error) => signal.aborted || onError(toSpillwayError(error)),
  );
  return () => stop.abort();
}

export function mergeAcross(held: AcrossEvent, next: AcrossEvent): AcrossEvent {
  const found = new Map([...held.found, ...next.found].map((each) => [each.artifact_id, each]));
  return { ...next, found: [...found.values()] };
}
