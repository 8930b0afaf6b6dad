/** Nothing that a host sends harms the window, over each transport alike. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectionOver } from '../../../shared/api/client.ts';
import { untilPasses } from '../../fixtures/until.ts';
import { artifact, documentState } from './memory-artifact.ts';
import { hello } from './memory-host.ts';
import { type BareLink, type Link, transports } from './transports.ts';

const document = { artifact_id: artifact().artifact_id };

describe.each(transports)('over $name', (transport) => {
  const links: Link[] = [];

  afterEach(async () => {
    for (const link of links.splice(0)) await link.dispose();
  });

  describe('the window', () => {
    /** A host that sends what it likes: `next` resolves with the next message the window sent. */
    async function open() {
      const link: BareLink = await transport.bare();
      links.push(link);
      const heard: Array<{ type: string; id: number }> = [];
      link.host.onMessage((message) => heard.push(message as { type: string; id: number }));
      const sent = (count: number) => untilPasses(() => expect(heard.length).toBeGreaterThanOrEqual(count));
      return {
        window: connectionOver(link.client),
        say: (message: unknown) => link.host.post(message),
        heard,
        sent,
      };
    }

    const result = (id: number, value: unknown) => ({ type: 'result', id, result: value });

    it('takes a bad answer for an error of that request alone', async () => {
      const { window, say, heard, sent } = await open();
      const bad = window.request('lineAt', { document, offset: 1 });
      const good = window.request('lineAt', { document, offset: 1 });
      await sent(2);
      say(result(heard[0]!.id, 'one'));
      say(result(heard[1]!.id, 1));
      const error = await bad.catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'internal', what: expect.stringContaining('expected number') });
      expect(await good).toBe(1);
    });

    it.each([
      ['a message of no known type', (id: number) => ({ type: 'answer', id })],
      ['an error without its sentences', (id: number) => ({ type: 'error', id, error: { code: 'usage' } })],
      ['an event', (id: number) => ({ type: 'event', id, event: {} })],
      ['a result that is missing', (id: number) => ({ type: 'result', id })],
    ])('fails a request that is answered with %s', async (_, answer) => {
      const { window, say, heard, sent } = await open();
      const asked = window.request('lineAt', { document, offset: 1 });
      await sent(1);
      say(answer(heard[0]!.id));
      await expect(asked).rejects.toMatchObject({ code: 'internal' });
    });

    it('ignores what belongs to nothing', async () => {
      const { window, say, heard, sent } = await open();
      const asked = window.request('lineAt', { document, offset: 1 });
      await sent(1);
      const { id } = heard[0]!;
      for (const noise of [
        null,
        0,
        'x',
        [],
        {},
        { id }.toString(),
        { id: -1 },
        { id: '1' },
        result(id + 1, {}),
      ]) {
        say(noise);
      }
      say(JSON.parse('{"type":"result","id":77,"__proto__":{"polluted":1}}'));
      say(result(id, 9));
      expect(await asked).toBe(9);
      say(result(id, 10));
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });

    it('takes an error code it does not know for a defect', async () => {
      const { window, say, heard, sent } = await open();
      const asked = window.request('hello', {});
      await sent(1);
      say({ type: 'error', id: heard[0]!.id, error: { code: 'constructor', what: 'odd', todo: 'wait' } });
      await expect(asked).rejects.toMatchObject({ code: 'internal', what: 'odd', todo: 'wait' });
    });

    it('gives a stream up at its first bad event, and says so to both sides', async () => {
      const { window, say, heard, sent } = await open();
      const events: unknown[] = [];
      const errors: Error[] = [];
      window.subscribe(
        'document',
        document,
        (event) => events.push(event),
        (error) => errors.push(error),
      );
      await sent(1);
      const { id } = heard[0]!;
      say({ type: 'event', id, event: documentState(1) });
      say({ type: 'event', id, event: { ...documentState(2), condition: 'splendid' } });
      say({ type: 'event', id, event: documentState(3) });
      await sent(2);
      expect(heard[1]).toEqual({ type: 'unsubscribe', id });
      expect(events).toEqual([documentState(1)]);
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatchObject({ code: 'internal', what: expect.stringContaining('condition') });
    });

    it('hears nothing of a stream it left, though the host goes on', async () => {
      const { window, say, heard, sent } = await open();
      const event = vi.fn();
      const stop = window.subscribe('document', document, event, event);
      await sent(1);
      const { id } = heard[0]!;
      stop();
      say({ type: 'event', id, event: documentState(1) });
      say({ type: 'error', id, error: { code: 'usage', what: 'a', todo: 'b' } });
      const asked = window.request('lineAt', { document, offset: 1 });
      await sent(3);
      expect(heard[1]).toEqual({ type: 'unsubscribe', id });
      say(result(heard[2]!.id, 1));
      await asked;
      expect(event).not.toHaveBeenCalled();
    });

    it('sends a cancel, and drops an answer that arrives later', async () => {
      const { window, say, heard, sent } = await open();
      const abort = new AbortController();
      const asked = window.request('hello', {}, { signal: abort.signal });
      await sent(1);
      abort.abort();
      await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
      await sent(2);
      expect(heard[1]).toEqual({ type: 'cancel', id: heard[0]!.id });
      say(result(heard[0]!.id, hello));
      const again = window.request('hello', {});
      await sent(3);
      say(result(heard[2]!.id, hello));
      expect(await again).toEqual(hello);
    });
  });
});
