/** `inspect --since --until --around`: lines of some time, in each mode. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { runCliHere } from '../../fixtures/cli-here.ts';

let place: Place;
/** Line n is of n seconds after 10:00:00; each tenth goes on with a line without a time. */
const LINES = Array.from({ length: 600 }, (_, i) => {
  const time = new Date(Date.UTC(2026, 2, 1, 10, 0, i + 1)).toISOString();
  return i % 10 === 9 ? `${time} ERROR ${i + 1}\n  at frame ${i + 1}` : `${time} INFO ${i + 1}`;
});

beforeAll(() => {
  place = makePlace();
  writeFileSync(join(place.files, 'app.log'), `${LINES.join('\n')}\n`);
  writeFileSync(join(place.files, 'plain.log'), 'one\ntwo\n');
});
afterAll(() => place.remove());

const run = (...args: string[]) => runCliHere(['inspect', 'app.log', ...args], place);
/** The numbers in the printed lines. */
const shown = async (...args: string[]) => {
  const { stdout } = await run(...args);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => Number(/(\d+)$/.exec(line)?.[1]));
};
const T = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, seconds)).toISOString();

describe('lines of some time', () => {
  test('are shown from then on, up to then, and between', async () => {
    expect(await shown('--since', T(100), '--lines', '3')).toEqual([100, 100, 101]);
    expect(await shown('--until', T(5))).toEqual([1, 2, 3, 4, 5]);
    expect(await shown('--mode', 'range', '--since', T(8), '--until', T(11))).toEqual([8, 9, 10, 10, 11]);
    expect(await shown('--mode', 'tail', '--until', T(9), '--lines', '2')).toEqual([8, 9]);
  });

  test('are those around a time, or around that of a line', async () => {
    expect(await shown('--around', `${T(300)}±1s`)).toEqual([299, 300, 300, 301]);
    expect(await shown('--around', 'line 5+-1s')).toEqual([4, 5, 6]);
  });

  test.each(['+05:30', '-0700', 'Z'])(
    'of a clock without a zone are those that show it: %s',
    async (zone) => {
      const lines = ['10:55:00', '10:57:00', '10:58:00'].map(
        (clock) => `2026-03-01T${clock}${zone} at ${clock}`,
      );
      writeFileSync(join(place.files, 'zoned.log'), `${lines.join('\n')}\n`);
      const since = async (time: string) =>
        (await runCliHere(['inspect', 'zoned.log', '--mode', 'range', '--since', time], place)).stdout;
      const last = `${lines.slice(1).join('\n')}\n`;
      expect(await since('10:57')).toBe(last);
      expect(await since('2026-03-01 10:57')).toBe(last);
      expect(await since('03-01 10:57:00')).toBe(last);
      expect(await since(`2026-03-01T10:57:00${zone}`)).toBe(last);
    },
  );

  test('are so many seconds after the start, where lines count from it', async () => {
    const stamp = (i: number) => `[${(i * 30 + 0.25).toFixed(6).padStart(12)}]`;
    const lines = Array.from({ length: 400 }, (_, i) => `${stamp(i)} usb 1-1: device ${i}`);
    writeFileSync(join(place.files, 'dmesg.log'), `${lines.join('\n')}\n`);
    const inspect = (...args: string[]) => runCliHere(['inspect', 'dmesg.log', ...args], place);
    const found = async (...args: string[]) =>
      (await inspect('--mode', 'range', ...args)).stdout.trimEnd().split('\n');
    expect(await found('--since', '120s', '--lines', '1')).toEqual([lines[4]]);
    expect(await found('--since', '120.250000', '--until', '3m')).toEqual(lines.slice(4, 6));
    expect(await found('--around', '1h±20s')).toEqual([lines[120]]);
    expect(await found('--around', 'line 11±30s')).toEqual(lines.slice(9, 12));
    expect(await found('--since', '02:00:00', '--lines', '1')).toEqual([lines[240]]);
    const none = JSON.parse((await inspect('--since', '5h', '--json')).stdout);
    expect(none.note).toContain('the last one is 11970.25 s after the start');
    const summary = JSON.parse((await inspect('--mode', 'summary', '--json')).stdout);
    expect(summary).toMatchObject({ first_timestamp: '0.250000', last_timestamp: '11970.250000' });
    expect(summary.format).toMatchObject({ zone: 'start', time: '0.250000', entries: 'time' });
  });

  test('are searched alone, page by page, and counted', async () => {
    const grep = ['--pattern', 'ERROR', '--context', '0', '--since', T(95), '--until', T(134), '--json'];
    const view = JSON.parse((await run(...grep, '--max-matches', '3')).stdout);
    expect(view).toMatchObject({ match_count: 4, matches_shown: 3 });
    const next = JSON.parse((await run(...grep, '--cursor', view.next_cursor)).stdout);
    expect(next.matches.map(({ match }: { match: string }) => match)).toEqual(['ERROR']);
    expect(next.content).toContain('ERROR 130');
    expect(next.next_cursor).toBeNull();
  });

  test('are explained alone', async () => {
    const { stdout } = await run('--mode', 'failure', '--since', T(95), '--until', T(104));
    expect(stdout).toContain('ERROR 100');
    expect(stdout).not.toContain('ERROR 90');
  });

  test('are told where arrivals are asked for and none were recorded', async () => {
    const { stderr } = await run('--since', T(5), '--lines', '1', '--log-format', 'arrivals');
    expect(stderr).toContain('no arrivals were recorded, so times are those that the lines print');
  });

  test('take a day or a time of day', async () => {
    expect(await shown('--around', '2026-03-01', '--lines', '3')).toEqual([1, 2, 3]);
    expect((await shown('--since', '2026-03-01', '--lines', '1'))[0]).toBe(1);
    const local = new Date(T(200));
    const clock = [local.getHours(), local.getMinutes(), local.getSeconds()]
      .map((part) => String(part).padStart(2, '0'))
      .join(':');
    expect((await shown('--since', clock, '--lines', '1'))[0]).toBe(200);
  });

  test('are none of a time that the text does not reach', async () => {
    const { status, stdout, stderr } = await run('--since', '15m');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toContain('no line is of that time');
    const grep = await run('--pattern', 'ERROR', '--since', '15m ago');
    expect(grep.status).toBe(1);
  });

  test.each([
    ['--since', '2027-01-01', `no line is of that time: the last one is ${T(600)}`],
    ['--until', '2020-01-01', `no line is of that time: the first one is ${T(1)}`],
  ])('say where the text ends if none is: %s %s', async (bound, time, said) => {
    expect(await run(bound, time)).toMatchObject({ status: 0, stdout: '', stderr: `spillway: ${said}\n` });
  });

  test.each([
    [['--since', T(9), '--until', T(8)], '--since is after --until'],
    [['--around', 'line 99999'], 'there is no line 99999: name one of the 660 lines'],
    [['--since', 'line 0'], 'there is no line 0: name one of the 660 lines'],
    [['--since', ''], '"" is no time: write it as 2026-03-01 10:30:00'],
    [['--log-format', 'day-first,utc,month-first'], 'says two things of a format: leave out month-first'],
  ])('are refused if they cannot be: %s', async (args, said) => {
    expect(await run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(said) });
  });

  test('may stand elsewhere in a text whose times fall, and that is said', async () => {
    const at = (minute: number) => `${new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString()} ${minute}`;
    const fallen = [1, 2, 3, 20, 21, 4, 5, 6, 22].map(at);
    writeFileSync(join(place.files, 'fallen.log'), `${fallen.join('\n')}\n`);
    const inspect = (name: string) => runCliHere(['inspect', name, '--since', T(120)], place);
    expect((await inspect('fallen.log')).stderr).toContain('some lines are earlier than those before them');
    expect((await inspect('app.log')).stderr).not.toContain('earlier');
  });

  test('show whole entries of the journal, whose time is on their second line', async () => {
    const entry = (i: number) =>
      `__CURSOR=i=${i}\n__REALTIME_TIMESTAMP=${Date.parse(T(i))}000\nPRIORITY=6\nMESSAGE=it ${i}\n\n`;
    writeFileSync(join(place.files, 'journal.export'), [1, 2, 3, 4].map(entry).join(''));
    const args = ['inspect', 'journal.export', '--since', T(2), '--until', T(3)];
    expect((await runCliHere(args, place)).stdout).toBe(entry(2) + entry(3));
  });

  test('need times in the text or recorded ones, and a time to look for', async () => {
    const none = await runCliHere(['inspect', 'plain.log', '--since', '10:00'], place);
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('the text has no times') });
    expect(await run('--since', 'soon')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/"soon" is no time: write it as .*15m/),
    });
    expect(await run('--around', '10:00±x')).toMatchObject({ status: 2 });
    expect(await run('--mode', 'outline', '--since', '10:00')).toMatchObject({ status: 2 });
  });

  test('of a command are those of arrival', async () => {
    const script = 'echo one; sleep 1.2; echo two; sleep 1.2; echo three';
    await runCli(['run', '--', 'sh', '-c', script], place);
    const around = await runCliHere(['inspect', 'last', '--around', 'line 2±700ms'], place);
    expect(around.stdout).toBe('two\n');
    const since = await runCliHere(['inspect', 'last', '--since', 'line 2'], place);
    expect(since.stdout).toBe('two\nthree\n');
    expect((await runCliHere(['inspect', 'last', '--since', '1h'], place)).stdout).toBe('one\ntwo\nthree\n');
  });
});

