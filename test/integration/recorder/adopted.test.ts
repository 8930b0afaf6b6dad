/** Ending an agent's command also ends processes that left its process tree. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runRecorded } from '../../../electron/host/recording/run.ts';
import { openRecordingHome } from '../../../electron/host/recording/run-request.ts';
import { loadConfig } from '../../../electron/host/settings/config.ts';
import { findPerl } from '../../../electron/recorder/command/perl.ts';
import { isProcessAlive } from '../../../electron/store/format/owner.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';

let place: Place;

beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
  writeFileSync(join(place.files, 'daemon'), 'echo $$ >pid; exec sleep 300\n');
});
afterEach(() => place.remove());

/** A process that says its number, and holds nothing of ours open. */
const DAEMON = 'setsid sh daemon </dev/null >/dev/null 2>&1';
/** Both belong to nobody by the time they run. */
const DAEMONS = {
  'a session of its own': `${DAEMON} &`,
  'a double fork': `(${DAEMON} &) &`,
};

async function run(script: string, abort?: AbortSignal) {
  const home = openRecordingHome(place.home, loadConfig(place.home));
  return runRecorded(
    home,
    {
      ...{ command: 'sh', args: ['-c', script], cwd: place.files, env: process.env },
      ...{ stdin: 'ignore', ownGroup: true, timeout: 60_000 },
    },
    { abort },
  );
}

const daemon = () => Number(readFileSync(join(place.files, 'pid'), 'utf8'));
const started = () =>
  expect
    .poll(
      () => {
        try {
          return daemon() > 0;
        } catch {
          return false;
        }
      },
      { timeout: 10_000 },
    )
    .toBe(true);

test.runIf(process.platform === 'linux' && findPerl()).each(Object.entries(DAEMONS))(
  'of a daemon with %s, while the command runs',
  async (_, script) => {
    const abort = new AbortController();
    const running = await run(`${script} sleep 300`, abort.signal);
    await started();
    expect(isProcessAlive(daemon())).toBe(true);
    abort.abort();
    const { head } = await running.result;
    expect(head.error).toContain('with all it had started');
    expect(isProcessAlive(daemon())).toBe(false);
  },
);

test.runIf(process.platform === 'linux' && findPerl()).each(Object.entries(DAEMONS))(
  'of a daemon with %s, when the command has ended',
  async (_, script) => {
    const { background } = await (await run(`${script} while ! test -s pid; do sleep .05; done`)).result;
    expect(isProcessAlive(daemon())).toBe(true);
    expect(background?.isOver).toBe(false);
    expect(await background!.end()).toBe(true);
    expect(isProcessAlive(daemon())).toBe(false);
    expect(background?.isOver).toBe(true);
  },
);
