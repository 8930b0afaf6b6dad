/** An editor tells the names of its terminals, and which were open before recording began. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import {
  endTerminal,
  listTerminal,
  nameTerminal,
  type TerminalCapture,
} from '../../../electron/host/terminal/editor-terminals.ts';
import { removeFolder } from '../../fixtures/folder.ts';
import { place, setUpPeople, sit, withHost } from '../../fixtures/set-up/typed-commands.ts';
import { recording } from '../../fixtures/terminal/terminal.ts';
import { until } from '../../fixtures/until.ts';

setUpPeople();

const captureOf = (): TerminalCapture => {
  const { folder, record } = recording(place);
  return { folder, artifactId: record.artifact_id };
};
const listed = () => withHost(async (host) => (await host.list({ kind: 'terminal' })).outputs);

describe('a recorded terminal', () => {
  it('has the name that its editor gives it, also when it has ended', async () => {
    const person = sit('/bin/sh');
    await person.runs('true');
    nameTerminal(captureOf(), 'server ✓');
    expect((await listed())[0]).toMatchObject({ label: 'server ✓', status: 'running' });
    expect((await withHost((host) => host.terminalOutput({}))).name).toBe('server ✓');
    person.enter('exit');
    await person.exited;
    expect((await listed())[0]).toMatchObject({ label: 'server ✓', status: 'finished' });
  });

  it('has its own name again when the editor has none for it', async () => {
    const person = sit('/bin/sh');
    await person.runs('true');
    nameTerminal(captureOf(), 'server');
    nameTerminal(captureOf(), '');
    expect((await listed())[0]?.label).toBe('sh');
  });

  it('tells the window of a new name at once, and leaves nothing behind when it is removed', async () => {
    const person = sit('/bin/sh');
    await person.runs('true');
    const { folder } = captureOf();
    const host = await createHost({ home: place.home, watch: true, threads: 0 });
    try {
      const labels: string[] = [];
      host.watchLibrary((event) => labels.push(...event.changed.map(({ label }) => label)));
      await until(() => labels.includes('sh'));
      nameTerminal(captureOf(), 'renamed');
      await until(() => labels.includes('renamed'));
      person.enter('exit');
      await person.exited;
      await host.cleanup({ older_than_hours: 0 });
      expect(readdirSync(folder).filter((name) => name.startsWith('terminal-'))).toEqual([]);
    } finally {
      await host.close();
    }
  });
});

describe('a terminal that was open before', () => {
  let shell: ChildProcess;
  beforeEach(() => {
    shell = spawn('sleep', ['600']);
  });
  afterEach(() => {
    shell.kill('SIGKILL');
  });
  const list = () =>
    listTerminal(place.home, { session: 'shop', name: 'old', pid: shell.pid!, cwd: place.files });

  it('is listed as incomplete, in its session', async () => {
    const { artifactId } = list();
    const [artifact] = await listed();
    expect(artifact).toMatchObject({
      ...{ artifact_id: artifactId, label: 'old', session: 'shop', status: 'running', cwd: place.files },
      warnings: [expect.stringMatching(/^Incomplete: /)],
    });
  });

  it('is the one that an agent means while it is active, and says that it has no output', async () => {
    const { artifactId } = list();
    const person = sit('/bin/sh');
    await person.runs('true');
    const folder = join(place.home, 'run', 'terminals');
    mkdirSync(folder, { recursive: true });
    const window = { owner: process.pid, workspace: 'shop', changed_at: new Date(Date.now() + 60_000) };
    const terminals = [{ pid: shell.pid }];
    writeFileSync(join(folder, 'one.json'), JSON.stringify({ ...window, active: shell.pid, terminals }));
    const output = await withHost((host) => host.terminalOutput({}));
    expect(output).toMatchObject({ artifact_id: artifactId, total_bytes: 0, content: '' });
    expect(output.note).toMatch(/^Incomplete: .*not here/);
    const screen = await withHost((host) => host.terminalOutput({ mode: 'screen' }));
    expect(screen.note).toMatch(/^Incomplete: /);
  });

  it('ends with its status, or as interrupted when nobody was there to see it', async () => {
    const first = list();
    endTerminal(first, 3);
    expect((await listed())[0]).toMatchObject({ status: 'finished', exit_code: 3 });
    const { artifactId } = list();
    const gone = new Promise((resolve) => shell.once('exit', resolve));
    shell.kill('SIGKILL');
    await gone;
    const statusOf = async () =>
      (await listed()).find(({ artifact_id }) => artifact_id === artifactId)?.status;
    expect(await statusOf()).toBe('interrupted');
  });

  it('is not brought back by a name or an end that come after its removal', async () => {
    const capture = list();
    removeFolder(capture.folder);
    mkdirSync(capture.folder);
    nameTerminal(capture, 'name');
    endTerminal(capture, 0);
    expect(readdirSync(capture.folder)).toEqual([]);
  });
});
