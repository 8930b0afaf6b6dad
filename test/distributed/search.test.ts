/** A search of the archive by a real ClickHouse, over a real Ceph: it finds what a search without it finds. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { S3, textBody } from '../../electron/archive/s3.ts';
import { searchArchived } from '../../electron/host/archive/search.ts';
import { Settings } from '../../shared/settings.ts';
import { idAt, objectsOf } from '../fixtures/archived.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { Ceph, credentials, env } from './ceph.ts';

const CHDB = 'chdb@3.4.0';
const folder = fileURLToPath(new URL('../../node_modules/.cache/chdb', import.meta.url));
const PORT = 17_790;

/** Installs ClickHouse's library, once: 130 MB from the registry. Returns why it is not there. */
async function missing(): Promise<string | null> {
  if (existsSync(join(folder, 'node_modules', 'chdb'))) return null;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  return promisify(execFile)('npm', ['install', '--prefix', folder, CHDB], { timeout: 280_000 }).then(
    () => null,
    (error: Error) => `${CHDB} cannot be installed: ${error.message.split('\n')[0]}`,
  );
}
const problem = await missing();
if (problem !== null) console.error(`SKIPPED, NOTHING WAS TESTED ON CLICKHOUSE: ${problem}`);

describe.skipIf(problem !== null)('with ClickHouse', () => {
  let ceph: Ceph;
  let home: string;
  let store: S3;
  let server: ReturnType<typeof spawn>;
  let archive: Awaited<ReturnType<Ceph['bucket']>>;
  beforeAll(async () => {
    ceph = await Ceph.start(17_780);
    home = makeFolder();
    archive = await ceph.bucket();
    store = new S3(Settings.parse({ archive }).archive!, credentials);
    Object.assign(process.env, env);
    const shim = fileURLToPath(new URL('clickhouse.mjs', import.meta.url));
    server = spawn(process.execPath, [shim, folder, String(PORT)], {
      env: { ...process.env, AWS_EC2_METADATA_DISABLED: 'true' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => server.stdout!.once('data', resolve));
  });
  afterAll(async () => {
    server?.kill('SIGKILL');
    store?.close();
    await ceph?.stop();
    removeFolder(home);
  });

  const now = Date.now();
  const put = async (n: number, text: string | Buffer, host = `h${n % 5}`) => {
    for (const [key, content] of await objectsOf(home, idAt(now - n * 60_000, n), text, { host }))
      await store.put(key, { ...textBody(''), content, bytes: content.length, md5: md5(content) });
  };
  const search = (clickhouse: boolean, pattern: string, more: object = {}) => {
    const archiveSearch = clickhouse ? { clickhouse: `http://127.0.0.1:${PORT}` } : null;
    writeFileSync(join(home, 'config.json'), JSON.stringify({ archive, archiveSearch }));
    return searchArchived(home, { pattern, ...more } as never, { failed: false });
  };

  /** Texts that are split by controls, hidden or encoded. */
  const HARD = [
    'plain error 17: no space left\nnext line',
    'an ERROR in capitals\r\nand CRLF error\r\n',
    '\u001b[31mer\u001b[1;32mror\u001b[0m split by colours',
    'er\u001b]8;;http://x\u0007ror\u001b]8;;\u0007 split by a link',
    'progress 10%\rprogress error 17\rdone',
    'eX\brror by backspace',
    'errXr\u001b[2Dor moved back',
    'no\u001b[3Cspace by the cursor',
    'er\u0085ror with a C1 control',
    'er\0ror with a NUL',
    Buffer.from('error 17 in UTF-16\n', 'utf16le'),
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('error 17 with a mark\n', 'utf16le')]),
    Buffer.from('error in Latin-1: \xe9t\xe9\n', 'latin1'),
    gzipSync('error 17 within gzip\n'.repeat(50)),
    'fehler: größe überschritten\n',
    `${'x'.repeat(300_000)} error 17 far to the right\n`,
    "it's a 'quoted' C:\\path error\n",
    'nothing\n',
    '',
    'errorless without a line end',
  ];

  it('names all that a search without it finds, however the text is split, hidden or encoded', async () => {
    const words = [
      'err',
      'or',
      'error',
      ' 17',
      'space',
      'ERR',
      'é',
      '\r',
      '\b',
      '\0',
      '\u001b[31m',
      '\u001b[1D',
      '\n',
      '\r\n',
    ];
    let state = 7;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const texts = [
      ...HARD,
      ...Array.from({ length: 80 }, () =>
        Array.from({ length: random(30) }, () => words[random(words.length)]).join(''),
      ),
    ];
    for (const [n, text] of texts.entries()) await put(n, text);
    const queries: [string, object?][] = [
      ['error'],
      ['error', { case_sensitive: true }],
      ['ERR', { case_sensitive: true }],
      ['^error 17$'],
      [String.raw`error \d+`],
      ['space|größe'],
      ['error (17|18)'],
      ['(?i)no space'],
      ["'quoted' C:\\path", { fixed: true }],
      ['überschritten'],
      [String.raw`\d\d`],
      ['errerr'],
      ['not there at all'],
      ['or(?=err)'],
    ];
    for (const [pattern, more] of queries) {
      const without = await search(false, pattern, more);
      const found = await search(true, pattern, more);
      expect({ pattern, ...summary(found) }).toEqual({ pattern, ...summary(without) });
      expect(found.archive.problem).toBeNull();
    }
    // It names few where few have it: that, and the one that is gzip itself.
    expect((await search(true, 'far to the right')).archive.candidates).toBe(2);
  });

  it('says that ClickHouse refuses, and reads the captures themselves', async () => {
    const archiveSearch = { clickhouse: `http://127.0.0.1:${PORT}`, user: 'nobody' };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ archive, archiveSearch }));
    const found = await searchArchived(home, { pattern: 'far to the right' }, { failed: false });
    expect(found.match_count).toBe(1);
    expect(found.archive.problem).toMatch(
      /ClickHouse at 127.0.0.1:\d+ cannot find candidates: .*Authentication/,
    );
  });
});

const summary = ({ outputs, match_count, shapes }: Awaited<ReturnType<typeof searchArchived>>) => ({
  match_count,
  outputs: outputs.map(({ artifact_id, lines }) => ({ artifact_id, lines })),
  shapes,
});

const md5 = (content: Buffer) => createHash('md5').update(content).digest('base64');
