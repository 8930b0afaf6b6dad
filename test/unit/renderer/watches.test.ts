import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readWatches, startWatch, type Watch } from '../../../renderer/artifact/watches.ts';
import type { Connection } from '../../../shared/api/api.ts';

const document = { artifact_id: 'x', stream: 'output' } as Watch['document'];
const query = { pattern: 'error', fixed: false, case_sensitive: false, invert: false };

/** A connection whose events the test sends. */
function startedWatch(part: Partial<Watch>) {
  const listeners = new Map<string, (event: object) => void>();
  const ended: string[] = [];
  const connection = {
    subscribe(topic: string, _params: object, listener: (event: object) => void) {
      listeners.set(topic, listener);
      return () => ended.push(topic);
    },
  } as unknown as Connection;
  const told: string[] = [];
  const watch: Watch = { document, name: 'app.log', query: null, end: false, silence: null, ...part };
  let isOver = false;
  const onEnd = () => {
    isOver = true;
  };
  const stop = startWatch(connection, watch, (text) => told.push(text), onEnd);
  const found = (match_count: number, done: boolean, generation = 1) =>
    listeners.get('search')!({ match_count, done, generation });
  const text = (total_bytes: number, status = 'running', exit_code: number | null = null, kind = 'cmd') =>
    listeners.get('document')!({ artifact: { kind, status, exit_code }, total_bytes });
  return { told, ended, stop, found, text, isOver: () => isOver };
}

describe('a watched text', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tells of lines that match, beyond those that were there', () => {
    const { told, found, stop, ended } = startedWatch({ query });
    found(2, false);
    found(7, true);
    found(7, false);
    expect(told).toEqual([]);
    found(8, false);
    found(8, true);
    found(11, true);
    // Another file is in its place.
    found(0, false, 2);
    found(1, true, 2);
    expect(told).toEqual([
      '1 more line matches “error” in app.log',
      '4 more lines match “error” in app.log',
      '1 more line matches “error” in app.log',
    ]);
    stop();
    expect(ended).toEqual(['search']);
  });

  it('tells of the end of a command that was running', () => {
    const ran = startedWatch({ end: true });
    ran.text(1);
    ran.text(2, 'failed', 2);
    ran.text(2, 'failed', 2);
    expect(ran.told).toEqual(['app.log ended: failed, exit status 2']);
    expect(ran.isOver()).toBe(true);
    // It ended while no window was open.
    const over = startedWatch({ end: true });
    over.text(2, 'failed', 2);
    expect(over.told).toEqual(['app.log ended: failed, exit status 2']);
    const other = startedWatch({ query });
    expect(other.isOver()).toBe(false);
  });

  it('outlasts the window, and what is invalid is skipped', () => {
    const watch = { document, name: 'app.log', query, end: false, silence: 60 };
    const stored = JSON.stringify({
      '/var/log/app.log': watch,
      broken: { ...watch, silence: 'x' },
      other: 7,
    });
    expect(readWatches(stored)).toEqual({ '/var/log/app.log': watch });
    expect(readWatches('[')).toEqual({});
  });

  it('tells of silence once, and again after more was written', () => {
    const { told, text, stop } = startedWatch({ silence: 60 });
    text(1);
    vi.advanceTimersByTime(59_000);
    text(2);
    text(2);
    vi.advanceTimersByTime(59_000);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(600_000);
    expect(told).toEqual(['Nothing was written to app.log for 60 seconds']);
    text(3);
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(2);
    text(4);
    stop();
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(2);
  });

  it('is not silent once its command has ended; a file always may be', () => {
    const ended = startedWatch({ silence: 1 });
    ended.text(1);
    ended.text(2, 'succeeded', 0);
    vi.advanceTimersByTime(60_000);
    expect(ended.told).toEqual([]);
    const file = startedWatch({ silence: 1 });
    file.text(1, 'finished', null, 'file');
    vi.advanceTimersByTime(60_000);
    expect(file.told).toHaveLength(1);
  });
});
