/** `inspect --mode failure` of a terminal tells which of its commands failed, and why. */
import { describe, expect, it } from 'vitest';
import { runCli } from '../../fixtures/cli.ts';
import { hasBash, place, setUpPeople, sit } from '../../fixtures/set-up/typed-commands.ts';
import { recording } from '../../fixtures/terminal/terminal.ts';

setUpPeople();

describe.skipIf(!hasBash)('a terminal on the command line', () => {
  it('names its failed commands with their causes, the last command last', async () => {
    const person = sit('bash', { dotFiles: { '.bashrc': "PS1='$ '\n" } });
    await person.sees('$ ');
    await person.does("seq 100; echo 'gen: cannot open rates.json'; seq 100; (exit 3)");
    await person.does('true');
    await person.does('(exit 4) # with fixed');
    person.enter('exit 0');
    await person.exited;
    const { artifact_id: id } = recording(place).record;
    const { status, stdout, stderr } = await runCli(['inspect', id, '--mode', 'failure'], place);
    expect(status).toBe(0);
    expect(stdout).toContain('gen: cannot open rates.json');
    expect(stderr).toContain(
      'the last command that failed here, "(exit 4) # with fixed", printed nothing: this is of all\n',
    );
    const said = stderr.split('\n').slice(stderr.split('\n').indexOf('spillway: 2 commands failed here:'));
    expect(said[1]).toMatch(
      /^spillway: {3}seq 100; .*: exit 3; line \d+: gen: cannot open rates\.json; more: --start \d+ --end \d+$/,
    );
    expect(said[2]).toMatch(/^spillway: {3}\(exit 4\) # with fixed: exit 4$/);

    const [, start, end] = /--start (\d+) --end (\d+)/.exec(said[1]!)!;
    const range = ['--start', start!, '--end', end!];
    const one = await runCli(['inspect', id, '--mode', 'failure', ...range], place);
    expect(one.stdout).toContain('gen: cannot open rates.json');
    expect(one.stderr).not.toContain('failed here');
  });

  it('explains the last command that failed, as get_terminal_output does', async () => {
    const person = sit('bash', { dotFiles: { '.bashrc': "PS1='$ '\n" } });
    await person.sees('$ ');
    await person.does('echo "ls: cannot access \'nowhere\': No such file or directory"; (exit 2)');
    await person.does("echo 'ValueError: not a rate'; (exit 1)");
    person.enter('exit 0');
    await person.exited;
    const { artifact_id: id } = recording(place).record;
    const { stdout, stderr } = await runCli(['inspect', id, '--mode', 'failure'], place);
    const [, line] = /^line (\d+): ValueError: not a rate\n\n[^\n]*… \d+ lines\n/.exec(stdout)!;
    expect(stderr).toMatch(
      new RegExp(
        `this is of the last command that failed here, "echo 'ValueError.*": lines ${line} to ${line}; for others give --start and --end`,
      ),
    );
    const all = await runCli(['inspect', id, '--mode', 'failure', '--start', '1'], place);
    expect(all.stdout).toContain('cannot access');
  });
});
