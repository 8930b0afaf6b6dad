/** Commands whose recorder does not look for a cause get one from whoever lists them, or from the host that watches. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import { type AgentShell, makeAgentShell, ran } from '../../fixtures/agents/shell.ts';
import { DEAD, storeCapture } from '../../fixtures/library/stored-captures.ts';
import { until } from '../../fixtures/until.ts';

let place: AgentShell;
let host: LocalHost | null = null;
beforeEach(() => {
  place = makeAgentShell();
});
afterEach(async () => {
  await host?.close();
  host = null;
  place.remove();
});

const COMMAND = 'seq 3; sleep 0.1; echo "error: no disk" >&2; sleep 0.1; seq 4';
const CAUSE = { stream: 'stderr', line_number: 1, combined_line: 4, text: 'error: no disk' };

test("a failed command of an agent's shell has a cause in the list, and in its record from then on", async () => {
  await ran(place.shell, ['-c', `${COMMAND}; exit 3`], { cwd: place.files });
  expect(place.records()[0]).not.toHaveProperty('cause');
  host = await createHost({ home: place.home, watch: false, threads: 0 });
  // A list does not wait for long.
  await until(async () => (await host!.list({}, { causes: true })).outputs[0]!.cause !== null);
  expect((await host.list({}, { causes: true })).outputs[0]!.cause).toEqual(CAUSE);
  expect(place.records()[0]!.cause).toEqual(CAUSE);
});

test('a host that watches finds it although nobody asks', async () => {
  host = await createHost({ home: place.home, watch: true });
  await ran(place.shell, ['-c', `${COMMAND}; exit 3`], { cwd: place.files });
  await until(() => place.records()[0]?.cause !== undefined);
  expect(place.records()[0]!.cause).toEqual(CAUSE);
});

test('a command whose recorder died has a cause, and one that succeeded has none', async () => {
  await ran(place.shell, ['-c', COMMAND], { cwd: place.files });
  storeCapture(place.home, { status: 'running', recorder: DEAD, text: 'one\nerror: no disk\n' });
  host = await createHost({ home: place.home, watch: false, threads: 0 });
  const causes = async () =>
    (await host!.list({}, { causes: true })).outputs.map(({ status, cause }) => [
      status,
      cause?.text ?? null,
    ]);
  await until(async () => (await causes()).some(([, text]) => text !== null));
  expect((await causes()).sort()).toEqual([
    ['interrupted', 'error: no disk'],
    ['succeeded', null],
  ]);
  expect(place.records().find(({ status }) => status === 'succeeded')).not.toHaveProperty('cause');
});

test('where nothing looks like the cause, nobody looks again', async () => {
  await ran(place.shell, ['-c', 'exit 3'], { cwd: place.files });
  host = await createHost({ home: place.home, watch: false, threads: 0 });
  await until(
    async () => (await host!.list({}, { causes: true })) && place.records()[0]!.cause !== undefined,
  );
  expect(place.records()[0]!.cause).toBeNull();
});
