/** A command that prints its own recording would fill the disk. Its recording stops and says why. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { finished, makePlace, type Place, startCli } from '../../fixtures/cli.ts';
import { capturesIn, onlyCapture, standsStill } from '../../fixtures/library/captured.ts';
import { untilPasses } from '../../fixtures/until.ts';

let place: Place;
beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(() => place.remove());

const BYTES = 9_000_000;

test.skipIf(process.platform !== 'linux')(
  '`tail -f` of its own recording is stopped being stored',
  async () => {
    const file = `"$(ls '${place.home}'/captures/*/*.stdout.log)"`;
    const script = `yes | head -c ${BYTES}; exec tail -c +1 -f ${file}`;
    const child = startCli(['run', '--quiet', '--max-bytes', '200000000', '--', 'sh', '-c', script], place);
    child.stdout.resume();
    const end = finished(child);
    const record = () => onlyCapture(place.home).record;
    await untilPasses(() => {
      expect(capturesIn(place.home)).toHaveLength(1);
      expect(record().warnings.join()).toMatch(
        /^stdout is not stored from some point on: process \d+ \(tail\) reads this recording and prints it again$/,
      );
    });
    const { folder, record: running } = onlyCapture(place.home);
    expect(running.status).toBe('running');
    const stored = () => statSync(join(folder, running.streams[0]!.file!)).size;
    await standsStill(stored);
    expect(stored()).toBeLessThan(5 * BYTES);
    child.kill('SIGTERM');
    await end;
    expect(record().warnings).toHaveLength(1);
    expect(record().streams[0]!.total_bytes).toBe(stored());
  },
);

test.skipIf(process.platform !== 'linux')('a command that reads another’s recording is stored', async () => {
  const first = startCli(['run', '--quiet', '--', 'sh', '-c', `yes | head -c ${BYTES}; read line`], place);
  first.stdout.resume();
  await untilPasses(() => {
    const [capture] = capturesIn(place.home);
    expect(statSync(join(capture!.folder, capture!.record.streams[0]!.file!)).size).toBe(BYTES);
  });
  const { folder, record } = onlyCapture(place.home);
  const path = join(folder, record.streams[0]!.file!);
  const second = startCli(['run', '--quiet', '--', 'sh', '-c', `cat '${path}' '${path}'`], place);
  second.stdout.resume();
  await finished(second);
  first.stdin.end('\n');
  await finished(first);
  for (const one of capturesIn(place.home)) expect(one.record.warnings).toEqual([]);
});
