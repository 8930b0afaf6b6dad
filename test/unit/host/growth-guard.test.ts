/** Warnings about watched files that grow abnormally. */
import { beforeEach, describe, expect, it } from 'vitest';
import { GrowthGuard } from '../../../electron/host/library/growth-guard.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { fileOf, streamOf } from '../../fixtures/artifacts.ts';

const MIB = 1024 * 1024;
const agent = { name: 'claude-code', session: 's', project: null, pid: 77, truncated: null };

let said: string[];
let now: number;
let guard: GrowthGuard;
beforeEach(() => {
  said = [];
  now = 1_000_000;
  guard = new GrowthGuard({
    limits: () => ({ growthWarnBytes: 600 * MIB, sizeWarnBytes: 1000 * MIB }),
    say: (text) => said.push(text),
    now: () => now,
  });
});

function grow(mib: number, seconds: number, change: Partial<Artifact> = {}): void {
  now += seconds * 1000;
  const streams = [streamOf('output', mib * MIB, '/nowhere/b1.output')];
  guard.take({
    changed: [fileOf('/nowhere/b1.output', 'claude-code', { streams, agent, ...change })],
    removed: [],
  });
}

describe('a file', () => {
  it('that grows faster than the limit is named with its agent, its rate and its writer', () => {
    grow(1, 0);
    grow(101, 5);
    expect(said).toEqual(['/nowhere/b1.output of Claude Code grew by 100 MiB in 5 s, written by process 77']);
  });

  it('is named again only when it has doubled', () => {
    grow(1, 0);
    grow(101, 5);
    grow(150, 1);
    expect(said).toHaveLength(1);
    grow(210, 1);
    expect(said).toHaveLength(2);
  });

  it('that grows slowly is not named until it is large', () => {
    grow(1, 0);
    for (let mib = 2; mib < 1000; mib += 100) grow(mib, 60);
    expect(said).toEqual([]);
    grow(1001, 60);
    expect(said).toEqual(['/nowhere/b1.output of Claude Code has 1001 MiB and grows, written by process 77']);
  });

  it('that grows after its command ended is named', () => {
    grow(1, 0, { status: 'failed' });
    grow(18, 30, { status: 'failed' });
    expect(said[0]).toMatch(/grew by 17 MiB after its command ended/);
  });

  it('that is merely found, or shrinks, is not', () => {
    grow(5000, 0);
    grow(10, 1);
    expect(said).toEqual([]);
  });
});
