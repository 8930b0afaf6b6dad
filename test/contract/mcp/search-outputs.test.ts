/** `search_outputs` (CONTRACT 6): which outputs have a line. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REVISIONS } from '../../fixtures/mcp/client.ts';
import { call, connectIn, place, setUpMcpRun } from '../../fixtures/mcp/run-clients.ts';

setUpMcpRun();

describe.each(REVISIONS)('in %s', (revision) => {
  connectIn(revision);

  const word = `found-${revision}`;
  const record = async (...lines: string[]) => {
    writeFileSync(join(place.files, word), `${lines.join('\n')}\n`);
    const { head } = await call('run_command', { command: `cat ${join(place.files, word)}` });
    return head.artifact_id as string;
  };

  test('gives each output with its count in the head, and the first line of each message as text', async () => {
    const first = await record('begin', `1 ${word}`, `2 ${word}`);
    const second = await record('begin', `${word} of another kind`);
    const { head, blocks, structured } = await call('search_outputs', { pattern: word });
    expect(structured).toBeUndefined();
    const counts = (head.outputs as { artifact_id: string; match_count: number }[]).map(
      ({ artifact_id, match_count }) => [artifact_id, match_count],
    );
    expect(counts).toEqual([
      [second, 1],
      [first, 2],
    ]);
    expect(head).toMatchObject({ match_count: 3 });
    expect(blocks).toHaveLength(1);
    const lines = blocks[0]!.split('\n');
    expect(lines).toContain(`2:${word} of another kind`);
    expect(lines).toContain(`2:1 ${word}  (2 like it)`);
    expect(lines.findIndex((line) => line.includes(second))).toBe(0);

    const page = await call('search_outputs', { pattern: word, limit: 1 });
    expect(page.head.outputs).toMatchObject([{ artifact_id: second }]);
    const rest = await call('search_outputs', {
      pattern: word,
      limit: 1,
      cursor: page.head.next_cursor as string,
    });
    expect(rest.head.outputs).toMatchObject([{ artifact_id: first }]);
  });

  test('a long reply keeps its budget, and names every output', async () => {
    const ids: string[] = [];
    for (let run = 0; run < 3; run++) {
      const lines = Array.from(
        { length: 400 },
        (_, i) => `many-${word} ${'abcdefghij'[i % 10]}${'x'.repeat(i)}`,
      );
      ids.push(await record(...lines));
    }
    const { head, blocks } = await call('search_outputs', { pattern: `many-${word}` });
    expect(head.truncated).toBe(true);
    for (const id of ids) expect(blocks[0]).toContain(id);
    const bytes = Buffer.byteLength(JSON.stringify(head)) + Buffer.byteLength(blocks[0]!);
    expect(bytes).toBeLessThan(32 * 1024);
  });

  test('finds nothing, and says so; a bad pattern is an error', async () => {
    const { head, blocks, isError } = await call('search_outputs', { pattern: `no-such-${word}` });
    expect([isError, head.match_count, blocks]).toEqual([false, 0, ['(no lines)']]);
    const bad = await call('search_outputs', { pattern: 'a(' });
    expect(bad.isError).toBe(true);
  });
});
