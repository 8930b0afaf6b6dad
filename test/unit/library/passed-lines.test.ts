/** Which lines an agent's own shell passed on, by what is known of the agent. */
import { expect, test } from 'vitest';
import { passedOn } from '../../../electron/host/activity.ts';
import type { Artifact } from '../../../shared/artifact.ts';

const RECORDED = { mode: 'record' } as const;

/** A command's output in lines of 100 bytes. */
async function passedOf(
  agent: string,
  lines: number,
  exit_code = 0,
  recorded: object | undefined = RECORDED,
) {
  const streams = [{ name: 'stdout', total_lines: lines, total_bytes: lines * 100 }];
  const artifact = { agent: { name: agent, recorded }, streams, exit_code };
  return passedOn(artifact as unknown as Artifact, async (at) => Math.floor(at / 100) + 1);
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
  expect((await passedOf(agent, lines, status))?.parts).toEqual([{ stream: 'combined', lines: passed }]);
});

test('of an excerpt, its lines and bytes are those that were recorded with it', async () => {
  const excerpt = {
    bytes: 9000,
    lines: [
      [1, 40],
      [900, 1000],
    ],
  };
  expect(await passedOf('codex', 1000, 0, { mode: 'preview', excerpts: [excerpt] })).toEqual({
    bytes: 9000,
    parts: [{ stream: 'stdout', lines: excerpt.lines }],
  });
  const asItCame = await passedOf('codex', 10, 0, { mode: 'preview', excerpts: [null] });
  expect(asItCame).toMatchObject({ bytes: 1000, parts: [{ lines: [[1, 10]] }] });
});

test('nothing is said of older records, or of an agent that was not measured', async () => {
  const old = { agent: { name: 'codex' }, streams: [], exit_code: 0 } as unknown as Artifact;
  expect(await passedOn(old, async () => null)).toBeNull();
  expect(await passedOf('kimi', 10)).toBeNull();
});
