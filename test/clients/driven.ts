/** Drives a real client through commands, in a person's folder of its own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ClientState } from '../../shared/agents.ts';
import { cliEntry } from '../fixtures/cli.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { type RealClient, runClient, writeConfigs } from './clients.ts';
import { type Call, startFakeModel } from './fake-model.ts';

export interface Person {
  folder: string;
  project: string;
  home: string;
  /** More of the environment that the client is started in. */
  env: NodeJS.ProcessEnv;
}

export async function withPerson<T>(use: (person: Person) => Promise<T>): Promise<T> {
  const root = makeFolder();
  const person = {
    folder: join(root, 'person'),
    project: join(root, 'project'),
    home: join(root, 'spillway'),
    env: {},
  };
  for (const path of [person.folder, person.project]) mkdirSync(path);
  try {
    return await use(person);
  } finally {
    removeFolder(root);
  }
}

export function connect(client: RealClient, person: Person, ...options: string[]): void {
  const { folder, home } = person;
  const env = { PATH: '/usr/bin:/bin', HOME: folder, SHELL: '/bin/bash', SPILLWAY_HOME: home };
  const done = spawnSync(process.execPath, [cliEntry, 'connect', client.id, ...options], {
    env,
    encoding: 'utf8',
  });
  expect(done.stderr).toBe('');
  if (options.includes('--record')) person.env = client.startedWith?.(home) ?? {};
}

/** What the table of `npm test -- clients` has a column for. */
type Column = 'connect' | 'list' | 'record' | 'bytes' | 'status' | 'order' | 'sources' | 'remove' | 'screen';

/** Returns what notes a column as held, in words if there are some. One that is not noted is shown as not held. */
export function columns(task: { meta: object }, agent: string, ...names: readonly Column[]) {
  const held: Record<string, string | null> = Object.fromEntries(names.map((name) => [name, null]));
  Object.assign(task.meta, { agent, held });
  return (name: Column, words = 'yes') => {
    held[name] = words;
  };
}

export function spillway({ folder, home }: Person, ...args: readonly string[]): string {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, SPILLWAY_HOME: home };
  return spawnSync(process.execPath, [cliEntry, ...args], { env, encoding: 'utf8' }).stdout;
}

/** What Spillway tells of the client. */
export function stateOf({ id }: RealClient, person: Person): ClientState {
  const { clients } = JSON.parse(spillway(person, 'connect', '--json')) as { clients: ClientState[] };
  return clients.find(({ client }) => client === id)!;
}

interface Options {
  /** Connects the client, say, before it starts. */
  prepare?: (person: Person) => void;
  /** Looks at what the client left; `tools` it offered its model, which got `got`. */
  after?: (person: Person, tools: ReadonlySet<string>, got: readonly string[]) => void;
  rules?: Pick<RealClient, 'configs' | 'args'> | undefined;
}

/** Returns what the model got for each command, without what differs from run to run. */
export async function results(
  client: RealClient,
  program: string,
  commands: readonly (string | Call)[],
  { prepare = () => {}, after = () => {}, rules = client }: Options = {},
): Promise<string[]> {
  return withPerson(async (person) => {
    const model = await startFakeModel(commands, client.call);
    writeConfigs(person.folder, rules.configs(model));
    prepare(person);
    const said = await runClient(program, { ...client, args: rules.args }, model, person);
    await model.close();
    if (model.results.length < commands.length) throw new Error(`${client.command} stopped early: ${said}`);
    after(person, model.tools, model.results);
    return model.results.map((result) => alike(client, result, person));
  });
}

/** Expects the same results, but for those whose output the client itself lost. */
export function expectSame({ loses }: RealClient, got: readonly string[], bare: readonly string[]): void {
  const isLost = (_: string, at: number) => loses?.test(got[at] ?? '') || loses?.test(bare[at]!);
  const kept = (all: readonly string[]) => all.map((text, at) => (isLost(text, at) ? 'lost' : text));
  expect(kept(got)).toEqual(kept(bare));
  expect(new Set(kept(got)).size).toBeGreaterThan(1);
}

/** Without what differs from run to run: folders, numbers of processes, times. */
function alike(client: RealClient, result: string, { project, folder }: Person): string {
  const text = result
    .replaceAll(project, 'PROJECT')
    .replaceAll(folder, 'PERSON')
    .replace(/\/tmp\/spw-\w+/g, 'ROOT')
    .replace(/tool_\w+/g, 'FILE')
    .replace(/\/tmp\/claude-\d+\/\S+\.output/g, 'OUTPUT')
    .replace(/\bP?ID:? \w+/g, 'ID')
    .replace(
      /Chunk ID: \w+|Wall time: [\d.]+ seconds|(?:PGID|PIDs): [\d, ]+|\b\d{3,7}(?= Killed| Terminated)/g,
      '-',
    )
    .replace(/line \d+: +\d+ (Killed|Terminated)/g, '$1');
  // On two pipes, what a command writes to both in turn comes in any order.
  return client.hasOneOutput || !/^e5$|two {2}words/m.test(text) ? text : text.split('\n').sort().join('\n');
}
