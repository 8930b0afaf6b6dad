/** Any reader completes a record whose recorder died, from the capture's files. */
import { appendFileSync, chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tailSegmentName } from '../../../electron/store/contents/join-tail.ts';
import { timesFile } from '../../../electron/store/format/names.ts';
import { thisProcess } from '../../../electron/store/format/owner.ts';
import { START, timesOf, writeCommand } from '../../fixtures/library/captures.ts';
import {
  deadOwner,
  err,
  home,
  hostOf,
  line,
  listed,
  out,
  recordOf,
  running,
  setUpHomes,
} from '../../fixtures/set-up/captures-home.ts';
import { until } from '../../fixtures/until.ts';

setUpHomes();

describe('a record whose recorder died', () => {
  test('is interrupted at the next look, with what its files hold', async () => {
    const arrived = [out('one'), err('two'), { stream: 0, bytes: Buffer.from('thr') }];
    const made = writeCommand(home, arrived, { change: running(deadOwner()) });
    const [artifact] = await listed(await hostOf());
    expect(artifact).toMatchObject({
      status: 'interrupted',
      exit_code: null,
      // Nobody saw the end, but it expires a day after its last byte.
      ended_at: null,
      duration_ms: null,
      expires_at: new Date(START + 2 + 24 * 60 * 60_000).toISOString(),
      streams: [
        { total_bytes: 7, total_lines: 2 },
        { total_bytes: 4, total_lines: 1 },
      ],
    });
    expect(recordOf(made)).toMatchObject({
      status: 'interrupted',
      recorder: null,
      streams: [{ total_bytes: 7 }, {}],
    });
    expect((await (await hostOf()).inspect({ artifact_id: made.id })).content).toBe('one\ntwo\nthr');
  });

  test.each(['inspect', 'read', 'watch'])('is found by %s as well', async (how) => {
    const made = writeCommand(home, [out('one')], { change: running(deadOwner()) });
    const host = await hostOf();
    if (how === 'inspect') await host.inspect({ artifact_id: made.id });
    else if (how === 'read') await host.read({ artifact_id: made.id });
    else await hostOf(true);
    await until(() => recordOf(made).status === 'interrupted');
  });

  test('keeps how the command ended when only its background processes were recorded still', async () => {
    const made = writeCommand(home, [out('one')], {
      change: (record) => ({ ...record, recorder: deadOwner() }),
    });
    appendFileSync(join(made.folder, made.record.streams[0]!.file!), line('from behind'));
    const [artifact] = await listed(await hostOf());
    expect(artifact).toMatchObject({ status: 'succeeded', exit_code: 0, streams: [{ total_bytes: 16 }, {}] });
    expect(artifact!.warnings.join()).toContain('recorder died');
  });

  test('gets the end of a stream that outgrew its cap, behind a gap', async () => {
    const made = writeCommand(home, [out('head 1'), out('head 2')], { change: running(deadOwner()) });
    const file = made.record.streams[0]!.file!;
    appendFileSync(join(made.folder, file), 'hea');
    // 17 bytes are in the file; lines 3 to 9 of 60 bytes came, and the last segments begin inside line 10.
    writeFileSync(join(made.folder, tailSegmentName(file, 77, 9)), 'art of a line\ntail 1\n');
    writeFileSync(join(made.folder, tailSegmentName(file, 98, 11)), 'tail 2\n');
    const host = await hostOf();
    const view = await host.inspect({ artifact_id: made.id, stream: 'stdout' });
    expect(view).toMatchObject({ content: 'head 1\nhead 2\ntail 1\ntail 2', end_line: 12, total_lines: 12 });
    expect(view.note).toContain('lines 3 to 10 are missing');
    expect(readdirSync(made.folder).filter((name) => name.includes('.tail.'))).toEqual([]);
  });

  test('is not harmed by what an earlier mending had done when it was broken off', async () => {
    const gap = { offset: 7, line: 1, bytes: 20, lines: 3 };
    const made = writeCommand(home, [], {
      change: (record) => {
        const dead = running(deadOwner())(record);
        return { ...dead, streams: dead.streams.with(0, { ...dead.streams[0]!, gap }) };
      },
    });
    const file = made.record.streams[0]!.file!;
    const whole = 'head 1\ntail 1\ntail 2\n';
    // It was joined, and of two segments the first was gone already.
    writeFileSync(join(made.folder, file), whole);
    writeFileSync(join(made.folder, tailSegmentName(file, 34, 5)), 'tail 2\n');
    await listed(await hostOf());
    expect(readFileSync(join(made.folder, file), 'utf8')).toBe(whole);
    expect(recordOf(made).streams[0]).toMatchObject({ gap, total_bytes: 21, total_lines: 6 });
  });

  test('is mended alike by two processes at once', async () => {
    const owner = deadOwner();
    for (let round = 0; round < 10; round += 1) {
      const made = writeCommand(home, [out('head')], { change: running(owner), label: `round${round}` });
      const file = made.record.streams[0]!.file!;
      writeFileSync(join(made.folder, tailSegmentName(file, 50, 5)), 'x\ntail\n'.padStart(20_000, 'y'));
      await Promise.all([hostOf(), hostOf()].map(async (host) => listed(await host)));
      expect(recordOf(made)).toMatchObject({
        status: 'interrupted',
        streams: [{ total_bytes: 10, total_lines: 7 }, {}],
      });
      expect(readFileSync(join(made.folder, file), 'utf8')).toBe('head\ntail\n');
    }
  });

  test('says while it runs that its end is kept apart, where that is so', async () => {
    const made = writeCommand(home, [out('head 1'), out('head 2')], { change: running() });
    const host = await hostOf();
    expect((await host.inspect({ artifact_id: made.id, mode: 'tail' })).note).toBeUndefined();
    const times = timesOf([out('head 1'), out('head 2'), out('dropped')], START);
    writeFileSync(join(made.folder, timesFile(made.id)), times);
    for (const stream of ['stdout', 'combined'] as const) {
      const view = await host.inspect({ artifact_id: made.id, mode: 'tail', stream });
      expect(view).toMatchObject({ content: 'head 1\nhead 2', running: true });
      expect(view.note).toContain('more came than is stored here so far');
    }
  });

  test('is left alone while another recorder goes on', async () => {
    const made = writeCommand(home, [out('one')], { change: running(thisProcess()) });
    expect(await listed(await hostOf())).toMatchObject([{ status: 'running' }]);
    expect(recordOf(made).status).toBe('running');
  });

  // Root may write anywhere.
  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'is shown as interrupted where nothing can be written',
    async () => {
      const made = writeCommand(home, [out('one')], { change: running(deadOwner()) });
      chmodSync(made.folder, 0o500);
      const [artifact] = await listed(await hostOf());
      chmodSync(made.folder, 0o700);
      expect(artifact).toMatchObject({ status: 'interrupted', streams: [{ total_bytes: 4 }, {}] });
      expect(artifact!.warnings.join()).toContain('the record could not be updated');
      expect(recordOf(made).status).toBe('running');
    },
  );
});
