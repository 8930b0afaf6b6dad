/** `spillway terminal`, as a person at a terminal meets it, and as a script does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Place, runCli } from '../../fixtures/cli.ts';
import { inShell, place, setUpSeats, sit } from '../../fixtures/set-up/seated-people.ts';
import { recording, recordings } from '../../fixtures/terminal/terminal.ts';
import { until } from '../../fixtures/until.ts';

describe.skipIf(process.platform === 'win32')('a recorded terminal', () => {
  setUpSeats();

  it('shows and records what the shell prints, and ends as the shell ends', async () => {
    const person = sit({ args: ['--name', 'my build', '--session', 'work'] });
    await person.runs('tty -s && echo on a $((1 + 1))nd terminal');
    expect(person.shown).toContain('on a 2nd terminal\r\n');
    person.enter('exit 7');
    expect(await person.exited).toEqual({ exitCode: 7, signal: null });
    const { record, bytes } = recording(place);
    expect(record).toMatchObject({
      ...{ kind: 'terminal', label: 'my build', command: '/bin/sh', args: [], cwd: place.files },
      ...{ session: 'work', status: 'finished', exit_code: 7, signal: null, recorder: null },
      ...{ terminal: { columns: 100, rows: 30 }, streams: [{ name: 'output', content_type: 'log' }] },
    });
    expect(person.shown).toContain(bytes.toString());
    expect(person.shown).toContain(`spillway: this terminal is ${record.artifact_id}`);
    expect(bytes.toString()).toContain('on a 2nd terminal\r\n');
  });

  it('has what was shown on disk while it runs', async () => {
    const person = sit();
    await person.runs('echo early');
    await until(() => recordings(place)[0]?.bytes.includes('early\r\n'));
    expect(recording(place).record).toMatchObject({ status: 'running', exit_code: null });
    expect(recording(place).record.recorder?.pid).toBe(person.pty.pid);
  });

  it('is as large as the window, and stays so', async () => {
    const person = sit({ columns: 91, rows: 17 });
    await person.runs('stty size');
    expect(person.shown).toContain('17 91\r\n');
    person.pty.resize({ columns: 1, rows: 1 });
    await until(() => sizes(place).at(-1)?.columns === 1);
    person.pty.resize({ columns: 133, rows: 44 });
    await until(() => sizes(place).at(-1)?.columns === 133);
    await person.runs('stty size', 'LARGER');
    expect(person.shown).toContain('44 133\r\n');
    person.enter('exit');
    await person.exited;
    expect(recording(place).record.terminal).toEqual({ columns: 133, rows: 44 });
    expect(sizes(place).map(({ columns, rows }) => [columns, rows])).toEqual([
      [91, 17],
      [1, 1],
      [133, 44],
    ]);
  });

  it('shows a line feed as the program means it', async () => {
    const person = inShell("stty -opost; printf 'ab\\ncd'; stty opost; echo; echo DO''NE");
    await person.sees('DONE');
    expect(person.shown).toContain('ab\ncd');
    expect(person.shown).not.toContain('\r\r\n');
  });

  it('passes keys on as they are typed', async () => {
    const person = inShell('stty raw -echo; echo GO; dd bs=1 count=6 2>/dev/null | od -An -tx1; stty sane');
    await person.sees('GO');
    person.pty.write('\x03\x1a\x1cä\x7f');
    await person.sees('03 1a 1c c3 a4 7f');
  });

  it('erases whole characters where the line is edited by the system', async () => {
    const person = inShell('echo GO; read -r line; echo "[$line]"');
    await person.sees('GO');
    person.enter('aä\x7fb');
    await person.sees('[ab]');
  });

  it('interrupts what runs in it, and not itself', async () => {
    const person = sit();
    await person.runs('trap "echo caught" INT');
    person.enter('sh -c \'echo SLEEP""ING; exec sleep 1000\'');
    await person.sees('SLEEPING');
    person.pty.write('\x03');
    await person.sees('caught');
    await person.runs('echo still here', 'STILL');
  });

  it('records binary data unchanged', async () => {
    const person = inShell("printf '\\377\\376\\000bad\\303'; printf 'DO''NE'");
    await person.exited;
    expect(recording(place).bytes).toEqual(Buffer.from('fffe00626164c3444f4e45', 'hex'));
  });

  it('loses nothing of what was printed right before the end', async () => {
    for (let run = 0; run < 5; run += 1) {
      const { stdout } = await runCli(['terminal', '--', '/bin/sh', '-c', 'seq 30000'], place);
      const lines = stdout.split('\r\n');
      expect([lines.length, lines.at(-2)]).toEqual([30_001, '30000']);
    }
    for (const { bytes } of recordings(place)) expect(bytes.toString().split('\r\n')).toHaveLength(30_001);
  });

  it('ends with 128 and the signal that ended the shell', async () => {
    const person = inShell('kill -9 $$');
    expect((await person.exited).exitCode).toBe(137);
    expect(recording(place).record).toMatchObject({ exit_code: null, signal: 'SIGKILL' });
  });
});

function sizes(place: Place): { columns: number; rows: number }[] {
  const { folder, record } = recording(place);
  return readFileSync(join(folder, `${record.artifact_id}.commands`), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'resized');
}
