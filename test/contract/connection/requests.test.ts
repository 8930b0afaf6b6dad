/** The connection's promises to the window, on each transport. */
import { describe, expect, it, vi } from 'vitest';
import { type RequestName, type RequestParams, requests } from '../../../shared/api/api.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { FREE } from '../../../shared/search-query.ts';
import { defects, hanging, open, openWindowsOver } from '../../fixtures/set-up/window-over.ts';
import { untilPasses } from '../../fixtures/until.ts';
import { artifact, text } from './memory-artifact.ts';
import { hello } from './memory-host.ts';
import { transports } from './transports.ts';

const id = artifact().artifact_id;
const document = { artifact_id: id };
const search = { document, query: { pattern: 'red', fixed: true, case_sensitive: false, invert: false } };

/** One valid example of each request. Types require an example for each new request. */
const examples: { [N in RequestName]: RequestParams<N> } = {
  hello: {},
  list: { kind: 'file', limit: 1 },
  artifact: { artifact_id: id },
  inspect: { artifact_id: id, mode: 'tail', lines: 3 },
  read: { artifact_id: id, offset: 6 },
  compare: { artifact_id: id, baselines: [{ file_path: '/tmp/passed.log' }] },
  report: { artifact_id: id, format: 'markdown', marks: [{ stream: 'stdout', line: 2, note: 'here' }] },
  searchOutputs: { pattern: 'error', kind: 'cmd' },
  masksInCopies: {},
  seen: { artifact_id: id },
  unread: { artifact_ids: [id] },
  activity: { limit: 5, known: 'a 3', before: 2 },
  sameFailure: { artifact_id: id },
  align: { first: document, second: { artifact_id: 'cmd-passed' }, near: [1, 2] },
  rows: { document, start_line: 1, count: 3 },
  rowsOf: { document, lines: [1, 3] },
  exportLines: { document: { artifact_id: 'x' }, from: 0 },
  counts: { search, lines: [1, 3] },
  highlight: { texts: ['a red hat'], queries: [search.query] },
  highlighters: {},
  setHighlighters: { highlighters: Array.from({ length: 10 }, () => FREE) },
  preferences: {},
  changePreference: { name: 'previewSize', value: 'large' },
  lineAt: { document, offset: 7 },
  lineAtTime: { document, time: 1768300200000 },
  correspondingLine: { document, line_number: 2, stream: 'stderr' },
  matchedRows: { search, first: 0, count: 5, context: 2 },
  nextMatch: { search, line_number: 1, direction: 'next' },
  matchInLine: { search, line_number: 2 },
  matchCounts: { search, buckets: 3 },
  stats: {},
  cleanup: { session: 'build', keep: [id], dry_run: true },
  pin: { artifact_id: id },
  unpin: { artifact_id: id },
  stopPlan: { artifact_id: id },
  stopCommand: { artifact_id: id },
  terminalCommands: { artifact_id: id, failed: true, limit: 5 },
  lastFailedCommand: {},
  sources: {},
  setSources: { names: ['claude-code'], enabled: false },
  openPath: { path: '/var/log' },
  completePath: { path: '/var/lo' },
  keepDropped: { artifact_id: null, name: 'a.log', data: 'YQ==', end: true },
  openedSources: {},
  removeSource: { path: '/var/log' },
  openInEditor: { artifact_id: id, path: 'src/a.ts', line: 12, column: 5 },
  showInFolder: { artifact_id: id },
  clients: {},
  changeClient: { action: 'remove', client: 'codex', agreed: null },
};

