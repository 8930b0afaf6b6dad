/** Commands typed in a recorded bash or zsh: text, exit status, lines of output. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { Person, recording, recordings, type TerminalStart } from '../../fixtures/terminal.ts';

const hasZsh = spawnSync('zsh', ['-c', 'exit']).status === 0;
const hasBash =
  spawnSync('bash', ['-c', '((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404))']).status === 0;
if (!hasZsh) console.info('skipped: zsh is not installed');
if (!hasBash) console.info('skipped: there is no bash 4.4 or newer');

let place: Place;
const people: Person[] = [];
const sit = (shell: string, start: TerminalStart = {}) => {
  const person = new Person(place, { args: ['--', shell], ...start });
  people.push(person);
  return person;
};

async function withHost<T>(use: (host: Host) => Promise<T>): Promise<T> {
  const host = await createHost({ home: place.home, watch: false, threads: 0 });
  try {
    return await use(host);
  } finally {
    await host.close();
  }
}

/** Typed commands, oldest first. */
async function typed(artifact_id = recording(place).record.artifact_id) {
  const { commands } = await withHost((host) => host.terminalCommands({ artifact_id }));
  return commands.toReversed();
}

/** An agent's reply. */
const lastFailed = (params: { terminal_id?: string; lines?: number }) =>
  withHost((host) => host.terminalOutput({ mode: 'last_failed', ...params })).catch(
    (error: Error) => error.message,
  );

/** The lines reported as a command's output. */
async function outputOf({ artifact_id, start_line, end_line }: Awaited<ReturnType<typeof typed>>[number]) {
  if (start_line === null || end_line === null) return null;
  const view = await withHost((host) =>
    host.inspect({ artifact_id, mode: 'range', start_line, end_line, as_text: true }),
  );
  return view.content;
}

beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  for (const person of people.splice(0)) person.end();
  place.remove();
});

const shells = [
  { shell: 'bash', there: hasBash, rc: '.bashrc', noHistory: 'HISTCONTROL=ignoreboth\n' },
  { shell: 'zsh', there: hasZsh, rc: '.zshrc', noHistory: 'setopt histignorespace histignoredups\n' },
];

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
      // It did as it was told.
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
    expect((await withHost((host) => host.lastFailedCommand())).command).toMatchObject({
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
    expect((await withHost((host) => host.lastFailedCommand())).command).toBeNull();
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

  it.skipIf(!there)('believes no program that prints marks, not even its own recording', async () => {
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
  });

  it.skipIf(!there)('leaves nothing behind, and nothing in the environment of programs', async () => {
    const before = leftovers();
    const person = sit(shell, { dotFiles: { [rc]: "PS1='$ '\n" } });
    await person.runs('env | grep -ci -e spillway-shell -e spillway_shell -e ^ENV= -e ^ZDOTDIR=', 'COUNTED');
    expect(person.shown).toMatch(/0\r\nCOUNTED/);
    expect(leftovers()).toEqual(before);
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
  });
});

describe.skipIf(!hasZsh)('a person’s own zsh', () => {
  it('reads all its files, and keeps its hooks and folder', async () => {
    const dot = join(place.files, 'zdot');
    mkdirSync(dot);
    const files = {
      '.zshenv': 'seen=env',
      '.zprofile': 'seen+=,profile',
      '.zshrc':
        'seen+=,rc; PS1=\'$ \'; precmd() { echo "[prompt after $?]" }; preexec() { echo "[about to run $1]" }',
      '.zlogin': 'seen+=,login',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dot, name), `${text}\n`);
    const person = sit('zsh', { args: ['--', 'zsh', '-l'], env: { ZDOTDIR: dot } });
    person.enter('echo "[$seen] [$ZDOTDIR]"; (exit 4)');
    await person.sees(`[env,profile,rc,login] [${dot}]`);
    await person.sees('[prompt after 4]');
    person.enter('exit');
    await person.exited;
    expect(person.shown).toContain('[about to run echo "[$seen] [$ZDOTDIR]"; (exit 4)]');
    expect((await typed()).map(({ exit_code }) => exit_code)).toEqual([4, 4]);
  });
});

describe.skipIf(!hasZsh)('a zsh that warns of everything', () => {
  it('has nothing to warn of', async () => {
    const zshrc = "PS1='$ '\nsetopt warn_create_global warn_nested_var nounset\n";
    const person = sit('zsh', { dotFiles: { '.zshrc': zshrc } });
    await person.runs('true');
    person.enter('exit');
    await person.exited;
    expect(person.shown).not.toContain('__spillway');
    expect(await typed()).toHaveLength(2);
  });
});

describe.skipIf(!hasZsh)('a zsh without its files', () => {
  it('is left alone', async () => {
    const person = sit('zsh', { args: ['--', 'zsh', '-f'] });
    await person.runs('echo "[$ZDOTDIR]"');
    person.enter('exit');
    await person.exited;
    expect(person.shown).toContain('[]\r\n');
    expect(await typed()).toEqual([]);
  });
});

describe('another shell', () => {
  it('is recorded as it is', async () => {
    const person = sit('/bin/sh');
    await person.runs('echo plain');
    person.enter('exit');
    await person.exited;
    const { artifact_id } = recordings(place)[0]!.record;
    expect(await typed(artifact_id)).toEqual([]);
    expect(recording(place).bytes.toString()).toContain('plain\r\n');
  });
});

function leftovers(): string[] {
  return readdirSync(tmpdir()).filter(
    (name) => name.startsWith('spillway-shell-') && !readFileSyncOrEmpty(join(tmpdir(), name)),
  );
}

function readFileSyncOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
