/** Follows the text of an open document while it grows. */
import type { Opened } from './document/use-open-document.ts';
import { type Following, followState, isAnyUnread } from './follow/following.ts';
import { useFollowAtOpen, useStayAtEnd } from './follow/use-end-in-view.ts';
import { useFollow } from './follow/use-follow.ts';
import type { Scroll } from './scrolling/scroll.ts';
import type { ShownRows } from './use-shown-rows.ts';

interface FollowingOptions extends Pick<ShownRows, 'rows' | 'tail' | 'counted' | 'pending'> {
  opened: Opened;
  scroll: Scroll;
  /** Whether only lines that pass a filter are shown. */
  isFiltered: boolean;
  initially: Following | undefined;
}

export function useFollowing(options: FollowingOptions) {
  const { opened, scroll, rows, tail, counted, pending, isFiltered, initially } = options;
  const { document, snapshot } = opened;
  const { state, total } = snapshot;
  const isCounted = counted && !tail;
  const follow = useFollow(
    scroll,
    rows,
    { lines: isCounted ? (isFiltered ? rows.count : total) : null, bytes: state?.total_bytes ?? 0 },
    snapshot,
    { opening: document, generation: state?.generation ?? null },
    initially,
  );
  const { following, unread } = follow;
  useStayAtEnd(scroll, following);
  useFollowAtOpen({
    scroll,
    isRunning: state?.artifact.status === 'running',
    isSettled: isCounted && pending === null,
    isKnown: total > 0 || state?.total_bytes === 0,
    isFollowing: following === 'on',
    follow: follow.toggle,
  });
  return { ...follow, state: followState(following, state?.artifact, isAnyUnread(unread)) };
}