describe.each(transports)('over $name', (transport) => {
  openWindowsOver(transport);

  describe('a request', () => {
    it.each(Object.keys(requests) as RequestName[])(
      '%s is answered with what the host says',
      async (name) => {
        const { host, window } = await open();
        if (name === 'hello') return expect(await window.request(name, {})).toEqual(hello);
        const method = vi.spyOn(host, name);
        const answer = await window.request(name, examples[name]);
        expect(answer).toEqual(await method.mock.results[0]!.value);
        expect(method).toHaveBeenCalledTimes(1);
      },
    );

    it('reaches the host with its parameters, and as a person', async () => {
      const { host, window } = await open();
      const inspect = vi.spyOn(host, 'inspect');
      const read = vi.spyOn(host, 'read');
      await window.request('inspect', { artifact_id: id });
      await window.request('read', { file_path: '/a/b' });
      expect(inspect.mock.calls[0]![0]).toEqual({ artifact_id: id });
      expect(inspect.mock.calls[0]![1]!.access).toBeUndefined();
      expect(read.mock.calls[0]![0]).toEqual({ file_path: '/a/b' });
    });

    it('carries any text unchanged, both ways', async () => {
      const odd = '\u0000 \u001b[31m \ud83c\udf4e \u2028 "\\ \ufffd </script>';
      const { host, window } = await open();
      const openPath = vi.spyOn(host, 'openPath').mockResolvedValue([{ ...artifact(), label: odd }]);
      const artifacts = await window.request('openPath', { path: odd });
      expect(openPath).toHaveBeenCalledWith({ path: odd }, expect.anything());
      expect(artifacts[0]!.label).toBe(odd);
    });

    it('is answered for itself, however the answers overtake each other', async () => {
      const release: Array<() => void> = [];
      const { window } = await open({
        lineAt: ({ offset }) => new Promise((resolve) => release.unshift(() => resolve(offset))),
      });
      const answers = [...Array(20).keys()].map((offset) => window.request('lineAt', { document, offset }));
      await untilPasses(() => expect(release).toHaveLength(20));
      for (const one of release) one();
      expect(await Promise.all(answers)).toEqual([...Array(20).keys()]);
    });

    it('reaches the host in the order it was made', async () => {
      const seen: number[] = [];
      const { window } = await open({
        lineAt: async ({ offset }) => seen.push(offset),
      });
      await Promise.all(
        [...Array(200).keys()].map((offset) => window.request('lineAt', { document, offset })),
      );
      expect(seen).toEqual([...Array(200).keys()]);
    });
  });

  describe('an error', () => {
    it("of the host's arrives with its code, what and what to do", async () => {
      const { window } = await open();
      const error = await window.request('lineAt', { document, offset: 9999 }).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(SpillwayError);
      expect(error).toMatchObject({
        code: 'out_of_range',
        what: `${id} has ${Buffer.byteLength(text)} bytes`,
        todo: 'ask within them',
      });
      expect(defects).toEqual([]);
    });

    it.each([
      ['a rejection', () => Promise.reject(new Error('list is broken\n    at secret.ts:1'))],
      [
        'a throw',
        () => {
          throw new TypeError('list is broken');
        },
      ],
      ['no error at all', async () => Promise.reject('list is broken')],
    ])('nobody expected (%s) arrives as a defect, without a stack', async (_, list) => {
      const { window } = await open({ list });
      const error = await window.request('list', {}).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'internal', what: 'list is broken' });
      expect(error.todo).toContain('report');
      expect(defects).toHaveLength(1);
      expect(await window.request('hello', {})).toEqual(hello);
    });

    it('is never longer than a person would read', async () => {
      const { window } = await open({
        openPath: async (path) => {
          throw new SpillwayError('not_found', `There is no ${path}`, 'look elsewhere');
        },
      });
      const error = await window.request('openPath', { path: 'x'.repeat(500_000) }).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'not_found', todo: 'look elsewhere' });
      expect(error.what.length).toBeLessThanOrEqual(2000);
    });
  });

  describe('a cancelled request', () => {
    it('rejects at once, and the host is told', async () => {
      const { lineAt, signals, release } = hanging();
      const { window } = await open({ lineAt });
      const abort = new AbortController();
      const answer = window.request('lineAt', { document, offset: 1 }, { signal: abort.signal });
      await untilPasses(() => expect(signals).toHaveLength(1));
      expect(signals[0]!.aborted).toBe(false);
      abort.abort();
      await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
      await untilPasses(() => expect(signals[0]!.aborted).toBe(true));
      release(3);
      expect(await window.request('hello', {})).toEqual(hello);
    });

    it('never reaches the host when it was cancelled before it was made', async () => {
      const { host, window } = await open();
      const lineAt = vi.spyOn(host, 'lineAt');
      const answer = window.request('lineAt', { document, offset: 1 }, { signal: AbortSignal.abort() });
      await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
      await window.request('hello', {});
      expect(lineAt).not.toHaveBeenCalled();
    });

    it('is let alone once it was answered', async () => {
      const { host, window } = await open();
      const lineAt = vi.spyOn(host, 'lineAt');
      const abort = new AbortController();
      await window.request('lineAt', { document, offset: 1 }, { signal: abort.signal });
      abort.abort();
      await window.request('hello', {});
      expect(lineAt.mock.calls[0]![1]!.signal!.aborted).toBe(false);
    });

    it('leaves the others alone', async () => {
      const { window } = await open();
      const abort = new AbortController();
      const cancelled = window.request(
        'rows',
        { document, start_line: 1, count: 3 },
        { signal: abort.signal },
      );
      const kept = window.request('rows', { document, start_line: 1, count: 3 });
      abort.abort();
      await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
      expect((await kept).rows).toHaveLength(3);
    });
  });
});
