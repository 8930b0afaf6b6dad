/** Commands typed in a recorded bash or zsh: text, exit status, lines of output. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  lastFailed,
  outputOf,
  place,
  setUpPeople,
  shells,
  sit,
  typed,
  withHost,
} from '../../fixtures/set-up/typed-commands.ts';
import { recording } from '../../fixtures/terminal/terminal.ts';

setUpPeople();

describe.each(shells)('$shell', ({ shell, there, rc, noHistory }) => {
  it.skipIf(!there)('has each command marked with its text, end, place and lines', async () => {
    const person = sit(shell, { prompt: 'prompt> ', dotFiles: { [rc]: 'PS1="prompt> "\n' } });
    await person.runs("printf 'one\\ntwo\\n'");
    await person.runs('(exit 3)');
    await person.runs('cd /usr; false || printf "a\\tb;c"', 'INUSR');
    await person.does('false');
    await person.runs('true', 'LATER');
    person.enter('exit 5');
    expect((await person.exited).exitCode).toBe(5);
    const commands = await typed();
    expect(commands.map(({ command, exit_code, status, cwd }) => [command, exit_code, status, cwd])).toEqual([
      ["printf 'one\\ntwo\\n'; echo R''EADY", 0, 'succeeded', place.files],
      ["(exit 3); echo R''EADY", 0, 'succeeded', place.files],
      ['cd /usr; false || printf "a\\tb;c"; echo I\'\'NUSR', 0, 'succeeded', place.files],
      ['false', 1, 'failed', '/usr'],
      ["true; echo L''ATER", 0, 'succeeded', '/usr'],
      // `exit` itself succeeded.
      ['exit 5', 5, 'succeeded', '/usr'],
    ]);
    const outputs = [];
    for (const command of commands.slice(0, 5)) outputs.push(await outputOf(command));
    expect(outputs).toEqual(['one\ntwo\nREADY', 'READY', 'a\tb;cINUSR', null, 'LATER']);
    const { bytes } = recording(place);
    const [first] = commands;
    expect(bytes.subarray(first!.start_offset, first!.end_offset!).toString()).toMatch(
      /^one\r\ntwo\r\nREADY\r\n/,
    );
    expect((await withHost((host) => host.lastFailedCommand({}))).command).toMatchObject({
      command: 'false',
      number: 4,
    });
  });

  it.skipIf(!there)('gives the output of the last command that failed in one step', async () => {
    const person = sit(shell, { dotFiles: { [rc]: "PS1='$ '\n" } });
    await person.runs('true');
    expect(await lastFailed({})).toMatch(/no command .* has failed/);
    await person.does('sh -c "echo first; seq 30; exit 4"');
    await person.does('sh -c "exit 6"');
    await person.runs('echo fine', 'LATER');
    const silent = await lastFailed({});
    expect(silent).toMatchObject({ mode: 'last_failed', content: '', lines_shown: 0 });
    expect(silent).toMatchObject({ typed_command: { exit_code: 6 } });
    await person.runs('echo fine', 'LAST');
    await person.does('sh -c "echo second; seq 30; exit 7"');
    // Which ends with the 7 of the command before, and is not what failed.
    person.enter('exit');
    await person.exited;
    const end = Array.from({ length: 30 }, (_, i) => i + 1);
    const whole = await lastFailed({ terminal_id: recording(place).record.artifact_id });
    expect(whole).toMatchObject({ content: ['second', ...end].join('\n'), next_start_line: null });
    expect(whole).toMatchObject({ typed_command: { exit_code: 7 }, running: false });
    expect(await lastFailed({ lines: 2 })).toMatchObject({ content: '29\n30', lines_shown: 2 });
  });

  it.skipIf(!there)(
    'has commands marked that are kept out of its history, or are in it already',
    async () => {
      const person = sit(shell, { dotFiles: { [rc]: `PS1='$ '\n${noHistory}` } });
      await person.runs('echo plain');
      await person.runs(' echo secret', 'SECRET');
      await person.runs('echo same', 'SAME');
      await person.runs('echo same', 'SAME');
      person.enter(' exit');
      await person.exited;
      expect((await typed()).map(({ command }) => command)).toEqual([
        "echo plain; echo R''EADY",
        " echo secret; echo S''ECRET",
        "echo same; echo S''AME",
        "echo same; echo S''AME",
        ' exit',
      ]);
    },
  );

  it.skipIf(!there)('has a command of several lines as one', async () => {
    const person = sit(shell, { dotFiles: { [rc]: "PS1='$ '; PS2='> '\n" } });
    await person.runs(':');
    for (const line of ['for i in 1 2; do', '  echo "number $((i + 10))"', 'done']) person.enter(line);
    await person.sees(/number 12\r\n(.|\n|\r)*\$ /);
    person.enter('exit');
    await person.exited;
    const [, loop] = await typed();
    expect(loop?.command.replace(/\n|; +/g, '\n').replace(/do\s+/, 'do\n')).toMatch(
      /^for i in 1 2\ndo\n *echo "number \$\(\(i \+ 10\)\)"\ndone$/,
    );
    expect(await outputOf(loop!)).toBe('number 11\nnumber 12');
  });

  it.skipIf(!there)('takes what Ctrl-C ended for cancelled, and what runs for running', async () => {
    const person = sit(shell, { dotFiles: { [rc]: "PS1='$ '\n" } });
    await person.runs(':');
    person.enter('sh -c \'echo SLEEP""ING; exec sleep 1000\'');
    await person.sees('SLEEPING');
    expect((await typed()).at(-1)).toMatchObject({ status: 'running', exit_code: null, end_line: null });
    person.pty.write('\x03');
    await person.runs('true', 'AFTER');
    expect((await typed())[1]).toMatchObject({ status: 'cancelled', exit_code: 130 });
    expect((await withHost((host) => host.lastFailedCommand({}))).command).toBeNull();
    process.kill(person.pty.pid, 'SIGKILL');
  });

  it.skipIf(!there)('keeps from the screen what it marks with, and hides nothing else', async () => {
    const person = sit(shell, { dotFiles: { [rc]: "PS1='$ '\n" } });
    await person.runs("printf '\\033]633;A\\007\\033]0;title\\007'");
    person.enter('exit');
    await person.exited;
    expect(recording(place).bytes.toString()).toContain('633;Spillway=');
    expect(person.shown).not.toContain('Spillway=');
    expect(person.shown).toContain('\x1b]633;A\x07\x1b]0;title\x07');
  });

  it.skipIf(!there)(
    'ignores marks that a program prints, also those of a recording that is shown',
    async () => {
      const person = sit(shell, { dotFiles: { [rc]: "PS1='$ '\n" } });
      await person.runs("printf '\\033]633;Spillway=0123456789abcdef0123456789abcdef;P;99;0;/forged\\007'");
      const { folder, record } = recording(place);
      await person.runs(`cat ${join(folder, `${record.artifact_id}.log`)}`, 'REPLAYED');
      person.enter('exit');
      await person.exited;
      const commands = await typed();
      expect(commands).toHaveLength(3);
      expect(commands.map(({ cwd }) => cwd)).toEqual([place.files, place.files, place.files]);
      expect(commands[1]?.command).toMatch(/^cat .*\.log; echo R''EPLAYED$/);
      expect(commands[1]?.exit_code).toBe(0);
    },
  );

  it.skipIf(!there)('leaves nothing behind, and nothing in the environment of programs', async () => {
    const temporary = join(place.files, 'temporary');
    mkdirSync(temporary);
    const person = sit(shell, { env: { TMPDIR: temporary }, dotFiles: { [rc]: "PS1='$ '\n" } });
    await person.runs('env | grep -ci -e spillway-shell -e spillway_shell -e ^ENV= -e ^ZDOTDIR=', 'COUNTED');
    expect(person.shown).toMatch(/0\r\nCOUNTED/);
    expect(readdirSync(temporary)).toEqual([]);
    person.enter('exit');
    await person.exited;
  });

  it.skipIf(!there)('is left alone when that is wanted', async () => {
    const person = sit(shell, { args: ['--no-integration', '--', shell], dotFiles: { [rc]: "PS1='$ '\n" } });
    await person.runs('echo $((1 + 1))');
    person.enter('exit');
    await person.exited;
    expect(recording(place).bytes.toString()).not.toContain('633;');
    expect(await typed()).toEqual([]);
  });

  it.skipIf(!there)('names the cause of each command that failed', async () => {
    const person = sit(shell, { dotFiles: { [rc]: "PS1='$ '\n" } });
    // A line typed before the first prompt would be echoed in the output of another command.
    await person.sees('$ ');
    await person.does('sh -c "seq 40; echo cannot open settings.toml; seq 60; exit 4"');
    await person.does('sh -c "echo cannot open colours.toml; exit 5"');
    await person.runs('echo fine', 'LATER');
    const causes = (await typed()).map(({ cause }) => cause?.text ?? null);
    expect(causes).toEqual(['cannot open settings.toml', 'cannot open colours.toml', null]);
    const answer = await lastFailed({});
    expect(answer).toMatchObject({
      typed_command: { exit_code: 5, cause: { text: 'cannot open colours.toml' } },
    });
    person.enter('exit');
    await person.exited;
  });

  it.skipIf(!there)('shows the failed commands alone when asked, and so many', async () => {
    const person = sit(shell, { dotFiles: { [rc]: "PS1='$ '\n" } });
    for (const status of [1, 2, 0, 3]) person.enter(`(exit ${status})`);
    await person.runs(':');
    const { artifact_id } = recording(place).record;
    const ask = (more: object) => withHost((host) => host.terminalCommands({ artifact_id, ...more }));
    const failed = await ask({ failed: true, limit: 2 });
    expect([failed.total, failed.commands.map(({ exit_code }) => exit_code)]).toEqual([3, [3, 2]]);
    expect((await ask({})).total).toBe(5);
    person.enter('exit');
    await person.exited;
  });
});
