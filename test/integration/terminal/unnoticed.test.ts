/** What other programs see of a recorded terminal: they see the shell, not Spillway. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { Person } from '../../fixtures/terminal.ts';
import { until } from '../../fixtures/until.ts';

let place: Place;
let person: Person | null = null;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  person?.end();
  person = null;
  place.remove();
});

describe.skipIf(process.platform !== 'linux')('a recorded terminal', () => {
  it('is named after the program in the foreground', async () => {
    const sitting = new Person(place, { args: ['--', '/bin/sh'] });
    person = sitting;
    const name = () => readFileSync(`/proc/${sitting.pty.pid}/cmdline`, 'utf8').split('\0', 1)[0];
    await sitting.runs('true');
    await until(() => name() === 'sh');
    sitting.enter('echo begun; /bin/sleep 60');
    await until(() => name() === 'sleep');
    sitting.pty.write('\x03');
    await until(() => name() === 'sh');
  });
});