describe('a format that was learnt wrong', () => {
  const inspect = (name: string, ...args: string[]) =>
    runCliHere(['inspect', name, '--mode', 'range', ...args], place);

  test('is replaced by the order of day and month, the zone, and the mark of entries', async () => {
    const dates = ['03/04/2026 10:00:00 a', '04/04/2026 10:00:00 b', '05/04/2026 10:00:00 c'];
    writeFileSync(join(place.files, 'dates.log'), `${dates.join('\n')}\n`);
    const since = async (time: string, words: string) =>
      (await inspect('dates.log', '--since', time, '--log-format', words)).stdout;
    expect(await since('2026-04-04', 'day-first')).toBe(`${dates.slice(1).join('\n')}\n`);
    expect(await since('2026-04-04', 'month-first')).toBe(`${dates.slice(1).join('\n')}\n`);
    expect(await since('2026-04-05', 'month-first')).toBe(`${dates[2]}\n`);
    expect(await since('2026-04-04T08:00:00Z', 'day-first,+02:00')).toBe(`${dates.slice(1).join('\n')}\n`);
    expect(await since('2026-04-04T08:00:01Z', 'day-first,+02:00')).toBe(`${dates[2]}\n`);
    const wholes = ['ERROR one', 'more', 'INFO two'];
    writeFileSync(join(place.files, 'levels.log'), `${wholes.join('\n')}\n`);
    const entry = async (words: string) =>
      (
        await runCliHere(
          ['inspect', 'levels.log', '--pattern', 'one', '--entries', '--context', '0', '--log-format', words],
          place,
        )
      ).stdout;
    expect(await entry('entries=level')).toBe('1:ERROR one\n2-more\n');
    expect(await entry('entries=unindented')).toBe('1:ERROR one\n');
  });

  test('has no times if a person says so', async () => {
    const { stderr, status } = await inspect('dates.log', '--since', '10:00', '--log-format', 'no-times');
    expect([status, stderr]).toEqual([2, expect.stringContaining('the text has no times')]);
  });

  test('is not replaced by words that say nothing', async () => {
    const { stderr, status } = await inspect('dates.log', '--log-format', 'utc,klingon');
    expect([status, stderr]).toEqual([2, expect.stringContaining('"klingon" says nothing of a format')]);
  });
});

test('of a recording whose lines print their times, these are meant, unless arrivals are asked for', async () => {
  const lines = LINES.slice(0, 9);
  const given = { input: `${lines.join('\n')}\n` };
  const captured = await runCli(['capture', '--json'], place, given);
  const { artifact_id: id } = JSON.parse(captured.stdout.trim().split('\n').at(-1)!);
  const since = (...args: string[]) =>
    runCliHere(['inspect', id, '--mode', 'range', '--since', T(8), ...args], place);
  const printed = await since();
  expect(printed.stdout).toBe(`${lines.slice(7).join('\n')}\n`);
  expect(printed.stderr).toContain('by the times that the lines print; --log-format arrivals');
  const arrived = await since('--log-format', 'arrivals');
  expect(arrived.stdout).toBe(`${lines.join('\n')}\n`);
  expect(arrived.stderr).not.toContain('by the times');
});
