/** `spillway terminal` restores the person's own terminal, however it ends. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliEntry, makePlace, type Place } from '../../fixtures/cli.ts';
import { Person, recording, recordings, type TerminalStart } from '../../fixtures/terminal/terminal.ts';
import { until } from '../../fixtures/until.ts';

describe.skipIf(process.platform === 'win32')('the terminal of the person', () => {
  let place: Place;
  const people: Person[] = [];
  const sit = (start: TerminalStart = {}) => {
    const person = new Person(place, start);
    people.push(person);
    return person;
  };
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => {
    for (const person of people.splice(0)) person.end();
    place.remove();
  });

  it('is left as it was found', async () => {
    const modes =
      'stty -a > before; "$NODE" "$CLI" terminal -- /bin/sh -c "exit 3"; echo "status $?"; stty -a > after; echo DO""NE';
    const env = { NODE: process.execPath, CLI: cliEntry };
    const person = sit({ command: ['/bin/sh', '-c', modes], env });
    await person.sees('DONE');
    expect(person.shown).toContain('status 3');
    const [before, after] = ['before', 'after'].map((name) => readFileSync(join(place.files, name), 'utf8'));
    expect(after).toBe(before);
  });

  it('is left as it was found when it is ended by a signal, and ends by that signal', async () => {
    const script =
      'stty -a > before; "$NODE" "$CLI" terminal -- /bin/sh; echo "status $?"; stty -a > after; echo DO""NE';
    const env = { NODE: process.execPath, CLI: cliEntry };
    const person = sit({ command: ['/bin/sh', '-c', script], env });
    await person.runs('echo inside $((40 + 2))', 'INSIDE');
    const { pid } = (await until(() => recordings(place)[0]?.record.recorder)) as {
      pid: number;
    };
    process.kill(pid, 'SIGTERM');
    await person.sees('DONE');
    expect(person.shown).toContain('status 143');
    const [before, after] = ['before', 'after'].map((name) => readFileSync(join(place.files, name), 'utf8'));
    expect(after).toBe(before);
    expect(recording(place).record).toMatchObject({ status: 'finished', recorder: null });
    expect(recording(place).bytes.toString()).toContain('inside 42');
  });

  it('is left as it was found when it is killed', async () => {
    const script =
      'stty -a > before; "$NODE" "$CLI" terminal -- /bin/sh; until stty -a | cmp -s - before; do sleep .1; done; echo DO""NE';
    const env = { NODE: process.execPath, CLI: cliEntry };
    const person = sit({ command: ['/bin/sh', '-c', script], env });
    await person.runs('echo inside $((40 + 2))', 'INSIDE');
    const { pid } = (await until(() => recordings(place)[0]?.record.recorder)) as { pid: number };
    process.kill(pid, 'SIGKILL');
    await person.sees('DONE');
  });

  it('does not make pipes non-blocking that others share', async () => {
    const flags =
      'use Fcntl; print STDERR join " ", map { fcntl($_, F_GETFL, 0) & O_NONBLOCK ? "no wait" : "waits" } *STDIN, *STDOUT';
    const terminal = '"$NODE" "$CLI" terminal -- sh -c "touch up; sleep 60" <&3 &';
    const look = 'until [ -e up ]; do sleep .1; done; perl -e "$FLAGS" <&3; kill $!; wait';
    const script = `(sleep 60 & echo $! >sleeper; wait) | (exec 3<&0; ${terminal} ${look}; kill $(cat sleeper)) | cat; echo DO""NE`;
    const env = { NODE: process.execPath, CLI: cliEntry, FLAGS: flags };
    const person = sit({ command: ['/bin/sh', '-c', script], env });
    await person.sees('DONE');
    expect(person.shown).toContain('waits waits');
  });
});
