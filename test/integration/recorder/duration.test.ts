/** A command's time ends when it exits, however long Spillway works on its output afterwards. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { machineClock } from '../../../electron/recorder/streams/clock.ts';
import { FailureWatch } from '../../../electron/recorder/streams/failure-watch.ts';
import { makeAgentShell, ran } from '../../fixtures/agents/shell.ts';
import { makePlace } from '../../fixtures/cli.ts';
import { runCliHere } from '../../fixtures/cli-here.ts';
import { onlyCapture } from '../../fixtures/library/captured.ts';

const leave: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const one of leave.splice(0)) one();
});

test.each(['--no-pty', '--pty'])('run %s takes it before the failure is explained', async (kind) => {
  const place = makePlace();
  leave.push(() => place.remove());
  const { explain } = FailureWatch.prototype;
  const asked = machineClock();
  let took = 0;
  vi.spyOn(FailureWatch.prototype, 'explain').mockImplementation(function (this: FailureWatch, sampleOf) {
    took = machineClock() - asked;
    // Twice the time until now: what is taken later cannot be as short.
    while (machineClock() - asked < 2 * took + 5);
    return explain.call(this, sampleOf);
  });
  const { status } = await runCliHere(
    ['run', kind, '--', 'sh', '-c', 'echo "error: no such thing"; exit 3'],
    place,
  );
  expect(status).toBe(3);
  const { record } = onlyCapture(place.home);
  expect(record.cause?.text).toBe('error: no such thing');
  expect(record.duration_ms!).toBeLessThanOrEqual(Math.round(took));
  // Whole milliseconds, both rounded down.
  expect(Date.parse(record.ended_at!) - Date.parse(record.started_at)).toBeLessThanOrEqual(Math.ceil(took));
});

test("an agent's command: before its preview is cut", async () => {
  const place = makeAgentShell('preview');
  leave.push(() => place.remove());
  const [cutter, cutAt] = [join(place.root, 'cutter.cjs'), join(place.root, 'cut-at')];
  writeFileSync(
    cutter,
    `require('node:fs').writeFileSync(${JSON.stringify(cutAt)}, String(Date.now())); process.exit(1)`,
  );
  const installed = join(place.home, 'bin/spillway-command');
  const [node] = readFileSync(installed, 'utf8').split('\n');
  writeFileSync(installed, `${node}\n${cutter}\n`);
  await ran(place.shell, ['-c', 'seq 9000; exit 2'], { cwd: place.files });
  const [record] = place.records();
  expect(Date.parse(record!.ended_at!)).toBeLessThanOrEqual(Number(readFileSync(cutAt, 'utf8')));
});
