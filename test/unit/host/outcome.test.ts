import { describe, expect, it } from 'vitest';
import { endedAs } from '../../../electron/host/recording/finish-recording.ts';

const killed = { reason: 'exited', exitCode: null, signal: 'SIGKILL', open: {}, survivors: [] } as const;

describe('a command that was killed', () => {
  it('was cancelled if it got a signal to end right before', async () => {
    expect(await endedAs(killed, new Map([['SIGTERM', performance.now() - 2000]]))).toBe('SIGTERM');
  });

  it('failed without such a signal, long after it, or after a signal that programs handle', async () => {
    expect(await endedAs(killed, new Map())).toBeNull();
    expect(await endedAs(killed, new Map([['SIGTERM', performance.now() - 60_000]]))).toBeNull();
    expect(await endedAs(killed, new Map([['SIGINT', performance.now()]]))).toBeNull();
  });
});
