/** Compressed files and archives are read like plain ones; the members of an archive are sections. */
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { GrepView, LinesView, OutlineView } from '../../../shared/views.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { type Members, tarOf } from '../../fixtures/reader/odd-files.ts';

let folder: string;
let host: Host;
let files = 0;

beforeAll(async () => {
  folder = makeFolder();
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
});
afterAll(async () => {
  await host.close();
  removeFolder(folder);
});

function file(bytes: Buffer, extension = ''): string {
  const path = join(folder, `file-${files++}${extension}`);
  writeFileSync(path, bytes);
  return path;
}

function zipOf(members: Members): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [name, given] of members) {
    const text = Buffer.from(given);
    const data = deflateRawSync(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(text), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(text.length, 18);
    fields.writeUInt16LE(name.length, 22);
    locals.push(Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    central.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), fields, place, Buffer.from(name));
    at += 30 + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(Buffer.concat(central).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...central, end]);
}

const inspect = (path: string, more: object = {}) => host.inspect({ file_path: path, ...more });
const all = async (path: string) => (await inspect(path, { mode: 'range', start_line: 1 })).content;

/** `one line of text`, as each tool compresses it. */
const PACKED = {
  zstd: '28b52ffd04588900006f6e65206c696e65206f6620746578740a36a473f6',
  bzip2:
    '425a683931415926535984b1a904000006d1800010400003258440200031003020d03d412d5ad21a8472ef17724538509084b1a904',
  xz: 'fd377a585a000004e6d6b4460200210116000000742fe5a30100106f6e65206c696e65206f6620746578740a00000000ae0d04b6dd7d087b00012911320a700e1fb6f37d010000000004595a',
};

test.each(Object.entries(PACKED))('a %s file is read, and said to be damaged if it is', async (_, hex) => {
  const bytes = Buffer.from(hex, 'hex');
  expect(await all(file(bytes))).toBe('one line of text');
  const twice = (await inspect(file(Buffer.concat([bytes, bytes])), { mode: 'tail' })) as LinesView;
  expect(twice.total_lines).toBe(2);
  const cut = await inspect(file(bytes.subarray(0, -14)), { mode: 'tail' });
  expect(cut.note).toMatch(/damaged or still being written/);
});

test('three letters do not make a text a bzip2 file', async () => {
  expect(await all(file(Buffer.from('BZhang writes\n')))).toBe('BZhang writes');
});

const MEMBERS: Members = [
  ['logs/app.log', 'INFO one\nERROR two\n'],
  ['logs/photo.png', Buffer.from([0x89, 0x50, 0, 0, 1])],
  ['logs/open.log', 'no line end'],
  ['logs/empty.log', ''],
  ['../leads out.log', 'read below the archive'],
  ['/etc/./shadow', ''],
];
const TEXT = [
  '==> logs/app.log <==',
  'INFO one',
  'ERROR two',
  '==> logs/photo.png <==',
  '5 bytes, not text',
  '==> logs/open.log <==',
  'no line end',
  '==> logs/empty.log <==',
  '==> leads out.log <==',
  'read below the archive',
  '==> etc/shadow <==',
].join('\n');

test.each([
  ['tar', tarOf(MEMBERS)],
  ['tar.gz', gzipSync(tarOf(MEMBERS))],
  ['zip', zipOf(MEMBERS)],
])('the members of a %s archive are one text, a section each', async (_, bytes) => {
  const path = file(bytes);
  expect(await all(path)).toBe(TEXT);
  const { sections } = (await inspect(path, { mode: 'outline' })) as OutlineView;
  expect(sections.map(({ title, start_line, member }) => [title, start_line, member])).toEqual([
    ['logs/app.log', 1, true],
    ['logs/photo.png', 4, undefined],
    ['logs/open.log', 6, true],
    ['logs/empty.log', 8, true],
    ['leads out.log', 9, true],
    ['etc/shadow', 11, true],
  ]);
  const found = (await inspect(path, { mode: 'grep', pattern: 'ERROR' })) as GrepView;
  expect(found.matches.map(({ line_number }) => line_number)).toEqual([3]);
  expect((await inspect(path, { section: 'open.log' })).content).toBe('==> logs/open.log <==\nno line end');
});

