/** UTF-16 without a byte order mark is shown as text, and counted alike when it is recorded and when it is read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { runCliHere } from '../../fixtures/cli-here.ts';

let place: Place;
const GERMAN = 'größe\nfehler: ja\n';
const RUSSIAN = 'ошибка: файл\n';

beforeAll(() => {
  place = makePlace();
  writeFileSync(join(place.files, 'le.log'), GERMAN, 'utf16le');
  writeFileSync(join(place.files, 'be.log'), Buffer.from(GERMAN, 'utf16le').swap16());
  writeFileSync(join(place.files, 'russian.log'), RUSSIAN, 'utf16le');
});
afterAll(() => place.remove());

const run = (...args: string[]) => runCliHere(args, place);
const out = async (...args: string[]) => (await run(...args)).stdout;

test.each(['le', 'be'])('in either byte order: %s', async (order) => {
  const name = `${order}.log`;
  expect(await out('inspect', name)).toBe(GERMAN);
  expect(await out('inspect', name, '--pattern', 'FEHLER', '--context', '0')).toBe('2:fehler: ja\n');
  expect(await out('inspect', name, '--as-text')).toBe(GERMAN);
  expect(JSON.parse(await out('inspect', name, '--mode', 'summary', '--json'))).toMatchObject({
    ...{ content_type: 'text', encoding: `utf-16${order}`, total_lines: 2, blank_lines: 0 },
  });
});

test('where it is not recognised, its encoding is named, and helps', async () => {
  const { stdout, stderr } = await run('inspect', 'russian.log');
  expect({ stdout, stderr }).toEqual({
    stdout: '',
    stderr: expect.stringMatching(/, or --encoding utf-16le if it is UTF-16\n$/),
  });
  expect(await out('inspect', 'russian.log', '--encoding', 'utf-16le')).toBe(RUSSIAN);
});

test('a capture has as many lines in its record as in its view', async () => {
  const { stdout } = await runCli(['run', '--quiet', '--json', '--', 'cat', 'le.log'], place);
  const { artifact_id: id, stdout: head } = JSON.parse(stdout);
  expect(head).toMatchObject({ total_lines: 2, content_type: 'text' });
  expect(JSON.parse(await out('inspect', id, '--json'))).toMatchObject({
    total_lines: 2,
    content_type: 'text',
  });
});

test('an encoding that is asked for shows a capture that was recorded as binary data', async () => {
  const { stdout } = await runCli(['run', '--quiet', '--json', '--', 'cat', 'russian.log'], place);
  const { artifact_id: id, stdout: head } = JSON.parse(stdout);
  expect(head.content_type).toBe('binary');
  expect(await out('inspect', id, '--encoding', 'utf-16le')).toBe(RUSSIAN);
});
