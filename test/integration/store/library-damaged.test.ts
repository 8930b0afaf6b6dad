/** Records that cannot be read, and records that mean harm, as the list and every view see them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tailSegmentName } from '../../../electron/store/contents/join-tail.ts';
import { recordFile } from '../../../electron/store/format/names.ts';
import { capturesFolder } from '../../../electron/store/format/places.ts';
import { type MadeCapture, writeCommand, writeRecord } from '../../fixtures/library/captures.ts';
import {
  deadOwner,
  err,
  home,
  homes,
  hostOf,
  line,
  listed,
  out,
  recordOf,
  root,
  running,
  setUpHomes,
} from '../../fixtures/set-up/captures-home.ts';

setUpHomes();

describe('a record that cannot be read', () => {
  test.each([
    ['cut short', (text: string) => text.slice(0, 100), 'interrupted', 'cut short or damaged'],
    [
      'of a newer version',
      (text: string) => text.replace('"version":1', '"version":2'),
      'finished',
      'newer version',
    ],
    [
      'not valid',
      (text: string) => text.replace('"streams":[', '"streams":7,"was":['),
      'interrupted',
      'not valid',
    ],
    [
      'of another artifact',
      (text: string) => text.replace('cmd-made-', 'cmd-other-'),
      'interrupted',
      'another artifact',
    ],
    ['empty', () => '', 'interrupted', 'cut short or damaged'],
  ])(
    'for it is %s is shown with what its files hold, and left as it is',
    async (_, change, status, warning) => {
      const made = writeCommand(home, [out('one'), err('two')]);
      const path = join(made.folder, recordFile(made.id));
      const text = change(readFileSync(path, 'utf8'));
      writeFileSync(path, text);
      const host = await hostOf();
      const [artifact] = await listed(host);
      expect(artifact).toMatchObject({
        artifact_id: made.id,
        kind: 'cmd',
        label: 'made',
        session: 'default',
        started_at: '2026-01-13T10:30:00.000Z',
        status,
        streams: [{ name: 'stdout', total_bytes: 4 }, { name: 'stderr' }],
      });
      expect(artifact!.warnings.join()).toContain(warning);
      expect((await host.inspect({ artifact_id: made.id, stream: 'stderr' })).content).toBe('two');
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  test('is shown from packed files as well', async () => {
    const made = writeCommand(home, [out('one'), err('two')], { packed: { streams: [0, 1], member: 4 } });
    writeFileSync(join(made.folder, recordFile(made.id)), '{');
    const host = await hostOf();
    for (const _ of [1, 2]) expect((await host.inspect({ artifact_id: made.id })).content).toBe('one\ntwo');
  });

  test('names of files that are no artifact are passed over', async () => {
    const { folder } = writeCommand(home, [out('one')]);
    for (const name of ['.meta.json', 'x.meta.json', 'cmd-..-2026.meta.json', 'session.json', '…']) {
      writeFileSync(join(folder, name), '{}');
    }
    mkdirSync(join(folder, 'cmd-folder-2026-01-13T10-30-00-abc123.meta.json'));
    const artifacts = await listed(await hostOf());
    expect(artifacts.map(({ label }) => label).toSorted()).toEqual(['folder', 'made']);
  });
});

describe('a record that means harm', () => {
  const secret = 'not for you';
  const evil = (name: string): [MadeCapture, string] => {
    const made = writeCommand(home, [out('one'), err('two')]);
    const target = join(root, `secret-${name}`);
    writeFileSync(target, secret);
    return [made, target];
  };

  test.each([
    '../../secret',
    '..',
    '.',
    'session.json',
    '/etc/passwd',
    'cmd-other-2026-01-13T10-30-00-abc123.stdout.log',
  ])('cannot name %s as its stream', async (file) => {
    const [made] = evil('named');
    writeFileSync(join(made.folder, 'session.json'), secret);
    writeFileSync(join(made.folder, 'cmd-other-2026-01-13T10-30-00-abc123.stdout.log'), secret);
    writeRecord(made, {
      ...made.record,
      streams: made.record.streams.with(0, { ...made.record.streams[0]!, file }),
    });
    const host = await hostOf();
    const [artifact] = await listed(host);
    expect(artifact!.warnings.length).toBe(1);
    for (const stream of ['stdout', 'combined'] as const) {
      expect((await host.inspect({ artifact_id: made.id, stream })).content).not.toContain(secret);
    }
  });

  test('cannot have a link as its stream, its record, its times or its folder', async () => {
    const [made, target] = evil('linked');
    const path = join(made.folder, made.record.streams[0]!.file!);
    rmSync(path);
    symlinkSync(target, path);
    const host = await hostOf();
    await expect(host.inspect({ artifact_id: made.id, stream: 'stdout' })).rejects.toThrow();
    await expect(host.inspect({ file_path: path }, { access: 'agent' })).rejects.toThrow();
    rmSync(path);
    writeFileSync(path, line('one'));
    const record = join(made.folder, recordFile(made.id));
    const kept = readFileSync(record, 'utf8');
    writeFileSync(target, kept.replace('"command":"make"', '"command":"stolen"'));
    rmSync(record);
    symlinkSync(target, record);
    expect((await listed(await hostOf()))[0]!.command).toBeNull();
    rmSync(record);
    const elsewhere = join(root, `elsewhere${homes}`);
    mkdirSync(elsewhere, { mode: 0o700 });
    const other = writeCommand(elsewhere, [out('elsewhere')]);
    symlinkSync(other.folder, join(capturesFolder(home), 'linked-00000000'));
    expect(await listed(await hostOf())).toEqual([]);
  });

  test('is not written through a link when it is mended', async () => {
    const [made, target] = evil('mended');
    const file = made.record.streams[0]!.file!;
    writeRecord(made, running(deadOwner())(made.record));
    rmSync(join(made.folder, file));
    symlinkSync(target, join(made.folder, file));
    writeFileSync(join(made.folder, tailSegmentName(file, 100, 5)), 'tail\n');
    await listed(await hostOf());
    expect(readFileSync(target, 'utf8')).toBe(secret);
    expect(recordOf(made).status).toBe('interrupted');
  });

  test.runIf(process.platform !== 'win32')('cannot hang a reader with a pipe', async () => {
    const [made] = evil('pipe');
    const path = join(made.folder, made.record.streams[0]!.file!);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    const host = await hostOf();
    await expect(host.inspect({ artifact_id: made.id, stream: 'stdout' })).rejects.toThrow();
    rmSync(join(made.folder, recordFile(made.id)));
    execFileSync('mkfifo', [join(made.folder, recordFile(made.id))]);
    expect(await listed(await hostOf())).toMatchObject([{ status: 'interrupted' }]);
    expect(existsSync(path)).toBe(true);
  });
});