test('of the logs of a CI run, each job is read once, with its steps', async () => {
  const step = (title: string, more: string) =>
    `2026-03-01T10:00:00.0000000Z ##[group]Run ${title}\n2026-03-01T10:00:01.0000000Z ##[endgroup]\n${more}`;
  const failed = '2026-03-01T10:00:09.0000000Z ##[error]Process completed with exit code 1.\n';
  const [build, unit] = [step('make', 'built\n'), step('make test', `FAIL one\n${failed}`)];
  const path = file(
    zipOf([
      ['10_unit.txt', unit],
      ['2_build.txt', build],
      ['build/1_Run make.txt', build],
      ['unit/1_Run make test.txt', unit],
    ]),
    '.zip',
  );
  const { sections } = (await inspect(path, { mode: 'outline' })) as OutlineView;
  expect(sections.map(({ title, status }) => [title, status])).toEqual([
    ['build', null],
    ['Run make', null],
    ['Run make', null],
    ['unit', 'failed'],
    ['Run make test', 'failed'],
    ['Run make test', null],
  ]);
  const job = (await inspect(join(path, 'unit'), { mode: 'outline' })) as OutlineView;
  expect(job.sections.map(({ title, duration_ms }) => [title, duration_ms])).toEqual([
    ['unit', 9000],
    ['Run make test', 9000],
    ['Run make test', 1000],
  ]);
  expect(await all(join(path, 'build', '1_Run make.txt'))).toBe(build.trimEnd());
  expect(await all(join(path, '2_build.txt'))).toBe(build.trimEnd());
});

test('each member of an archive is an artifact, listed once the archive was read', async () => {
  const members: Members = [...MEMBERS, ['logs/old.log.gz', gzipSync('INFO old\n')]];
  for (const [name, bytes] of [
    ['some.zip', zipOf(members)],
    ['some.tar.gz', gzipSync(tarOf(members))],
  ] as const) {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    expect(await all(join(path, 'logs', 'app.log'))).toBe('INFO one\nERROR two');
    expect(await all(join(path, 'logs', 'old.log.gz'))).toBe('INFO old');
    await expect(all(join(path, 'logs', 'ap.log'))).rejects.toThrow(
      /no member "logs\/ap.log": .*logs\/app.log/,
    );
    await expect(all(join(path, 'else'))).rejects.toThrow(/it has logs\/app.log, logs\/photo.png/);
    const [archive] = await host.openPath({ path });
    expect((await host.list({})).outputs).toHaveLength(1);
    await inspect(path, { mode: 'summary' });
    const { outputs } = await host.list({});
    expect(outputs.map(({ label }) => label).sort()).toEqual(
      [
        ...['app.log', 'empty.log', 'leads out.log', 'old.log.gz', 'open.log', 'shadow'],
        archive!.label,
      ].sort(),
    );
    expect(await all(join(path, 'leads out.log'))).toBe('read below the archive');
    const { artifact_id } = outputs.find(({ label }) => label === 'app.log')!;
    expect((await host.inspect({ artifact_id })).content).toBe('INFO one\nERROR two');
    await host.removeSource({ path });
    expect((await host.list({})).outputs).toEqual([]);
  }
  await expect(all(join(file(Buffer.from('no archive')), 'x'))).rejects.toThrow(/no file/);
});

test("a member's name is shown without control characters", async () => {
  const path = file(tarOf([['a\x1b[31m\n.log', 'x\n']]), '.tar');
  expect(await all(path)).toBe('==> a?[31m?.log <==\nx');
  await expect(all(join(path, 'else'))).rejects.toThrow(/it has a\?\[31m\?\.log/);
  expect(await all(join(path, 'a?[31m?.log'))).toBe('x');
});

test('a damaged archive says so', async () => {
  const zip = zipOf(MEMBERS);
  expect((await inspect(file(zip.subarray(0, -10)), { mode: 'tail' })).note).toMatch(/zip file is damaged/);
  const tar = tarOf([['a.log', 'line\n'.repeat(400)]]);
  const cut = (await inspect(file(tar.subarray(0, 1500)), { mode: 'head', lines: 2 })) as LinesView;
  expect(cut.content).toBe('==> a.log <==\nline');
  expect(cut.note).toMatch(/tar file is damaged/);
});
