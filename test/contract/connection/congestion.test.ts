/** A window that reads slowly: the host's queue for it stays bounded, and the window ends up with the newest state. */

import { describe, expect, it, vi } from 'vitest';
import { mergeLibraryEvents, serveConnection } from '../../../electron/host/serve.ts';
import type { LibraryEvent } from '../../../shared/api/api.ts';
import { CONGESTED_BYTES, channelEnd, type HostMessage } from '../../../shared/api/wire.ts';
import { MAX_EVENT_ARTIFACTS } from '../../../shared/limits.ts';
import fc from '../../fixtures/fast-check.ts';
import { untilPasses } from '../../fixtures/until.ts';
import { artifact, documentState } from './memory-artifact.ts';
import { hello, memoryHost } from './memory-host.ts';

const ref = { artifact_id: artifact().artifact_id };

/** A served connection whose buffer is as full as the test says. */
function open() {
  const host = memoryHost();
  const sent: HostMessage[] = [];
  let buffered = 0;
  const { end, received, drained, closed } = channelEnd({
    post: (message) => sent.push(message as HostMessage),
    close: () => {},
    bufferedAmount: () => buffered,
  });
  serveConnection(end, host, hello);
  return {
    host,
    say: received,
    closed,
    /** Messages sent since the last call. */
    sent: () => sent.splice(0),
    congest: () => {
      buffered = CONGESTED_BYTES + 1;
    },
    drain: () => {
      buffered = 0;
      drained();
    },
  };
}

const subscribe = (id: number, topic: string) => ({ type: 'subscribe', id, topic, params: ref });
const event = (id: number, value: unknown) => ({ type: 'event', id, event: value });

describe('a congested connection', () => {
  it('keeps of a document only its newest state', () => {
    const { host, say, sent, congest, drain } = open();
    say(subscribe(1, 'document'));
    expect(sent()).toEqual([event(1, documentState())]);
    congest();
    for (let size = 1; size <= 10_000; size++) host.changeDocument(documentState(size));
    expect(sent()).toEqual([]);
    drain();
    expect(sent()).toEqual([event(1, documentState(10_000))]);
    host.changeDocument(documentState(10_001));
    expect(sent()).toEqual([event(1, documentState(10_001))]);
  });

  it('merges the changes of the library into one', () => {
    const { host, say, sent, congest, drain } = open();
    say(subscribe(1, 'library'));
    sent();
    congest();
    host.changeLibrary({
      reset: false,
      changed: [artifact(2), artifact(3)],
      removed: [artifact(1).artifact_id],
    });
    host.changeLibrary({ reset: false, changed: [{ ...artifact(2), pinned: true }], removed: [] });
    host.changeLibrary({ reset: false, changed: [], removed: [artifact(3).artifact_id] });
    expect(sent()).toEqual([]);
    drain();
    expect(sent()).toEqual([
      event(1, {
        reset: false,
        changed: [{ ...artifact(2), pinned: true }],
        removed: [artifact(1).artifact_id, artifact(3).artifact_id],
      }),
    ]);
  });

  it('sends what was held back of a large library in pages', () => {
    const { host, say, sent, congest, drain } = open();
    say(subscribe(1, 'library'));
    sent();
    congest();
    const all = [...Array(1200).keys()].map(artifact);
    for (let at = 0; at < all.length; at += 100) {
      host.changeLibrary({ reset: at === 0, changed: all.slice(at, at + 100), removed: [] });
    }
    drain();
    const events = sent().map((message) => (message as { event: LibraryEvent }).event);
    expect(events.flatMap((event) => event.changed)).toEqual(all);
    expect(events.map((event) => event.reset)).toEqual(events.map((_, index) => index === 0));
    for (const { changed } of events) expect(changed.length).toBeLessThanOrEqual(MAX_EVENT_ARTIFACTS);
  });

  it('keeps the newest hundred notices, in order', () => {
    const { host, say, sent, congest, drain } = open();
    say(subscribe(1, 'notices'));
    congest();
    for (let n = 0; n < 250; n++) host.notify({ type: 'message', text: String(n) });
    drain();
    expect(sent()).toEqual(
      [...Array(100).keys()].map((n) => event(1, { type: 'message', text: String(n + 150) })),
    );
  });

  it('fills up again in the middle of what was held back, and loses nothing', () => {
    const { host, say, sent, congest, drain } = open();
    say(subscribe(1, 'notices'));
    say(subscribe(2, 'document'));
    sent();
    congest();
    host.notify({ type: 'message', text: 'a' });
    host.changeDocument(documentState(1));
    drain();
    congest();
    host.changeDocument(documentState(2));
    drain();
    expect(sent()).toEqual([
      event(1, { type: 'message', text: 'a' }),
      event(2, documentState(1)),
      event(2, documentState(2)),
    ]);
  });

  it('starts no new work, but still refuses and cancels', async () => {
    const { host, say, sent, congest, drain } = open();
    const rows = vi.spyOn(host, 'rows');
    congest();
    const params = { document: ref, start_line: 1, count: 1 };
    say({ type: 'request', id: 1, name: 'rows', params });
    say({ type: 'request', id: 2, name: 'rows', params });
    say({ type: 'request', id: 3, name: 'rwos', params });
    say({ type: 'cancel', id: 1 });
    expect(rows).not.toHaveBeenCalled();
    expect(sent()).toMatchObject([
      { id: 3, error: { code: 'usage' } },
      { id: 1, error: { code: 'cancelled' } },
    ]);
    drain();
    await untilPasses(() => expect(sent()).toMatchObject([{ id: 2, type: 'result' }]));
    expect(rows).toHaveBeenCalledTimes(1);
  });

  it('forgets what was held back for a stream that is left, and everything when it closes', () => {
    const { host, say, sent, congest, drain, closed } = open();
    say(subscribe(1, 'document'));
    say(subscribe(2, 'document'));
    sent();
    congest();
    host.changeDocument(documentState(1));
    say({ type: 'unsubscribe', id: 1 });
    drain();
    expect(sent()).toEqual([event(2, documentState(1))]);
    closed();
    host.changeDocument(documentState(2));
    drain();
    expect(sent()).toEqual([]);
    expect(host.watchers().document).toBe(0);
  });
});

