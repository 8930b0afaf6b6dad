/**
 * Fetches what a failed run has that runs of its command that passed have not; or what any output has that a person
 * compares it with. Asks once the text is shown and counted, as the text never waits for it.
 */

import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Connection } from '../../shared/api/api.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { type Comparison, NO_PASS } from '../../shared/comparison.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { isFailure } from '../../shared/recording.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { streamLike } from '../library/artifact-facts.ts';
import type { LibraryStore } from '../library/library-store.ts';
import { sessionStores, useStore } from '../ui/state/store.ts';
import { heading } from '../ui/text/format.ts';
import { isCounted, type Opened } from '../viewer/document/open-document.ts';
import type { RowNews } from '../viewer/text/Rows.tsx';
import { isOnly, type PairedLines } from './alignment.ts';
import { newsOf, spansOf } from './differences.ts';

/** Stands for what the host chooses: of a file its last rotation, or other runs of its CI job. */
export const OWN_BASELINES = 'own';

/** The outputs that a person compares an output with, by its id; none for the last passes. Kept at a reload. */
export const comparedWith = sessionStores<readonly string[]>({
  item: 'spillway.comparedWith',
  maxKeys: 100,
  read: (list) => list.filter((id) => typeof id === 'string'),
  write: (ids) => ids,
});

/** Milliseconds between the text and the question. */
const AFTER_TEXT_MS = 150;

interface DifferencesOptions {
  artifactId: string;
  artifact: Artifact | null;
  library: LibraryStore;
  opened: Opened;
  isMerged: boolean;
}

export type Differences = ReturnType<typeof useDifferences>;

export function useDifferences({ artifactId, artifact, library, opened, isMerged }: DifferencesOptions) {
  const chosen = useStore(comparedWith(artifactId));
  const hasFailed = artifact !== null && artifact.command !== null && isFailure(artifact.status);
  const isAsked = !isMerged && (hasFailed || chosen.length > 0);
  const isOwn = chosen[0] === OWN_BASELINES;
  const { state } = opened.snapshot;
  const isShown = state !== null && isCounted(opened.snapshot);
  const question =
    isAsked && isShown ? JSON.stringify([artifactId, state.stream, state.generation, chosen]) : null;
  const answer = useAnswer(library, question, async (connection, signal) => {
    const stream = state!.stream;
    const ids = chosen.filter((id) => id !== OWN_BASELINES);
    const baselines = ids.map((id) => {
      const other = library.get(id);
      const same = other && streamLike(other, stream);
      return { artifact_id: id, ...(same ? { stream: same } : {}) };
    });
    const named = ids.length > 0 ? { baselines } : {};
    return compared(connection, { artifact_id: artifactId, stream, same_failure: false, ...named }, signal);
  });
  const isSameAsked = isAsked && isShown && hasFailed && artifact.cause !== null;
  const sameQuestion = isSameAsked ? `same ${artifactId}` : null;
  const same = useAnswer(library, sameQuestion, async (connection, signal) => ({
    found: await connection.request('sameFailure', { artifact_id: artifactId }, { signal }),
    isFinal: true,
  }));
  const comparison = answer?.comparison ?? null;
  const spans = useMemo(() => comparison && spansOf(comparison), [comparison]);
  return {
    /** Whether there is, or will be, something to say. */
    isAsked,
    /** Also before the text is counted. */
    isWaiting: isAsked && answer === null,
    comparison,
    /** Why there is none, for a person who waits for it: no run passed, or an output that was named is gone. */
    problem: answer?.isPlain === false && chosen.length === 0 ? null : (answer?.problem ?? null),
    same: same?.found ?? null,
    /** The new and changed lines. */
    spans,
    /** Whether a person chose what it is compared with. */
    isChosen: chosen.length > 0 && !isOwn,
    compareWithPasses: () => comparedWith(artifactId).set([]),
  };
}

interface Answer {
  comparison: Comparison | null;
  problem: string | null;
  /** That no run passed is an answer, and no defect. */
  isPlain: boolean;
  /** A run that began before may still pass, or be listed late. */
  isFinal: boolean;
}

async function compared(
  connection: Connection,
  params: Parameters<typeof connection.request<'compare'>>[1],
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const comparison = await connection.request('compare', params, { signal });
    return { comparison, problem: null, isPlain: true, isFinal: true };
  } catch (thrown) {
    const error = toSpillwayError(thrown);
    if (error.code === 'cancelled') throw error;
    const isPlain = error.what === NO_PASS;
    // A later one may have.
    const problem = isPlain ? 'No earlier run of this has passed here' : heading(error.what);
    return { comparison: null, problem, isPlain, isFinal: !isPlain };
  }
}

/** Answers that are kept, so that going back to an output shows what is known of it at once. */
const MOST_ANSWERS = 16;
const answers = new Map<string, unknown>();

/** Asks a moment after the text is shown. Asks again at each change of the list until the answer is final. */
function useAnswer<T extends { isFinal: boolean }>(
  library: LibraryStore,
  question: string | null,
  ask: (connection: Connection, signal: AbortSignal) => Promise<T>,
): T | null {
  const connection = useConnection();
  const [latest, setLatest] = useState<{ question: string; answer: T } | null>(null);
  const answer = latest !== null && latest.question === question ? latest.answer : null;
  const list = useSyncExternalStore(library.subscribe, () =>
    answer === null || answer.isFinal ? 0 : library.state().structure,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question says what is asked
  useEffect(() => {
    if (question === null || !connection) return;
    if (answers.has(question)) return setLatest({ question, answer: answers.get(question) as T });
    const request = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await ask(connection, request.signal).catch(() => null);
      if (answer === null || request.signal.aborted) return;
      if (answer.isFinal) answers.set(question, answer);
      if (answers.size > MOST_ANSWERS) answers.delete(answers.keys().next().value!);
      setLatest({ question, answer });
    }, AFTER_TEXT_MS);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [question, connection, list]);
  return answer;
}

/** The lines that only one of two outputs side by side has; null while they are not aligned. */
export const Paired = createContext<PairedLines | null>(null);

export function useRowNews(comparison: Comparison | null): RowNews | null {
  const paired = useContext(Paired);
  return useMemo(() => {
    if (!comparison && !paired) return null;
    const below = paired?.missingBelow ?? null;
    return {
      newsOf(line) {
        if (comparison) return newsOf(comparison, line);
        return paired && isOnly(paired, line) ? 'only' : null;
      },
      missingAbove: (line) => paired?.missing.get(line) ?? 0,
      missingBelow: (line) => (below?.line === line ? below.count : 0),
    };
  }, [comparison, paired]);
}
