/** Captures while they grow, when their recorder dies, and when the command leaves others behind. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentShell, makeAgentShell, ran } from '../../fixtures/agents/shell.ts';
import { runCli } from '../../fixtures/cli.ts';
import { until } from '../../fixtures/until.ts';

let place: AgentShell;
beforeEach(() => {
  place = makeAgentShell();
});
afterEach(() => place.remove());

const cli = (...args: string[]) => runCli(args, { home: place.home, files: place.files, remove: () => {} });

test('is read while it runs, and is mended when the recorder is killed; the command dies with it', async () => {
  const child = spawn(place.shell, ['-c', 'echo $$; seq 1 5000; sleep 60'], {
    cwd: place.files,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = await new Promise<number>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(Number.parseInt(chunk, 10))),
  );
  child.stdout.resume();
  const [record] = await until(() => (place.records().length > 0 ? place.records() : null));
  await until(() => place.bytes(record!).toString().endsWith('\n5000\n'));
  expect((await cli('inspect', record!.artifact_id, '--mode', 'tail', '--lines', '1')).stdout).toBe('5000\n');
  expect(JSON.parse((await cli('list', '--json')).stdout).outputs[0]).toMatchObject({ status: 'running' });
  child.kill('SIGKILL');
  await until(() => !isThere(pid));
  const listed = JSON.parse((await cli('list', '--json')).stdout).outputs[0];
  expect(listed).toMatchObject({ status: 'interrupted', command: 'echo $$; seq 1 5000; sleep 60' });
  expect((await cli('inspect', record!.artifact_id, '--mode', 'tail', '--lines', '1')).stdout).toBe('5000\n');
});

/** How many records there are, asked with nothing but the shell itself. */
const COUNT = 'set -- ../home/captures/*/*.meta.json; [ -e "$1" ] && echo $# || echo 0';

test('a short command has a record when it has ended', async () => {
  // On a busy machine it may last.
  await until(async () => {
    const own = makeAgentShell();
    const { stdout } = await ran(own.shell, ['-c', COUNT], { cwd: own.files });
    const [record, ...others] = own.records();
    expect([record?.status, others]).toEqual(['succeeded', []]);
    expect(own.bytes(record!).toString()).toBe(stdout);
    own.remove();
    return stdout === '0\n';
  });
});

test.each(['true', 'seq 1 9000'])('a command that lasts has files while it runs, after %s', async (first) => {
  const waits = `until [ -e ../home/captures/*/*.meta.json ]; do sleep 0.02; done 2> /dev/null`;
  const { stdout } = await ran(place.shell, ['-c', `${first}; ${waits}; ${COUNT}`], { cwd: place.files });
  expect(stdout.endsWith('1\n')).toBe(true);
  const files = readdirSync(place.home, { recursive: true, encoding: 'utf8' });
  const ends = ['.meta.json', '.tmp'].map((end) => files.filter((name) => name.endsWith(end)).length);
  expect(ends).toEqual([1, 0]);
  expect(place.bytes(place.records()[0]!).toString()).toBe(stdout);
});

test.each(['record', 'preview', 'redact'] as const)(
  'a home that is removed meanwhile costs the command nothing, with %s',
  async (mode) => {
    const shell = makeAgentShell(mode);
    const command = "trap 'echo got' USR1; echo ready; sleep 5 & wait; seq 1 9000; exit 5";
    const child = spawn(shell.shell, ['-c', command], {
      ...{ cwd: place.files, stdio: ['ignore', 'pipe', 'ignore'] },
    });
    let said = '';
    child.stdout!.on('data', (chunk) => (said += chunk));
    await until(() => said.includes('ready'));
    shell.remove();
    child.kill('SIGUSR1');
    const status = await new Promise((resolve) => child.once('exit', resolve));
    await until(() => said.includes('9000\n'));
    const numbers = Array.from({ length: 9000 }, (_, i) => `${i + 1}\n`).join('');
    // With redact, on a busy machine: lines that were not looked through in time.
    const printed = said.replace(/^spillway: .*\n$/m, '');
    expect({ status, printed }).toEqual({ status: 5, printed: `ready\ngot\n${numbers}` });
    child.stdout!.destroy();
  },
);

test('a signal that ends the command ends the shell by it, though the home has gone', async () => {
  for (const signal of ['SIGTERM', 'SIGPIPE', 'SIGSEGV']) {
    const shell = makeAgentShell();
    const command = `echo ready; sleep 1; kill -${signal.slice(3)} $$`;
    const child = spawn(shell.shell, ['-c', command], { cwd: place.files });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    shell.remove();
    const end = await new Promise((resolve) => child.once('exit', (_, by) => resolve(by)));
    expect(end).toBe(signal);
  }
});

test.each(['exit 5', 'kill -TERM $$', 'kill -KILL $$'])(
  'a command that prints to a file, removes the home at once and lasts ends as bare: %s',
  async (end) => {
    const ended = async (shell: string) => {
      const file = openSync(join(place.files, 'printed'), 'w');
      // On a busy machine, the recorder may make its files meanwhile.
      const command = `until rm -rf ../home 2>/dev/null; do :; done; sleep 0.3; echo end; ${end}`;
      const child = spawn(shell, ['-c', command], { cwd: place.files, stdio: ['ignore', file, file] });
      const outcome = await new Promise((resolve) => child.once('exit', (...how) => resolve(how)));
      closeSync(file);
      return { outcome, printed: readFileSync(join(place.files, 'printed'), 'utf8') };
    };
    const recorded = await ended(place.shell);
    expect(existsSync(place.home)).toBe(false);
    expect(recorded).toEqual(await ended('/bin/bash'));
  },
);

