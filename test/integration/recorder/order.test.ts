/** Lines of both streams, as they were written. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';

let place: Place;

beforeAll(() => {
  place = makePlace();
});
afterAll(() => place.remove());

test.each([
  ['echo err >&2; echo out', 'err\nout\n'],
  ['echo out; echo err >&2', 'out\nerr\n'],
])('of a command that has ended before anybody could look (%s) keep their order', async (script, order) => {
  for (let round = 0; round < 6; round += 1) {
    const run = await runCli(['run', '--json', '--', 'sh', '-c', script], place);
    const { artifact_id: id } = JSON.parse(run.stdout);
    expect((await runCli(['inspect', id], place)).stdout).toBe(order);
  }
});
