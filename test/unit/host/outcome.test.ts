import { describe, expect, it } from 'vitest';
import { endedAs } from '../../../electron/host/recording/outcome.ts';

const killed = { reason: 'exited', exitCode: null, signal: 'SIGKILL', open: {}, survivors: [] } as const;

describe('a command that was killed', () => {
  it('was cancelled when it was asked to end right before', async () => {
    expect(await endedAs(killed, new Map([['SIGTERM', performance.now() - 2000]]))).toBe('SIGTERM');
  });

  it('failed when nobody asked it to end, or long before, or with a signal that a program handles', async () => {
    expect(await endedAs(killed, new Map())).toBeNull();
    expect(await endedAs(killed, new Map([['SIGTERM', performance.now() - 60_000]]))).toBeNull();
    expect(await endedAs(killed, new Map([['SIGINT', performance.now()]]))).toBeNull();
  });
});