test('SIGTERM to the shell reaches the command once, and ends both by it', async () => {
  for (const detached of [true, false]) {
    const child = spawn(
      place.shell,
      ['-c', "trap 'echo got' TERM; echo ready; sleep 1 & wait; wait; exit 5"],
      {
        ...{ cwd: place.files, detached, stdio: ['ignore', 'pipe', 'inherit'] },
      },
    );
    let said = '';
    child.stdout!.on('data', (chunk) => (said += chunk));
    await until(() => said.includes('ready'));
    if (detached) process.kill(-child.pid!, 'SIGTERM');
    else child.kill('SIGTERM');
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect({ status, said }).toEqual({ status: 5, said: 'ready\ngot\n' });
  }
});

test('a command that goes on after SIGTERM and is killed then was cancelled', async () => {
  const command = "trap 'echo got' TERM; echo ready $$; while :; do sleep 0.1; done";
  const child = spawn(place.shell, ['-c', command], {
    ...{ cwd: place.files, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  let said = '';
  child.stdout!.on('data', (chunk) => (said += chunk));
  const [, pid] = await until(() => /ready (\d+)/.exec(said));
  child.kill('SIGTERM');
  await until(() => said.includes('got'));
  process.kill(Number(pid), 'SIGKILL');
  const [record] = await until(() => {
    const ended = place.records().filter(({ status }) => status !== 'running');
    return ended.length > 0 ? ended : null;
  });
  expect(record).toMatchObject({ status: 'cancelled', signal: 'SIGKILL' });
});

test('a background child goes on printing to its reader, and is recorded', async () => {
  const child = spawn(place.shell, ['-c', '(sleep 0.5; echo late) & echo soon; exit 4'], {
    cwd: place.files,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(4);
  expect(said).not.toContain('late');
  await new Promise((resolve) => child.once('close', resolve));
  expect(said).toBe('soon\nlate\n');
  const [record] = await until(() => {
    const ended = place.records().filter(({ recorder }) => recorder === null);
    return ended.length > 0 ? ended : null;
  });
  expect(record).toMatchObject({ status: 'failed', exit_code: 4 });
  expect(place.bytes(record!).toString()).toBe('soon\nlate\n');
});

test('a background child that writes to a file is recorded, too', async () => {
  const file = join(place.root, 'output');
  const fd = openSync(file, 'ax');
  const child = spawn(place.shell, ['-c', '(sleep 1; echo late) & echo soon'], {
    cwd: place.files,
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  await until(() => readFileSync(file, 'utf8') === 'soon\nlate\n');
  const [record] = await until(() => {
    const ended = place.records().filter(({ recorder }) => recorder === null);
    return ended.length > 0 ? ended : null;
  });
  expect(place.bytes(record!).toString()).toBe('soon\nlate\n');
  expect(record!.streams.map(({ name }) => name)).toEqual(['output']);
});

test.runIf(process.platform === 'linux')(
  'recorders that wait for children writing to one file do not wait for each other',
  async () => {
    const fd = openSync(join(place.root, 'output'), 'w');
    const go = join(place.root, 'go');
    const command = `while [ -d ${place.root} ] && ! [ -e ${go} ]; do sleep 0.05; done & echo soon`;
    const children = [1, 2].map(() =>
      spawn(place.shell, ['-c', command], { cwd: place.files, stdio: ['ignore', fd, fd] }),
    );
    closeSync(fd);
    await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    expect(place.records().map(({ recorder }) => recorder !== null)).toEqual([true, true]);
    writeFileSync(go, '');
    await until(() => place.records().every(({ recorder }) => recorder === null));
  },
);

test('the shell that started a command, and keeps its output open, is not waited for', async () => {
  const file = join(place.root, 'output');
  const command = 'exec > "$1" 2>&1; "$0" -c "sleep 0.3; echo soon"; echo after; read';
  const shell = spawn('/bin/bash', ['-c', command, place.shell, file], {
    ...{ cwd: place.files, stdio: ['pipe', 'ignore', 'ignore'] },
  });
  await until(() => existsSync(file) && readFileSync(file, 'utf8') === 'soon\nafter\n');
  await until(() => place.records().every(({ recorder }) => recorder === null));
  shell.stdin!.end();
  expect(place.bytes(place.records()[0]!).toString()).toBe('soon\n');
});

test('a reader that goes away ends the command as it would have', async () => {
  const { stdout } = await ran(
    '/bin/bash',
    ['-c', '"$0" -c "yes; echo never" | head -2; echo $PIPESTATUS', place.shell],
    { cwd: place.files },
  );
  expect(stdout).toBe('y\ny\n141\n');
});

test('beyond maxStreamBytes the beginning and the end are kept, and lines keep their numbers', async () => {
  writeFileSync(join(place.home, 'config.json'), '{"maxStreamBytes": 100000}');
  await ran(place.shell, ['-c', 'seq 1 400000'], { cwd: place.files });
  const [record] = place.records();
  const { gap, total_lines, total_bytes } = record!.streams[0]!;
  expect(total_lines).toBe(400000);
  expect(total_bytes).toBeLessThanOrEqual(100000);
  const lines = place.bytes(record!).toString().trimEnd().split('\n');
  expect(lines.slice(0, gap!.line).at(-1)).toBe(String(gap!.line));
  expect(lines[gap!.line]).toBe(String(gap!.line + gap!.lines + 1));
  expect(lines.at(-1)).toBe('400000');
  expect(
    (
      await cli(
        'inspect',
        record!.artifact_id,
        '--mode',
        'tail',
        '--lines',
        '1',
        '--stream',
        'stdout',
        '--json',
      )
    ).stdout,
  ).toContain('"end_line":400000');
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