describe('a value the transport cannot carry', () => {
  it('is an error for its request, and the connection goes on', async () => {
    const sent: HostMessage[] = [];
    const { end, received } = channelEnd({
      post: (message) => sent.push(structuredClone(message) as HostMessage),
      close: () => {},
    });
    const bad = { outputs: [() => {}], next_cursor: null } as never;
    serveConnection(end, memoryHost({ list: async () => bad }), hello);
    received({ type: 'request', id: 1, name: 'list', params: {} });
    received({ type: 'request', id: 2, name: 'hello', params: {} });
    await untilPasses(() => expect(sent).toHaveLength(2));
    expect(sent).toMatchObject([
      { id: 1, type: 'error', error: { code: 'internal' } },
      { id: 2, type: 'result', result: hello },
    ]);
  });
});

describe('library events that were merged', () => {
  const known = (event: LibraryEvent, before: Map<string, boolean>) => {
    const after = event.reset ? new Map<string, boolean>() : new Map(before);
    for (const id of event.removed) after.delete(id);
    for (const { artifact_id, pinned } of event.changed) after.set(artifact_id, pinned);
    return after;
  };
  const number = fc.nat(6);
  const anEvent: fc.Arbitrary<LibraryEvent> = fc
    .record({
      reset: fc.boolean(),
      changed: fc.uniqueArray(fc.record({ n: number, pinned: fc.boolean() }), { selector: ({ n }) => n }),
      removed: fc.uniqueArray(number),
    })
    .map(({ reset, changed, removed }) => ({
      reset,
      changed: changed.map(({ n, pinned }) => ({ ...artifact(n), pinned })),
      removed: reset
        ? []
        : removed.filter((r) => !changed.some(({ n }) => n === r)).map((n) => artifact(n).artifact_id),
    }));

  it('leave a window knowing what it would have known from each of them', () => {
    fc.assert(
      fc.property(fc.array(number), fc.array(anEvent, { minLength: 1, maxLength: 6 }), (start, events) => {
        const before = new Map(start.map((n) => [artifact(n).artifact_id, false]));
        const frozen = JSON.stringify(events);
        const merged = mergeLibraryEvents(events);
        const after = events.reduce((state, event) => known(event, state), before);
        expect(known(merged, before)).toEqual(after);
        expect(merged.removed.filter((id) => merged.changed.some((one) => one.artifact_id === id))).toEqual(
          [],
        );
        // Other windows get the same events.
        expect(JSON.stringify(events)).toBe(frozen);
      }),
    );
  });
});
