import { describe, expect, it } from 'vitest';
import { hasBash, lastFailed, setUpPeople, sit, typed } from '../../fixtures/set-up/typed-commands.ts';

setUpPeople();

describe.skipIf(!hasBash)('a person’s own bash', () => {
  it('keeps its prompt commands, PS0, traps, status and aliases', async () => {
    const bashrc = [
      "PS1='$? > '",
      'PROMPT_COMMAND=\'echo "[prompt after $?]";\'',
      "PS0='[about to run]\\n'",
      "trap 'last=$BASH_COMMAND' DEBUG",
      "alias greet='echo hello'",
    ];
    const person = sit('bash', { dotFiles: { '.bashrc': `${bashrc.join('\n')}\n` } });
    person.enter('greet; (exit 4)');
    await person.sees('[prompt after 4]\r\n');
    await person.sees('4 > ');
    expect(person.shown).toMatch(/\[about to run\]\r+\nhello\r\n/);
    person.enter('true; echo "trap: $last"');
    await person.sees(/trap: (?!\$)/);
    person.enter('exit');
    await person.exited;
    expect((await typed()).map(({ command, exit_code }) => [command, exit_code])).toEqual([
      ['greet; (exit 4)', 4],
      ['true; echo "trap: $last"', 0],
      ['exit', 0],
    ]);
  });

  it('keeps a list of prompt commands', async () => {
    const bashrc = "PS1='$ '\nPROMPT_COMMAND=('echo first' 'echo \"second $?\"')\n";
    const person = sit('bash', { dotFiles: { '.bashrc': bashrc } });
    person.enter('(exit 6)');
    await person.sees(/first\r\nsecond 6\r\n/);
    person.enter('exit');
    await person.exited;
    expect((await typed())[0]).toMatchObject({ command: '(exit 6)', exit_code: 6 });
  });

  it('finds every status of a pipeline in its prompt', async () => {
    const bashrc = `PS1='$ '\nPROMPT_COMMAND='echo "<$? \${PIPESTATUS[*]}>"'\n`;
    const person = sit('bash', { dotFiles: { '.bashrc': bashrc } });
    person.enter('true | (exit 4) | true | (exit 3)');
    await person.sees('<3 0 4 0 3>');
    person.enter('false');
    await person.sees('<1 1>');
    person.enter('exit');
    await person.exited;
    expect((await typed()).map(({ exit_code }) => exit_code)).toEqual([3, 1, 1]);
  });

  it('traces what was typed alone, in it and in a shell that inherits its prompts', async () => {
    const person = sit('bash', { dotFiles: { '.bashrc': "PS1='$ '\nPS4='+trace '\n" } });
    await person.runs('export PS0; set -x');
    await person.runs('true');
    await person.runs('set +x');
    await person.does('bash --norc');
    await person.runs('true', 'NESTED');
    await person.does('exit');
    person.enter('exit');
    await person.exited;
    expect(person.shown).not.toContain('__spillway');
    expect(person.shown).toContain('+trace true');
  });

  it('may have aliases for whatever it likes', async () => {
    const names = [
      'builtin',
      'printf',
      'local',
      'set',
      'history',
      'return',
      'shopt',
      'declare',
      'unset',
      'trap',
    ];
    const bashrc = ["PS1='$ '", ...names.map((name) => `alias ${name}='echo MINE'`)];
    const person = sit('bash', { dotFiles: { '.bashrc': `${bashrc.join('\n')}\n` } });
    await person.does('(exit 4)');
    person.enter('exit');
    await person.exited;
    expect(person.shown).not.toContain('MINE');
    expect((await typed())[0]).toMatchObject({ command: '(exit 4)', exit_code: 4 });
  });

  it('keeps no history where it has none, and what was typed is known', async () => {
    const person = sit('bash', { dotFiles: { '.bashrc': "PS1='$ '\nset +o history\n" } });
    await person.sees('$ ');
    await person.does('(exit 4)');
    person.enter('exit');
    await person.exited;
    expect((await typed()).map(({ command, exit_code }) => [command, exit_code])).toEqual([
      ['(exit 4)', 4],
      ['exit', 4],
    ]);
  });

  it.each([
    ['its prompts are plain text', 'shopt -u promptvars'],
    ['its prompt commands are fixed', "PROMPT_COMMAND='echo MINE'; readonly PROMPT_COMMAND"],
    ['its PS0 is fixed', 'readonly PS0'],
  ])('is left alone where %s', async (_, line) => {
    const person = sit('bash', { dotFiles: { '.bashrc': `PS1='$ '\n${line}\n` } });
    await person.runs('echo "$?"');
    person.enter('exit');
    await person.exited;
    expect(person.shown).not.toMatch(/spillway_|readonly variable/);
    expect(await typed()).toEqual([]);
  });

  it('has nothing run behind its own prompt command that its DEBUG trap would take for a command', async () => {
    const bashrc = ["PS1='$ '", "trap 'ran=$BASH_COMMAND' DEBUG", "PROMPT_COMMAND=': mine'"];
    const person = sit('bash', { dotFiles: { '.bashrc': `${bashrc.join('\n')}\n` } });
    person.enter(`PS1='<\${ran}> $ '`);
    await person.sees('<: mine> $ ');
    person.enter('exit');
    await person.exited;
  });

  it('survives strict options, and a history that is full', async () => {
    const person = sit('bash', { dotFiles: { '.bashrc': "PS1='$ '\nHISTSIZE=2\nset -u\n" } });
    for (const word of ['ALPHA', 'BETA', 'GAMMA', 'DELTA'])
      await person.runs(`echo ${word.toLowerCase()}`, word);
    person.enter('exit');
    await person.exited;
    expect((await typed()).map(({ command }) => command.split(';')[0])).toEqual([
      'echo alpha',
      'echo beta',
      'echo gamma',
      'echo delta',
      'exit',
    ]);
  });

  it('is a login shell when that is asked for, with the files of one', async () => {
    const person = sit('bash', {
      args: ['--', 'bash', '--login'],
      dotFiles: {
        '.bash_profile': "PS1='$ '; PROFILE=read\n",
        '.bashrc': 'RC=read\n',
        '.bash_logout': 'echo logged out\n',
      },
    });
    person.enter(
      'echo "[$PROFILE,$RC,$ENV,$(shopt -qo posix; echo $?),$(shopt -q login_shell; echo $?)]" "$HISTFILE"',
    );
    await person.sees(/\[read,,,1,0\] .*\/\.bash_history\r\n/);
    person.enter('exit');
    await person.exited;
    expect(person.shown).toContain('logged out');
    expect(await typed()).toHaveLength(2);
  });

  it('is left alone with arguments that say what it reads', async () => {
    const person = sit('bash', { args: ['--', 'bash', '--norc'], dotFiles: { '.bashrc': 'FILE=read\n' } });
    await person.runs('echo "[$FILE]"');
    person.enter('exit');
    await person.exited;
    expect(person.shown).toContain('[]\r\n');
    expect(await typed()).toEqual([]);
    expect(await lastFailed({})).toMatch(/whether a typed command failed cannot be known/);
  });
});
