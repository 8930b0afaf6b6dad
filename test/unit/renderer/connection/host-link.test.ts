import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostLink } from '../../../../renderer/connection/host-link.ts';
import { channelEnd, type EndControls } from '../../../../shared/api/wire.ts';

/** Opens ends and lists them in order; an attempt fails while `reachable` is false. */
function setUp() {
  const host = { reachable: true, ends: [] as EndControls[] };
  const link = new HostLink(async () => {
    if (!host.reachable) throw new Error('closed');
    const controls = channelEnd({ post: () => {}, close: () => {} });
    host.ends.push(controls);
    return controls.end;
  });
  const seen: string[] = [];
  link.subscribe(() => {
    const { status } = link.state();
    if (seen.at(-1) !== status) seen.push(status);
  });
  return { host, link, seen };
}

describe('the link to the host', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('reconnects by itself when the host is back', async () => {
    const { host, link, seen } = setUp();
    link.start();
    await vi.advanceTimersByTimeAsync(0);
    const first = link.state().connection;
    expect(link.state().status).toBe('online');
    host.ends[0]?.closed();
    expect(link.state()).toMatchObject({ status: 'offline', connection: null, wasOnline: true });
    await vi.advanceTimersByTimeAsync(600);
    expect(link.state().status).toBe('online');
    expect(link.state().connection).not.toBe(first);
    expect(seen).toEqual(['connecting', 'online', 'offline', 'online']);
  });

  it('waits longer each time, but never longer than ten seconds', async () => {
    const { host, link } = setUp();
    host.reachable = false;
    link.start();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await vi.advanceTimersByTimeAsync(0);
      const wait = (link.state().retryAt ?? 0) - Date.now();
      waits.push(wait);
      await vi.advanceTimersByTimeAsync(wait);
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
    expect(link.state()).toMatchObject({ status: 'offline', wasOnline: false });
  });

  it('retries at once on request', async () => {
    const { host, link } = setUp();
    host.reachable = false;
    link.start();
    await vi.advanceTimersByTimeAsync(0);
    host.reachable = true;
    link.tryNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(link.state().status).toBe('online');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(host.ends).toHaveLength(1);
  });

  it('begins with short waits again after it was online', async () => {
    const { host, link } = setUp();
    host.reachable = false;
    link.start();
    await vi.advanceTimersByTimeAsync(7000);
    host.reachable = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(link.state().status).toBe('online');
    host.ends[0]?.closed();
    expect((link.state().retryAt ?? 0) - Date.now()).toBe(500);
  });

  it('opens one connection when it is started twice, and none after it was stopped', async () => {
    const { host, link } = setUp();
    link.start();
    link.stop();
    link.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(link.state().status).toBe('online');
    host.ends.at(-1)?.closed();
    link.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(link.state().connection).toBeNull();
    expect(host.ends.length).toBeLessThanOrEqual(2);
  });
});
