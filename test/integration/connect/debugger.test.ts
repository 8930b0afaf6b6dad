/** SIGUSR1 never opens Node's debugger in what `connect` makes clients start, whenever it comes. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClientHome, CONFIGS, makeClientHome } from '../../fixtures/agents/client-homes.ts';
import { cliEntry, finished } from '../../fixtures/cli.ts';
import { until } from '../../fixtures/until.ts';

const CURSOR = '.cursor/mcp.json';
const THEIRS = '{ "mcpServers": { "theirs": { "command": "/bin/cat" } } }\n';
/** Sends the signal before the program's first line, and gives the debugger two seconds to listen. */
const EARLY = `process.kill(process.pid, 'SIGUSR1');
const { url } = require('node:inspector');
for (const end = Date.now() + 2000; !url() && Date.now() < end; );`;

let person: ClientHome;
beforeEach(() => {
  person = makeClientHome({ ...CONFIGS, [CURSOR]: THEIRS });
  person.write('early.cjs', EARLY);
});
afterEach(() => person.remove());

async function connect(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [cliEntry, 'connect', 'cursor', ...args], { env: person.env });
  expect(await finished(child)).toMatchObject({ stderr: '', status: 0 });
}

interface Started {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

test.runIf(process.platform === 'linux')('neither in the server nor in the proxy', async () => {
  await connect();
  await connect('--proxy', 'theirs');
  const { spillway, theirs } = JSON.parse(person.read(CURSOR)).mcpServers as Record<string, Started>;
  for (const { command, args, env } of [spillway!, theirs!]) {
    const child = spawn(command, ['--require', join(person.folder, 'early.cjs'), ...args], {
      env: { ...person.env, ...env },
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    expect(await until(() => /inspector on \S+ failed|Debugger listening/.exec(said)?.[0])).toContain(
      'failed',
    );
    child.stdin.end();
    expect((await finished(child)).status).toBe(0);
  }
  await connect('--proxy', 'theirs', '--remove');
  expect(JSON.parse(person.read(CURSOR)).mcpServers.theirs).toEqual({ command: '/bin/cat' });
  await connect('--remove');
  expect(person.read(CURSOR)).toBe(THEIRS);
});
