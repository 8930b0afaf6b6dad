/** Deletes captures from the list. Their files are held for some seconds, in which it can be undone. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Connection } from '../../shared/api/api.ts';
import { type Artifact, isMergedId } from '../../shared/artifact.ts';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { StayedReason } from '../../shared/lifecycle.ts';
import { plural } from '../../shared/text/format.ts';
import { ActionButton } from '../actions/ActionMenu.tsx';
import { undoActions, useUndoOffer } from '../actions/undo.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Bar } from '../ui/layout/Message.tsx';
import { MiddleText } from '../ui/text/MiddleText.tsx';
import { nameOf } from './artifact-facts.ts';
import type { LibraryStore } from './library-store.ts';

/** Milliseconds until deleted files are removed. */
export const HELD_MS = 10_000;

/** Whether the window may delete it: a finished capture of ours that nobody pinned. */
export function canDelete({ artifact_id, kind, status, pinned, source }: Artifact): boolean {
  return (
    kind !== 'file' && source === 'captures' && status !== 'running' && !pinned && !isMergedId(artifact_id)
  );
}

const STAYED: Partial<Record<StayedReason, string>> = { running: 'it is running', pinned: 'it is pinned' };

interface DeletionState {
  /** The captures that can still be brought back; empty without any. */
  held: readonly Artifact[];
  /** A sentence on captures that could not be removed. */
  problem: string | null;
}

/** Hides captures at once, and removes their files later. Closing the window before that leaves them. */
export class Deletion {
  readonly #library: Pick<LibraryStore, 'get' | 'hide' | 'unhide'>;
  readonly #onChange: (state: DeletionState) => void;
  #held: readonly Artifact[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  connection: Pick<Connection, 'request'> | null = null;

  constructor(
    library: Pick<LibraryStore, 'get' | 'hide' | 'unhide'>,
    onChange: (state: DeletionState) => void,
  ) {
    this.#library = library;
    this.#onChange = onChange;
  }

  remove(ids: readonly string[]): void {
    void this.#finish();
    this.#held = ids.flatMap((id) => this.#library.get(id) ?? []).filter(canDelete);
    if (this.#held.length === 0) return;
    this.#library.hide(this.#held.map(({ artifact_id }) => artifact_id));
    this.#timer = setTimeout(() => void this.#finish(), HELD_MS);
    this.#onChange({ held: this.#held, problem: null });
  }

  undo(): void {
    clearTimeout(this.#timer);
    this.#library.unhide(this.#held.map(({ artifact_id }) => artifact_id));
    this.#held = [];
    this.#onChange({ held: [], problem: null });
  }

  async #finish(): Promise<void> {
    clearTimeout(this.#timer);
    const gone = this.#held;
    if (gone.length === 0) return;
    this.#held = [];
    this.#onChange({ held: [], problem: null });
    const ids = gone.map(({ artifact_id }) => artifact_id);
    try {
      if (!this.connection)
        throw new SpillwayError('cancelled', 'Spillway’s host does not answer', 'try again');
      const { stayed } = await this.connection.request('cleanup', { artifact_ids: ids });
      const [first] = stayed;
      if (first)
        this.#fail(
          stayed.map(({ artifact_id }) => artifact_id),
          STAYED[first.reason] ?? first.reason,
        );
    } catch (error) {
      this.#fail(ids, toSpillwayError(error).message);
    }
  }

  /** Lists again what could not be deleted. */
  #fail(ids: readonly string[], why: string): void {
    this.#library.unhide(ids);
    this.#onChange({
      held: this.#held,
      problem: `${plural(ids.length, 'capture')} could not be deleted: ${why}`,
    });
  }
}

export function useDeletion(library: LibraryStore) {
  const connection = useConnection();
  const [state, setState] = useState<DeletionState>({ held: [], problem: null });
  const deletion = useMemo(() => new Deletion(library, setState), [library]);
  useEffect(() => {
    deletion.connection = connection;
  }, [deletion, connection]);
  const undo = useCallback(() => deletion.undo(), [deletion]);
  const context = { undo: state.held.length > 0 ? undo : null };
  useUndoOffer(context.undo, state.held);
  return {
    ...{ state, context },
    remove: (ids: readonly string[]) => deletion.remove(ids),
    dismiss: () => setState((last) => ({ ...last, problem: null })),
  };
}

/** Says what was deleted, while it can be undone. */
export function DeletionBar({ state, context, dismiss }: ReturnType<typeof useDeletion>) {
  const [first] = state.held;
  return (
    <>
      {first && (
        <Bar
          tone="informed"
          word="Deleted"
          actions={<ActionButton action={undoActions.undo} context={context} />}
        >
          {state.held.length === 1 ? (
            <MiddleText text={nameOf(first)} />
          ) : (
            plural(state.held.length, 'capture')
          )}
        </Bar>
      )}
      {state.problem !== null && (
        <Bar tone="warned" word="Warning" onDismiss={dismiss}>
          {state.problem}
        </Bar>
      )}
    </>
  );
}
