/** Nothing that a window sends harms the host, over each transport alike. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Host } from '../../../electron/host/host.ts';
import { MAX_RUNNING, MAX_SUBSCRIPTIONS, MAX_WAITING } from '../../../electron/host/serve.ts';
import { connectionOver } from '../../../shared/api/client.ts';
import type { HostMessage } from '../../../shared/api/wire.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';
import { untilPasses } from '../../fixtures/until.ts';
import { artifact } from './memory-artifact.ts';
import { hello, type MemoryHost, memoryHost } from './memory-host.ts';
import { type Link, transports } from './transports.ts';

const document = { artifact_id: artifact().artifact_id };

describe.each(transports)('over $name', (transport) => {
  const links: Link[] = [];

  afterEach(async () => {
    for (const link of links.splice(0)) await link.dispose();
  });

  describe('the host', () => {
    /** A window that sends what it likes, and everything that came back. */
    async function open(replaced: Partial<Host> = {}): Promise<{
      host: MemoryHost;
      say: (...messages: unknown[]) => void;
      heard: HostMessage[];
      answerTo: (id: number) => Promise<HostMessage>;
    }> {
      const host = memoryHost(replaced);
      const link = await transport.serve(host);
      links.push(link);
      const heard: HostMessage[] = [];
      link.client.onMessage((message) => heard.push(message as HostMessage));
      return {
        host,
        say: (...messages) => {
          for (const message of messages) link.client.post(message);
        },
        heard,
        answerTo: (id) =>
          vi.waitUntil(() => heard.find((message) => message.id === id), { timeout: 10_000, interval: 5 }),
      };
    }

    const request = (id: unknown, name: unknown, params: unknown = {}) => ({
      type: 'request',
      id,
      name,
      params,
    });

    it.each([
      ['request', 'row', 'the nearest is rows'],
      ['request', 'export', 'the nearest is exportLines'],
      ['subscribe', 'documents', 'the nearest is document'],
    ])('names the nearest when a %s is for "%s"', async (type, name, todo) => {
      const { say, answerTo } = await open();
      say({ type, id: 1, name, topic: name, params: {} });
      expect(await answerTo(1)).toMatchObject({
        type: 'error',
        error: { code: 'usage', what: expect.stringContaining(`"${name}"`), todo },
      });
    });

    it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'x'.repeat(1000)])(
      'has no request called %s',
      async (name) => {
        const { say, answerTo } = await open();
        say(request(1, name), { type: 'subscribe', id: 2, topic: name, params: {} });
        for (const id of [1, 2]) {
          const answer = await answerTo(id);
          expect(answer).toMatchObject({ type: 'error', error: { code: 'usage' } });
          expect(JSON.stringify(answer).length).toBeLessThan(500);
        }
      },
    );

    it.each([
      ['rows', { document, start_line: 0, count: 1 }, 'start_line'],
      ['rows', { document, start_line: 1, count: 1e9 }, 'count'],
      ['rows', { start_line: 1, count: 1 }, 'document'],
      ['lineAt', { document: { artifact_id: 7 }, offset: 1 }, 'document.artifact_id'],
      ['lineAt', { document, offset: -1 }, 'offset'],
      ['lineAt', { document, offset: 1.5 }, 'offset'],
      ['inspect', { mode: 'everything' }, 'mode'],
      ['list', { limit: '20' }, 'limit'],
      ['openPath', { path: ['/etc'] }, 'path'],
      ['openPath', null, 'expected object'],
      ['openPath', 'x', 'expected object'],
    ])('says what is wrong with the parameters of %s %j', async (name, params, place) => {
      const { host, say, answerTo } = await open();
      const methods = (['rows', 'lineAt', 'inspect', 'list', 'openPath'] as const).map((key) =>
        vi.spyOn(host, key),
      );
      say(request(1, name, params));
      expect(await answerTo(1)).toMatchObject({
        type: 'error',
        error: { code: 'usage', what: expect.stringContaining(name), todo: expect.stringContaining(place) },
      });
      for (const method of methods) expect(method).not.toHaveBeenCalled();
    });

    it('refuses a stream with bad parameters', async () => {
      const { host, say, answerTo } = await open();
      say({ type: 'subscribe', id: 1, topic: 'document', params: { artifact_id: null } });
      expect(await answerTo(1)).toMatchObject({ type: 'error', error: { code: 'usage' } });
      expect(host.watchers().document).toBe(0);
    });

    it('answers a malformed message that has an id, and ignores one that has none', async () => {
      const { say, heard, answerTo } = await open();
      say(
        'hello',
        null,
        42,
        [],
        {},
        { id: 'x' },
        { type: 'request' },
        { type: 'request', id: -1, name: 'hello' },
      );
      say(
        { id: 1.5 },
        { type: 'request', id: 2 ** 60, name: 'hello', params: {} },
        { type: 'event', event: 1 },
      );
      say({ type: 'request', id: 1 }, { type: 'nonsense', id: 2 }, { id: 3 }, request(4, 'hello'));
      await answerTo(4);
      expect(heard.map((message) => [message.id, message.type])).toEqual([
        [1, 'error'],
        [2, 'error'],
        [3, 'error'],
        [4, 'result'],
      ]);
    });

    it('refuses an id that is in use, and the first goes on', async () => {
      let release = (_: number) => {};
      const lineAt = vi.fn(() => new Promise<number>((resolve) => (release = resolve)));
      const { host, say, heard } = await open({ lineAt });
      say(request(1, 'lineAt', { document, offset: 1 }), request(1, 'lineAt', { document, offset: 1 }));
      await untilPasses(() =>
        expect(heard).toMatchObject([{ id: 1, type: 'error', error: { code: 'usage' } }]),
      );
      release(5);
      await untilPasses(() => expect(heard[1]).toEqual({ id: 1, type: 'result', result: 5 }));
      expect(lineAt).toHaveBeenCalledTimes(1);

      say({ type: 'subscribe', id: 2, topic: 'notices', params: {} });
      say({ type: 'subscribe', id: 2, topic: 'notices', params: {} }, request(2, 'hello'));
      await untilPasses(() => expect(heard.filter((message) => message.id === 2)).toHaveLength(2));
      expect(host.watchers().notices).toBe(1);
    });

    it('takes what it did not ask for as data, prototypes included', async () => {
      const { host, say, answerTo } = await open();
      const openPath = vi.spyOn(host, 'openPath');
      say(
        JSON.parse(`{"type":"request","id":1,"name":"openPath","__proto__":{"polluted":1},
        "params":{"path":"/a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}`),
      );
      expect(await answerTo(1)).toMatchObject({ type: 'result' });
      expect(openPath).toHaveBeenCalledWith({ path: '/a' }, expect.anything());
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });

    it('is not impressed by depth', async () => {
      const nested = (levels: number) => {
        let value: unknown = 0;
        for (let level = 0; level < levels; level++) value = { value };
        return value;
      };
      const { say, answerTo } = await open();
      say(nested(500), request(1, 'list', nested(500)), request(2, 'hello', nested(500)));
      expect(await answerTo(1)).toMatchObject({ type: 'result' });
      expect(await answerTo(2)).toMatchObject({ type: 'result' });
      // A structured clone this deep can be sent but not received. The message after it must still arrive.
      say(nested(2000), request(3, 'hello'));
      expect(await answerTo(3)).toMatchObject({ type: 'result' });
    });

    it('ignores a cancel and an unsubscribe of what is not there', async () => {
      const { say, heard, answerTo } = await open();
      say({ type: 'cancel', id: 1 }, { type: 'unsubscribe', id: 1 }, request(2, 'hello'));
      await answerTo(2);
      expect(heard).toHaveLength(1);
    });

    it('survives a message of 10 MiB, and other windows do not notice', async () => {
      const host = memoryHost();
      const [noisy, quiet] = [await transport.serve(host), await transport.serve(host)];
      links.push(noisy, quiet);
      noisy.client.post(request(1, 'openPath', { path: 'x'.repeat(10 * 1024 * 1024) }));
      const done = new Promise<void>((resolve) => {
        // The one transport answers it, the other closes the connection.
        noisy.client.onMessage(() => resolve());
        noisy.client.onClose(resolve);
      });
      await done;
      expect(await connectionOver(quiet.client).request('hello', {})).toEqual(hello);
    });

    it('works on so many requests at once, lets so many wait, and refuses the rest', async () => {
      const release: Array<() => void> = [];
      const { say, heard } = await open({
        lineAt: ({ offset }) => new Promise((resolve) => release.push(() => resolve(offset))),
      });
      const total = MAX_RUNNING + MAX_WAITING + 10;
      for (let id = 0; id < total; id++) say(request(id, 'lineAt', { document, offset: id }));
      await untilPasses(() => expect(heard).toHaveLength(10));
      expect(heard.every((message) => message.type === 'error' && message.error.code === 'busy')).toBe(true);
      expect(release).toHaveLength(MAX_RUNNING);
      // A waiting request can be cancelled, and then never starts.
      say({ type: 'cancel', id: MAX_RUNNING });
      await untilPasses(() =>
        expect(heard[10]).toMatchObject({ id: MAX_RUNNING, error: { code: 'cancelled' } }),
      );
      heard.length = 0;
      while (heard.length < total - 11) {
        for (const one of release.splice(0)) one();
        await new Promise((resolve) => setImmediate(resolve));
      }
      const wanted = [...Array(total - 10).keys()].filter((id) => id !== MAX_RUNNING);
      expect(heard).toEqual(wanted.map((id) => ({ type: 'result', id, result: id })));
    });

    it('counts a cancelled request until the host has let go of it', async () => {
      const release: Array<() => void> = [];
      const { say, heard } = await open({
        lineAt: () => new Promise((resolve) => release.push(() => resolve(1))),
      });
      for (let id = 0; id <= MAX_RUNNING; id++) say(request(id, 'lineAt', { document, offset: id }));
      for (let id = 0; id < MAX_RUNNING; id++) say({ type: 'cancel', id });
      await untilPasses(() => expect(heard).toHaveLength(MAX_RUNNING));
      expect(release).toHaveLength(MAX_RUNNING);
      release[0]!();
      await untilPasses(() => expect(release).toHaveLength(MAX_RUNNING + 1));
      // The host's late answer to a cancelled request is dropped.
      release.at(-1)!();
      await untilPasses(() => expect(heard).toHaveLength(MAX_RUNNING + 1));
      expect(heard.at(-1)).toMatchObject({ id: MAX_RUNNING, type: 'result' });
    });

    it('refuses a stream beyond the limit', async () => {
      const { host, say, heard } = await open();
      for (let id = 0; id < 5000; id++) say({ type: 'subscribe', id, topic: 'notices', params: {} });
      await untilPasses(() => expect(heard).toHaveLength(5000 - MAX_SUBSCRIPTIONS));
      expect(host.watchers().notices).toBe(MAX_SUBSCRIPTIONS);
      expect(heard[0]).toMatchObject({ type: 'error', error: { code: 'busy' } });
      say({ type: 'unsubscribe', id: 0 }, { type: 'subscribe', id: 9999, topic: 'library', params: {} });
      await untilPasses(() => expect(heard.at(-1)).toMatchObject({ id: 9999, type: 'event' }));
    });

    it('answers on after anything at all', async () => {
      const { say, answerTo } = await open();
      const word = fc.constantFrom(
        'request',
        'subscribe',
        'cancel',
        'unsubscribe',
        'rows',
        'document',
        'library',
      );
      const odd = fc.jsonValue({ maxDepth: 3 });
      const message = fc.oneof(
        odd,
        fc.record(
          {
            type: fc.oneof(word, odd),
            id: fc.oneof(fc.nat(20), odd),
            name: fc.oneof(word, odd),
            topic: fc.oneof(word, odd),
            params: fc.oneof(fc.constant(document), odd),
          },
          { requiredKeys: ['type'] },
        ),
      );
      let last = 1_000_000;
      await fc.assert(
        fc.asyncProperty(fc.array(message, { maxLength: 40 }), async (messages) => {
          last += 1;
          say(...messages, request(last, 'hello'));
          expect(await answerTo(last)).toEqual({ type: 'result', id: last, result: hello });
        }),
        { numRuns: cases(100) },
      );
    });
  });
});
