/** The executables named like shells that VS Code starts in place of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPty } from '../../../electron/recorder/terminal/pty.ts';
import { type Shim, writeShim } from '../../../electron/vscode/shims.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let folder: string;
let workspace: string;
beforeEach(() => {
  folder = makeFolder();
  workspace = join(folder, "the shop's");
  mkdirSync(workspace);
});
afterEach(() => removeFolder(folder));

/** Makes a program that takes the place of Spillway and prints its arguments. */
function spillway(head = '#!/bin/sh'): string {
  const path = join(folder, 'spillway');
  writeFileSync(path, `${head}\necho "in $SPILLWAY_SESSION: $*"\n`, { mode: 0o700 });
  return path;
}

async function start(
  shim: Partial<Shim>,
  env: NodeJS.ProcessEnv = {},
  use: 'terminals' | 'tasks' = 'terminals',
) {
  const file = writeShim(folder, use, {
    shell: '/bin/sh',
    session: null,
    ...shim,
    spillway: shim.spillway === undefined ? spillway() : shim.spillway,
  });
  let shown = '';
  const pty = openPty({
    ...{ file, args: ['-c', 'echo plain $SPILLWAY_SESSION'], cwd: workspace },
    ...{ size: { columns: 200, rows: 24 }, env: { PATH: process.env.PATH, ...env } },
    onData: (bytes) => {
      shown += bytes.toString();
    },
  });
  await pty.exited;
  return shown.trim();
}

const ARGS = '-- /bin/sh -c echo plain $SPILLWAY_SESSION';

describe.skipIf(process.platform === 'win32')('a shim', () => {
  it('records in the session that the extension gives', async () => {
    expect(await start({}, { SPILLWAY_SESSION: 'given' })).toBe(`in given: terminal --quiet ${ARGS}`);
  });

  it("records in the folder's, or the user's, before the extension runs", async () => {
    expect(await start({})).toBe(`in the shop's: terminal --quiet ${ARGS}`);
    expect(await start({ session: "it's mine" })).toBe(`in it's mine: terminal --quiet ${ARGS}`);
    expect(await start({}, {}, 'tasks')).toContain('--quiet --name task --');
  });

  it.each([
    ['is not known', () => null],
    ['is not there', () => '/nowhere/spillway'],
    ['has no runtime', () => spillway('#!/nowhere/node')],
    ['has no runtime on the PATH', () => spillway('#!/usr/bin/env no-such-runtime')],
  ])('is the plain shell where Spillway %s', async (_, found) => {
    expect(await start({ spillway: found() })).toBe('plain');
  });
});
