/** Faults of a real ClickHouse server over HTTP: Debian's, of 2018, that has no `s3()`. A search reads the captures then. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchArchived } from '../../electron/host/archive/search.ts';
import { idAt, objectsOf } from '../fixtures/archived.ts';
import { type Bucket, startBucket } from '../fixtures/bucket.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { untilPasses } from '../fixtures/until.ts';
import { env } from './ceph.ts';

const PORT = 17_795;
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
const program = folders.map((folder) => join(folder, 'clickhouse-server')).find((path) => existsSync(path));
if (program === undefined)
  console.error('SKIPPED, NO SERVER OF CLICKHOUSE WAS TESTED: apt-get install clickhouse-server');

/** The least configuration with which the server starts. */
const configOf = (folder: string) => `<yandex>
<logger><level>none</level></logger><http_port>${PORT}</http_port><listen_host>127.0.0.1</listen_host>
<path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><users_config>${folder}/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>5368709120</mark_cache_size></yandex>`;
const USERS = `<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default>
<password>right</password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
</default></users></yandex>`;

describe.skipIf(program === undefined)('a search finds all the same', () => {
  let home: string;
  let bucket: Bucket;
  let server: ChildProcess;
  beforeAll(async () => {
    home = makeFolder();
    bucket = await startBucket();
    Object.assign(process.env, env);
    mkdirSync(join(home, 'data'));
    writeFileSync(join(home, 'config.xml'), configOf(home));
    writeFileSync(join(home, 'users.xml'), USERS);
    server = spawn(program!, [`--config-file=${join(home, 'config.xml')}`], { stdio: 'ignore' });
    await untilPasses(async () => expect((await fetch(`http://127.0.0.1:${PORT}/`)).ok).toBe(true));
    for (const n of [1, 2])
      for (const [key, content] of await objectsOf(home, idAt(Date.now() - n * 60_000, n), `error ${n}\n`))
        bucket.objects.set(key, content);
    const archive = { url: 's3://logs', endpoint: bucket.endpoint };
    const archiveSearch = { clickhouse: `http://127.0.0.1:${PORT}` };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ archive, archiveSearch }));
  });
  afterAll(async () => {
    server?.kill('SIGKILL');
    await bucket?.close();
    removeFolder(home);
  });

  it.each([
    ['the password is wrong', 'wrong', () => {}, /Code: 193.*Wrong password/],
    ['the server has no s3()', 'right', () => {}, /Code: 46.*Unknown table function s3/],
    ['the server is killed', 'right', () => server.kill('SIGKILL'), /ECONNREFUSED|ECONNRESET|closed/],
  ])('where %s', async (_, password, happen, why) => {
    process.env.CLICKHOUSE_PASSWORD = password;
    happen();
    const found = await searchArchived(home, { pattern: 'error' }, { failed: false });
    expect(found.match_count).toBe(2);
    expect(found.archive).toMatchObject({ candidates: null, problem: expect.stringMatching(why) });
  });
});
