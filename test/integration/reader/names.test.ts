/** Paths that lead nowhere say why, and what to do. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { cliEntry, makePlace } from '../../fixtures/cli.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let folder: string;
let host: Host;

beforeEach(async () => {
  folder = makeFolder();
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
});
afterEach(async () => {
  await host.close();
  removeFolder(folder);
});

const errorFor = (name: string) =>
  host.inspect({ file_path: join(folder, name) }).then(
    () => 'no error',
    (error: Error) => error.message,
  );

it('a link that leads back to itself', async () => {
  symlinkSync(join(folder, 'b.log'), join(folder, 'a.log'));
  symlinkSync(join(folder, 'a.log'), join(folder, 'b.log'));
  expect(await errorFor('a.log')).toMatch(/a\.log" is a link that leads back to itself: name a file$/);
});

it('a link whose target is missing', async () => {
  symlinkSync('gone.log', join(folder, 'a.log'));
  expect(await errorFor('a.log')).toMatch(
    /is a link to "gone\.log", which does not exist: restore its target/,
  );
});

describe.runIf(process.platform === 'linux')('names that are not valid UTF-8', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1');

  it('are listed and opened, their folders too, and followed', async () => {
    const source = join(folder, 'source');
    mkdirSync(bytes(`${source}/d\xff`), { recursive: true });
    writeFileSync(bytes(`${source}/d\xff/caf\xe9.log`), 'one\n');
    writeFileSync(`${source}/real\\xe9.log`, 'its name has a backslash\n');
    await host.openPath({ path: source });
    const paths = async () =>
      (await host.list({})).outputs.map(({ streams: [stream] }) => stream!.file_path!.slice(source.length));
    expect((await paths()).sort()).toEqual(['/d\\xff/caf\\xe9.log', '/real\\x5cxe9.log']);
    for (const { artifact_id, streams } of (await host.list({})).outputs) {
      const byId = await host.inspect({ artifact_id });
      expect(await host.inspect({ file_path: streams[0]!.file_path! })).toEqual(byId);
      expect(byId.content).toBe(byId.file_path!.includes('caf') ? 'one' : 'its name has a backslash');
    }
    expect((await host.inspect({ file_path: `${source}/real\\xe9.log` })).content).toMatch(/backslash/);
    appendFileSync(bytes(`${source}/d\xff/caf\xe9.log`), 'two\n');
    expect((await host.inspect({ file_path: `${source}/d\\xff/caf\\xe9.log` })).content).toBe('one\ntwo');
  });

  it('are named with an error that offers the nearest', async () => {
    writeFileSync(bytes(`${folder}/caf\xe9.log`), '');
    expect(await errorFor('caf\\xe8.log')).toContain('caf\\xe9.log');
  });
});

describe.runIf(process.platform === 'linux')('on the command line', () => {
  const place = makePlace();
  afterAll(() => place.remove());

  it('a name is taken in its bytes, also in a folder with such a name', () => {
    const inner = Buffer.from(`${place.files}/d\xff`, 'latin1');
    mkdirSync(inner);
    writeFileSync(Buffer.from(`${place.files}/d\xff/caf\xe9.log`, 'latin1'), 'found\n');
    const script = `cd "$1"/d*; exec "$2" "$3" inspect caf*`;
    const env = { ...process.env, SPILLWAY_HOME: place.home };
    const words = ['-c', script, 'sh', place.files, process.execPath, cliEntry];
    expect(execFileSync('sh', words, { env, encoding: 'utf8' })).toBe('found\n');
  });
});
