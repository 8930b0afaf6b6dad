/** Streams of events, and how a connection ends, over each transport alike. */
import { describe, expect, it, vi } from 'vitest';
import { type LibraryEvent, type Notice, streams } from '../../../shared/api/api.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { hanging, open, openWindowsOver } from '../../fixtures/set-up/window-over.ts';
import { untilPasses } from '../../fixtures/until.ts';
import { artifact, documentState } from './memory-artifact.ts';
import { transports } from './transports.ts';

const id = artifact().artifact_id;
const document = { artifact_id: id };
const search = { document, query: { pattern: 'red', fixed: true, case_sensitive: false, invert: false } };

const paramsOf = {
  library: {},
  document,
  search,
  filter: { document, filter: { rules: [], within: [] } },
  search_across: { query: search.query, artifact_ids: [id] },
  summary: { document },
  histogram: { document, bins: 10 },
  notices: {},
};

describe.each(transports)('over $name', (transport) => {
  openWindowsOver(transport);

  describe('a stream', () => {
    it('library begins with everything and goes on with changes', async () => {
      const { host, window } = await open();
      const events: LibraryEvent[] = [];
      window.subscribe('library', {}, (event) => events.push(event));
      await untilPasses(() => expect(events).toHaveLength(1));
      const change = { reset: false, changed: [artifact(2)], removed: [id] };
      host.changeLibrary(change);
      await untilPasses(() => expect(events).toHaveLength(2));
      expect(events).toEqual([{ reset: true, changed: [artifact(1)], removed: [] }, change]);
    });

    it('document is of the one asked for, in order', async () => {
      const { host, window } = await open();
      const watch = vi.spyOn(host, 'watchDocument');
      const sizes: number[] = [];
      window.subscribe('document', { ...document, encoding: 'utf-8' }, (state: DocumentState) =>
        sizes.push(state.total_bytes),
      );
      await untilPasses(() => expect(sizes).toHaveLength(1));
      expect(watch.mock.calls[0]![0]).toEqual({ ...document, encoding: 'utf-8' });
      for (let size = 1000; size < 2000; size++) host.changeDocument(documentState(size));
      await untilPasses(() => expect(sizes).toHaveLength(1001));
      expect(sizes.slice(1)).toEqual([...Array(1000).keys()].map((n) => n + 1000));
    });

    it('notices brings what happens, to every window', async () => {
      const { host, window } = await open();
      const seen: Notice[] = [];
      window.subscribe('notices', {}, (notice) => seen.push(notice));
      window.subscribe('notices', {}, (notice) => seen.push(notice));
      await untilPasses(() => expect(host.watchers().notices).toBe(2));
      host.notify({ type: 'show', artifact_id: id });
      await untilPasses(() => expect(seen).toEqual(Array(2).fill({ type: 'show', artifact_id: id })));
    });

    it('ends when it is no longer wanted', async () => {
      const { host, window } = await open();
      const events: DocumentState[] = [];
      const errors: Error[] = [];
      const stop = window.subscribe(
        'document',
        document,
        (state) => events.push(state),
        errors.push.bind(errors),
      );
      await untilPasses(() => expect(events).toHaveLength(1));
      host.changeDocument(documentState(7));
      stop();
      stop();
      await untilPasses(() => expect(host.watchers().document).toBe(0));
      host.changeDocument(documentState(8));
      await window.request('hello', {});
      expect(events).toHaveLength(1);
      expect(errors).toEqual([]);
    });

    it('that fails says so once, and nothing more comes', async () => {
      const { host, window } = await open();
      const events: DocumentState[] = [];
      const errors: Error[] = [];
      window.subscribe(
        'document',
        document,
        (state) => events.push(state),
        (error) => errors.push(error),
      );
      await untilPasses(() => expect(events).toHaveLength(1));
      host.failDocument(new SpillwayError('not_found', 'It is gone', 'look elsewhere'));
      await untilPasses(() => expect(errors).toHaveLength(1));
      expect(errors[0]).toMatchObject({ code: 'not_found', what: 'It is gone' });
      expect(host.watchers().document).toBe(0);
    });

    it.each([
      ['at once, before it is open', 'calls'],
      ['by throwing', 'throws'],
    ])('that fails %s says so too', async (_, how) => {
      const stopped = vi.fn();
      const gone = new SpillwayError('not_found', 'No such artifact', 'see list');
      const { window } = await open({
        watchDocument(_ref, _event, fail) {
          if (how === 'throws') throw gone;
          fail(gone);
          return stopped;
        },
      });
      const error = await new Promise((resolve) => window.subscribe('document', document, () => {}, resolve));
      expect(error).toMatchObject({ code: 'not_found' });
      if (how === 'calls') expect(stopped).toHaveBeenCalledTimes(1);
    });
  });

  describe('closing', () => {
    it('by the window rejects what is pending and lets the host go', async () => {
      const { lineAt, signals } = hanging();
      const { host, window } = await open({ lineAt });
      const errors: Error[] = [];
      const lost = vi.fn();
      window.onClose(lost);
      for (const topic of Object.keys(streams) as Array<keyof typeof streams>) {
        window.subscribe(
          topic,
          paramsOf[topic],
          () => {},
          (error) => errors.push(error),
        );
      }
      const answer = window.request('lineAt', { document, offset: 1 });
      await untilPasses(() => expect(signals).toHaveLength(1));
      window.close();
      window.close();
      await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
      expect(errors.map((error) => (error as SpillwayError).code)).toEqual(
        Object.keys(streams).map(() => 'cancelled'),
      );
      await untilPasses(() => expect(host.watchers()).toEqual({ library: 0, document: 0, notices: 0 }));
      expect(signals[0]!.aborted).toBe(true);
      expect(lost).not.toHaveBeenCalled();
    });

    it('by the host rejects what is pending and is said once', async () => {
      const { lineAt, signals } = hanging();
      const { host, link, window } = await open({ lineAt });
      const lost = vi.fn();
      const failed = vi.fn();
      window.onClose(lost);
      window.subscribe('library', {}, () => {}, failed);
      const answer = window.request('lineAt', { document, offset: 1 });
      await untilPasses(() => expect(signals).toHaveLength(1));
      link.drop();
      await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
      expect(failed).toHaveBeenCalledTimes(1);
      expect(lost).toHaveBeenCalledTimes(1);
      await untilPasses(() => expect(host.watchers().library).toBe(0));
      const late = vi.fn();
      window.onClose(late);
      await untilPasses(() => expect(late).toHaveBeenCalledTimes(1));
    });

    it('leaves nothing to be asked', async () => {
      const { window } = await open();
      window.close();
      await expect(window.request('hello', {})).rejects.toMatchObject({ code: 'cancelled' });
      const error = await new Promise((resolve) => window.subscribe('library', {}, () => {}, resolve));
      expect(error).toMatchObject({ code: 'cancelled' });
    });
  });
});
