/** Which lines an agent's own shell passed on, by what is known of the agent. */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Ledger, writeLedger } from '../../../electron/agents/ledger.ts';
import { passedLines } from '../../../electron/host/activity.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let home: string;
beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

function connected(agent: string, record: Ledger['record'], at: string): void {
  writeLedger(home, { version: 1, client: agent, record, files: [] });
  const path = join(home, 'connect', `${agent}.json`);
  utimesSync(path, new Date(at), new Date(at));
}

/** A command's output in lines of 100 bytes. */
function passedOf(agent: string, lines: number, exit_code = 0) {
  const streams = [{ name: 'stdout', total_lines: lines, total_bytes: lines * 100 }];
  const artifact = { agent: { name: agent }, streams, exit_code, started_at: '2026-11-28T10:00:00Z' };
  return passedLines(home, artifact as unknown as Artifact, async (at) => Math.floor(at / 100) + 1);
}

test.each<[string, number, number, [number, number][]]>([
  ['claude-code', 290, 0, [[1, 290]]],
  ['claude-code', 380, 0, [[1, 20]]],
  ['claude-code', 99, 1, [[1, 99]]],
  [
    'claude-code',
    380,
    1,
    [
      [1, 49],
      [251, 300],
    ],
  ],
  ['codex', 100, 0, [[1, 100]]],
  [
    'codex',
    115,
    0,
    [
      [1, 50],
      [66, 115],
    ],
  ],
  [
    'gemini',
    490,
    0,
    [
      [1, 79],
      [172, 490],
    ],
  ],
  ['opencode', 700, 0, [[189, 700]]],
  ['copilot', 225, 0, [[1, 5]]],
])('%s, of %i lines of 100 bytes with the status %i', async (agent, lines, status, passed) => {
  connected(agent, 'record', '2026-11-28T09:00:00Z');
  expect(await passedOf(agent, lines, status)).toEqual(passed);
});

test('all lines pass where secrets in them are masked', async () => {
  connected('codex', 'redact', '2026-11-28T09:00:00Z');
  expect(await passedOf('codex', 10)).toEqual([[1, 10]]);
});

test('nothing is said where the agent may have got an excerpt, or of an agent that was not measured', async () => {
  expect(await passedOf('codex', 10)).toBeNull();
  connected('codex', 'preview', '2026-11-28T09:00:00Z');
  expect(await passedOf('codex', 10)).toBeNull();
  connected('codex', 'record', '2026-11-28T11:00:00Z');
  expect(await passedOf('codex', 10)).toBeNull();
  connected('kimi', 'record', '2026-11-28T09:00:00Z');
  expect(await passedOf('kimi', 10)).toBeNull();
});
