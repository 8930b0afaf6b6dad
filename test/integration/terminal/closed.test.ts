/** The window is closed while something of ours runs in it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Artifact } from '../../../shared/artifact.ts';
import { cliEntry, makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { atTerminal, runLine } from '../../fixtures/terminal/at-terminal.ts';

let place: Place;

beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const newest = async () =>
  Artifact.parse(JSON.parse((await runCli(['list', '--json'], place)).stdout).outputs[0]);
const TRAPPED = 'trap "echo hung up >out; exit 7" HUP; echo ready; while :; do sleep 0.1; done';

describe('a terminal that is closed', () => {
  test.each([
    ['run', runLine('echo ready; sleep 60')],
    ['run, with pipes for the command', runLine('echo ready; sleep 60', '--no-pty')],
    ['run, of a command that ends with a status all the same', runLine(TRAPPED)],
    ['capture', [process.execPath, cliEntry, 'capture']],
    ['terminal', [process.execPath, cliEntry, 'terminal', '--', 'sh', '-c', 'echo ready; sleep 60']],
  ])('ends %s by its signal, with a record that says so', async (_, command) => {
    const { pty, shows } = atTerminal(place, command);
    await shows(/ready|Ctrl-D/);
    pty.master!.close();
    // Not by an abort that leaves a core dump, as Node does where it cannot put the terminal's mode back.
    expect(await pty.exited).toEqual({ exitCode: null, signal: 'SIGHUP' });
    const { status, ended_at } = await newest();
    expect(['cancelled', 'failed', 'finished', 'interrupted']).toContain(status);
    expect(ended_at).not.toBeNull();
  });
});
