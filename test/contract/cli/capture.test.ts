/** spillway capture, and captures in lists and cleanups. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Artifact } from '../../../shared/artifact.ts';
import { finished, makePlace, runCli, startCli } from '../../fixtures/cli.ts';
import { cli, json, lines, place, setUpPlace } from '../../fixtures/set-up/recorded-cli.ts';

setUpPlace();

describe('capture', () => {
  test('gives back exactly what was small enough, and records it', async () => {
    const text = 'héllo\r\nno newline at the end';
    expect(await cli(['capture', '--source', 'greeting'], text)).toMatchObject({ status: 0, stdout: text });
    const head = JSON.parse((await cli(['capture', '--json'], text)).stdout);
    expect(head).toMatchObject({
      status: 'inline',
      truncated: false,
      file_path: null,
      content: text,
      total_lines: 2,
    });
  });

  test('previews what is long, and passes everything through with --tee', async () => {
    const text = lines(20_000);
    const head = JSON.parse((await cli(['capture', '--json'], text)).stdout);
    expect(head).toMatchObject({
      status: 'captured',
      truncated: true,
      total_lines: 20_000,
      total_bytes: text.length,
    });
    expect(readFileSync(head.file_path, 'utf8')).toBe(text);
    expect(head.content).toBe(head.parts.map((part: { content: string }) => part.content).join('\n'));
    const preview = await cli(['capture'], text);
    expect(preview.stdout.length).toBeLessThan(10_000);
    expect((await cli(['capture', '--tee'], text)).stdout).toBe(text);
  });

  test.each([
    [5000, 'inline'],
    [5001, 'captured'],
  ])('of %d characters is %s', async (count, status) => {
    expect(JSON.parse((await cli(['capture', '--json'], 'é'.repeat(count))).stdout).status).toBe(status);
  });

  test.each([
    [100, 'inline'],
    [101, 'captured'],
  ])('of %d lines is %s', async (count, status) => {
    expect(JSON.parse((await cli(['capture', '--json'], 'x\n'.repeat(count))).stdout).status).toBe(status);
  });

  test('says of more than is kept that what was kept is there', async () => {
    const capped = makePlace({ maxStreamBytes: 20_000 });
    try {
      const { stderr } = await runCli(['capture'], capped, { input: lines(10_000) });
      expect(stderr).toMatch(/^spillway: what was kept is (capture-\S+): spillway inspect \1\n$/m);
      expect(stderr).not.toContain('all of it');
    } finally {
      capped.remove();
    }
    const { stderr } = await cli(['capture'], lines(10_000));
    expect(stderr).toMatch(/^spillway: all of it is (capture-\S+): spillway inspect \1\n$/m);
  });

  test('finds out what it is given', async () => {
    const type = async (input: string, ...options: string[]) =>
      JSON.parse((await cli(['capture', '--json', ...options], input)).stdout).content_type;
    expect(await type('{"a": [1, 2]}')).toBe('json');
    expect(await type('a\0b')).toBe('binary');
    expect(await type('{"a": 1}', '--type', 'text')).toBe('text');
  });
});

describe('what was captured', () => {
  test('is listed newest first, as artifacts, by session, kind and status', async () => {
    await cli(['run', '--session', 'listed', '--', 'true']);
    await cli(['run', '--session', 'listed', '--', 'false']);
    await cli(['capture', '--session', 'listed'], 'piped');
    const { outputs } = await json('list', '--session', 'listed');
    for (const output of outputs) Artifact.parse(output);
    expect(outputs.map((output: Artifact) => [output.kind, output.status])).toEqual([
      ['capture', 'finished'],
      ['cmd', 'failed'],
      ['cmd', 'succeeded'],
    ]);
    const some = async (...options: string[]) =>
      (await json('list', '--session', 'listed', ...options)).outputs;
    expect(await some('--kind', 'capture')).toHaveLength(1);
    expect(await some('--status', 'failed')).toHaveLength(1);
  });

  test('is pinned, unpinned and cleaned up, and only what Spillway wrote goes', async () => {
    const own = makePlace();
    const at = async (...args: string[]) => JSON.parse((await runCli([...args, '--json'], own)).stdout);
    await runCli(['run', '--', 'sh', '-c', 'seq 5000'], own);
    await runCli(['run', '--', 'sh', '-c', 'seq 6000'], own);
    const [newer, older] = (await at('list')).outputs;
    const foreign = join(newer.streams[0].file_path, '..', 'notes.txt');
    writeFileSync(foreign, 'mine');
    mkdirSync(join(own.files, 'kept'));
    writeFileSync(join(own.files, 'kept', 'file.log'), 'mine');
    expect((await runCli(['pin', older.artifact_id], own)).status).toBe(0);
    expect(await at('stats')).toMatchObject({ retention_hours: 24 });
    const dry = JSON.stringify(await at('cleanup', '--older-than', '0', '--dry-run'));
    expect(dry).toContain(newer.artifact_id);
    expect(existsSync(newer.streams[0].file_path)).toBe(true);
    await at('cleanup', '--older-than', '0');
    expect(existsSync(newer.streams[0].file_path)).toBe(false);
    expect(existsSync(older.streams[0].file_path)).toBe(true);
    expect(readFileSync(foreign, 'utf8')).toBe('mine');
    expect(existsSync(join(own.files, 'kept', 'file.log'))).toBe(true);
    await runCli(['unpin', older.artifact_id], own);
    await at('cleanup', '--older-than', '0', '--keep', older.artifact_id);
    expect(existsSync(older.streams[0].file_path)).toBe(true);
    await at('cleanup', '--older-than', '0');
    expect(existsSync(older.streams[0].file_path)).toBe(false);
    own.remove();
  });

  test('says interrupted when its recorder was killed, and holds what had been written', async () => {
    const child = startCli(['run', '--', 'sh', '-c', 'seq 20000; sleep 30'], place);
    let seen = '';
    child.stdout.on('data', (chunk) => {
      seen += chunk;
    });
    await expect.poll(() => seen.endsWith('20000\n')).toBe(true);
    child.kill('SIGKILL');
    await finished(child);
    const [newest] = (await json('list', '--limit', '1')).outputs;
    expect(newest).toMatchObject({ status: 'interrupted', exit_code: null });
    expect((await cli(['inspect', newest.artifact_id, '--mode', 'tail', '--lines', '1'])).stdout).toBe(
      '20000\n',
    );
  });
});
