import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DroppedFiles } from '../../../electron/host/recording/stream.ts';
import type { ReceivedParams } from '../../../shared/api/api.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach(removeFolder));

function newFolder(): string {
  const folder = makeFolder();
  folders.push(folder);
  return folder;
}

function fileOf(home: string, id: string, end: RegExp): Buffer {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return readFileSync(join(home, names.find((name) => name.includes(id) && end.test(name))!));
}

const recordOf = (home: string, id: string) => JSON.parse(fileOf(home, id, /\.meta\.json$/).toString());
const textOf = (home: string, id: string) => fileOf(home, id, /\.(?:log|txt)$/);

const bytes = (data: string | Buffer) => Buffer.from(data).toString('base64');

describe('a file dropped into a browser', () => {
  it('is kept byte for byte, under its name, however it is cut', async () => {
    const home = newFolder();
    const files = new DroppedFiles(home);
    const text = Buffer.from([...Buffer.from('née\r\n'), 0xff, 0x0a, ...Buffer.from('日')]);
    let id: string | null = null;
    for (let at = 0; at < text.length; at += 1) {
      const data = bytes(text.subarray(at, at + 1));
      const piece: ReceivedParams<'keepDropped'> = {
        artifact_id: id,
        name: 'logs/née.log',
        data,
        end: at === text.length - 1,
      };
      id = (await files.keepDropped(piece)).artifact_id;
    }
    expect(textOf(home, id!)).toEqual(text);
    expect(recordOf(home, id!)).toMatchObject({ label: 'logs/née.log', status: 'finished' });
    await expect(
      files.keepDropped({ artifact_id: id, name: 'x', data: '', end: true }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is marked as cut short when its window goes away', async () => {
    const home = newFolder();
    const files = new DroppedFiles(home, 50);
    const { artifact_id: id } = await files.keepDropped({
      ...{ artifact_id: null, name: 'a.log', data: bytes('one\n'), end: false },
    });
    await expect.poll(() => recordOf(home, id).status).toBe('interrupted');
    expect(recordOf(home, id).warnings.join()).toContain('the rest of the file was not copied');
    expect(textOf(home, id).toString()).toBe('one\n');
  });

  it('is refused where nothing can be recorded, and beside too many others', async () => {
    const full = new DroppedFiles('/proc/spillway');
    const piece = { artifact_id: null, name: 'a.log', data: '', end: false };
    await expect(full.keepDropped(piece)).rejects.toMatchObject({ code: 'home' });
    const files = new DroppedFiles(newFolder());
    for (let i = 0; i < 16; i += 1) await files.keepDropped(piece);
    await expect(files.keepDropped(piece)).rejects.toMatchObject({ code: 'busy' });
    await files.close();
  });
});
