/** A compressed stream reads as before: by id, by the path given out earlier, and from the command line. */
import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished, makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';
import { HOUR, type StoredCapture, storeCapture } from '../../fixtures/library/stored-captures.ts';
import { until } from '../../fixtures/until.ts';

const TEXT = Array.from({ length: 200_000 }, (_, index) => `line ${index + 1} of many\n`).join('');
let place: Place;
let stored: StoredCapture;

beforeAll(async () => {
  place = makePlace();
  stored = storeCapture(place.home, { text: TEXT, ended: Date.now() - 2 * HOUR });
  const before = Date.now() / 1000 - 2 * 3600;
  utimesSync(join(stored.folder, 'session.json'), before, before);
  // The server compresses by itself, soon after it has started.
  const child = startCli(['serve'], place);
  const ended = finished(child);
  try {
    await until(() => !existsSync(stored.path!));
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(`${stored.path}.gz`)).toBe(true);
});
afterAll(() => place.remove());

const out = async (...args: string[]) => {
  const result = await runCli(args, place);
  expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 0, stderr: '' });
  return result.stdout;
};

test.each(['its id', 'the path that was given out', 'the path it has now'])('by %s', async (by) => {
  const target =
    by === 'its id' ? stored.id : by === 'the path it has now' ? `${stored.path}.gz` : stored.path!;
  expect(await out('inspect', target, '--mode', 'tail', '--lines', '2')).toBe(
    'line 199999 of many\nline 200000 of many\n',
  );
  expect(await out('inspect', target, '--start', '150000', '--end', '150000')).toBe('line 150000 of many\n');
  expect(await out('read', target, '--offset', '2000000', '--limit', '64')).toBe(
    TEXT.slice(2_000_000, 2_000_064),
  );
  expect(await out('inspect', target, '--pattern', 'line 123456 ', '--context', '0')).toBe(
    '123456:line 123456 of many\n',
  );
});

test('its sizes are those of the text, and what it takes is less', async () => {
  const { outputs } = JSON.parse(await out('list', '--json'));
  expect(outputs[0].streams[0]).toMatchObject({ total_bytes: TEXT.length });
  const stats = JSON.parse(await out('stats', '--json'));
  expect(stats.total_bytes).toBe(TEXT.length);
  expect(stats.stored_bytes).toBeLessThan(TEXT.length / 4);
});
