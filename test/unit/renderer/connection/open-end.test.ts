import { MessageChannel, type MessagePort as NodePort } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  CONNECT,
  handOverPort,
  type Ipc,
  type PageWindow,
  PORT,
} from '../../../../electron/shell/hand-over.ts';
import { openMessagePort, openWebSocket } from '../../../../renderer/connection/host-link.ts';
import type { MessageChannelEnd } from '../../../../shared/api/wire.ts';

const opened: NodePort[] = [];
afterEach(() => {
  for (const port of opened.splice(0)) port.close();
});

/** A window that delivers messages asynchronously, from the source that the test names. */
class FakeWindow extends EventTarget {
  readonly origin = 'spillway://app';
  readonly location = { origin: 'spillway://app' };
  readonly sent: unknown[] = [];

  postMessage(data: unknown, _origin: string, ports: unknown[] = [], source: unknown = this): void {
    this.sent.push(data);
    queueMicrotask(() => {
      this.dispatchEvent(Object.assign(new Event('message'), { data, ports, source, origin: this.origin }));
    });
  }
}

/** The main process: answers a request for a connection with one end of a channel and keeps the other. */
function mainProcess(): { ipc: Ipc; host: Promise<NodePort> } {
  let answer: (event: { ports: readonly unknown[] }) => void = () => {};
  let keep: (port: NodePort) => void;
  const host = new Promise<NodePort>((resolve) => {
    keep = resolve;
  });
  return {
    host,
    ipc: {
      on(channel, listener) {
        if (channel === PORT) answer = listener;
      },
      send(channel) {
        if (channel !== CONNECT) return;
        const { port1, port2 } = new MessageChannel();
        opened.push(port1, port2);
        keep(port1);
        answer({ ports: [port2] });
      },
    },
  };
}

const asWindow = (window: FakeWindow) => window as unknown as Window;
const next = (end: MessageChannelEnd) => new Promise((resolve) => end.onMessage(resolve));

describe('the port of the desktop window', () => {
  it('is requested, handed over by the preload script, and carries messages in both directions', async () => {
    const window = new FakeWindow();
    const { ipc, host } = mainProcess();
    handOverPort(window as unknown as PageWindow, ipc);
    const end = await openMessagePort(asWindow(window), new AbortController().signal);
    const port = await host;
    const heard = next(end);
    port.postMessage({ type: 'event', id: 1, event: 'hello' });
    expect(await heard).toEqual({ type: 'event', id: 1, event: 'hello' });
    const asked = new Promise((resolve) => port.once('message', resolve));
    end.post({ type: 'request', id: 2, name: 'hello', params: {} });
    expect(await asked).toMatchObject({ id: 2 });
    const closed = new Promise<void>((resolve) => end.onClose(resolve));
    port.close();
    await closed;
  });

  it('is accepted only from the window itself', async () => {
    const window = new FakeWindow();
    const attempt = new AbortController();
    const end = openMessagePort(asWindow(window), attempt.signal);
    const { port1, port2 } = new MessageChannel();
    opened.push(port1, port2);
    const delivered = new Promise<void>((resolve) => {
      window.addEventListener('message', (event) => {
        if ((event as MessageEvent).data.type === PORT) resolve();
      });
    });
    window.postMessage({ type: PORT }, '*', [port2], { another: 'window' });
    await delivered;
    attempt.abort();
    await expect(end).rejects.toThrow('cancelled');
  });

  it('is no longer waited for once the attempt was cancelled', async () => {
    const window = new FakeWindow();
    const attempt = new AbortController();
    const end = openMessagePort(asWindow(window), attempt.signal);
    attempt.abort();
    await expect(end).rejects.toThrow('cancelled');
    expect(window.sent).toEqual([{ type: 'spillway:ready' }]);
  });
});

it('a socket that closes is sent nothing more: the browser would complain', async () => {
  const sent: unknown[] = [];
  class FakeSocket extends EventTarget {
    static readonly OPEN = 1;
    readyState = FakeSocket.OPEN;
    readonly bufferedAmount = 0;
    send = (message: unknown) => sent.push(message);
    close() {}
  }
  const socket = new FakeSocket();
  vi.stubGlobal('WebSocket', new Proxy(FakeSocket, { construct: () => socket }));
  const opened = openWebSocket('ws://here/api', new AbortController().signal);
  socket.dispatchEvent(new Event('open'));
  const end = await opened;
  end.post({ type: 'a' });
  socket.readyState = 2;
  end.post({ type: 'b' });
  expect(sent).toEqual(['{"type":"a"}']);
  vi.unstubAllGlobals();
});
