/** The views of get_terminal_output, with times under the test's control. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { type Recording, startRecording } from '../../../electron/recorder/streams/recording.ts';
import { encodeEntry } from '../../../electron/store/contents/commands.ts';
import { commandsFile } from '../../../electron/store/format/names.ts';
import { Settings } from '../../../shared/settings.ts';
import type { TerminalOutputParams } from '../../../shared/terminals.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import fc from '../../fixtures/fast-check.ts';
import { until } from '../../fixtures/until.ts';

const START = Date.parse('2026-01-13T10:30:00.000Z');

let place: Place;
let host: Host;
let now: number;

const at = (ms: number) => new Date(START + ms).toISOString();
const output = (params: TerminalOutputParams = {}) => host.terminalOutput(params);
const since = (ms: number, more: TerminalOutputParams = {}) =>
  output({ mode: 'since', since_timestamp: at(ms), ...more });

/** A terminal that is recorded by this very process; `write` is told when, in milliseconds from the start. */
function terminal(name = 'sh', settings: object = {}, size = { columns: 20, rows: 5 }) {
  const clock = Object.assign(() => START + now, { monotonic: () => now });
  const recording: Recording = startRecording({
    home: place.home,
    settings: Settings.parse(settings),
    ...{ session: 'default', kind: 'terminal', label: name, command: '/bin/sh', args: [], cwd: '/' },
    ...{ envNames: null, streams: ['output'], contentType: 'log', terminal: size, clock },
  });
  const id = recording.artifactId!;
  const log = join(recording.folder!, commandsFile(id));
  const resize = (columns: number, rows: number) =>
    appendFileSync(
      log,
      encodeEntry({ type: 'resized', offset: recording.progress('output').bytes, columns, rows }),
    );
  resize(size.columns, size.rows);
  return {
    id,
    resize,
    write: (ms: number, data: string | Buffer) => {
      now = ms;
      recording.write('output', Buffer.from(data));
    },
    end: () => recording.finish({ status: 'finished', exit_code: 0, terminal: size }),
  };
}

beforeEach(async () => {
  place = makePlace();
  now = 0;
  host = await createHost({ home: place.home, watch: false, threads: 0 });
});
afterEach(async () => {
  await host.close();
  place.remove();
});

describe('a terminal’s output', () => {
  it('says which terminal it is, since when, and when something last happened', async () => {
    const { id, write, end } = terminal('my build');
    write(100, 'one\r\n');
    write(2500, 'two\r\nthree');
    const facts = {
      ...{ artifact_id: id, name: 'my build', stream: 'output', started_at: at(0), last_activity: at(2500) },
      ...{ total_lines: 3, total_bytes: 15, start_line: 1, end_line: 3, content: 'one\ntwo\nthree' },
    };
    expect(await output()).toMatchObject({ ...facts, mode: 'tail', running: true });
    expect((await output()).file_path).toMatch(/\.log$/);
    await end();
    expect(await output()).toMatchObject({ ...facts, mode: 'tail', running: false, truncated: false });
  });

  it('has a head, a tail, and all of it', async () => {
    const { write, end } = terminal();
    for (let line = 1; line <= 2500; line += 1) write(line, `line ${line}\r\n`);
    await end();
    expect(await output()).toMatchObject({ mode: 'tail', start_line: 2401, end_line: 2500 });
    expect(await output({ lines: 2 })).toMatchObject({ content: 'line 2499\nline 2500' });
    expect(await output({ mode: 'head' })).toMatchObject({ mode: 'head', start_line: 1, end_line: 100 });
    expect(await output({ mode: 'all', lines: 3 })).toMatchObject({
      ...{ mode: 'all', start_line: 1, end_line: 2000, next_start_line: 2001, truncated: true },
    });
    expect((await output({ mode: 'all', max_chars: 19 })).content).toBe('line 1\nline 2');
  });

  it('is text whatever was printed', async () => {
    const { write, end } = terminal();
    write(1, Buffer.from('fffe00', 'hex'));
    write(2, 'text\r\n');
    await end();
    expect((await output()).content).toContain('text');
  });

  it('is that of the terminal where something happened last, unless one is named', async () => {
    const first = terminal('first');
    const second = terminal('second');
    first.write(10, 'a\r\n');
    second.write(20, 'b\r\n');
    await until(async () => (await output()).name === 'second');
    first.write(30, 'c\r\n');
    await until(async () => (await output()).name === 'first');
    expect((await output({ terminal_id: second.id })).name).toBe('second');
  });

  it('names the nearest terminal, or how to begin, when there is none like that', async () => {
    await expect(output()).rejects.toThrow(
      'no terminal has been recorded: start one with: spillway terminal',
    );
    const { id } = terminal('deploy');
    const wrong = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    await expect(output({ terminal_id: wrong })).rejects.toThrow(`the nearest: ${id}`);
    await expect(host.terminalCommands({ artifact_id: '../../etc' })).rejects.toThrow(
      `no terminal has the id "../../etc": the last that were used: ${id}`,
    );
  });

  it('is of the terminal that has just printed something, before its time is written down', async () => {
    const first = terminal('first');
    const second = terminal('second');
    first.write(1, 'one\r\n');
    second.write(2, 'two\r\n');
    await expect.poll(async () => (await output()).name).toBe('second');
    // Bytes without a time: as they are for a moment behind each arrival.
    appendFileSync((await output({ terminal_id: first.id })).file_path!, 'new\r\n');
    expect(await output()).toMatchObject({ name: 'first', content: 'one\nnew' });
    expect(Date.parse((await output()).last_activity)).toBeGreaterThan(START + 2);
  });
});

describe('since a moment', () => {
  it('gives exactly what arrived then or later', async () => {
    const { write, end } = terminal();
    write(100, '$ ');
    write(200, 'make\r\n');
    write(300, 'compiling');
    write(400, '...');
    write(500, ' done\r\nlinking\r\n');
    // Though the last time is not on the disk yet.
    expect((await since(501)).content).toBe('');
    for (const running of [true, false]) {
      if (!running) await end();
      expect(await since(0)).toMatchObject({
        ...{
          mode: 'since',
          content: '$ make\ncompiling... done\nlinking',
          start_line: 1,
          start_offset: 0,
          end_line: 3,
        },
        ...{ lines_shown: 3, total_lines: 3, truncated: false, running },
      });
      expect(await since(101)).toMatchObject({
        ...{ content: 'make\ncompiling... done\nlinking', start_line: 1, start_offset: 2, truncated: true },
        note: 'line 1 had begun before: only what is new of it is shown',
      });
      expect(await since(300)).toMatchObject({ content: 'compiling... done\nlinking', start_line: 2 });
      expect(await since(301)).toMatchObject({
        content: '... done\nlinking',
        start_line: 2,
        start_offset: 17,
      });
      expect(await since(500)).toMatchObject({ content: ' done\nlinking', start_line: 2 });
    }
  });

  it('is empty when nothing arrived, with the true size', async () => {
    const { write } = terminal();
    write(100, 'one\r\ntwo\r\n');
    await until(async () => (await since(50)).content !== '');
    const nothing = { content: '', lines_shown: 0, start_line: null, total_lines: 2, total_bytes: 10 };
    expect(await since(101)).toMatchObject(nothing);
    expect(await since(9_999_999)).toMatchObject(nothing);
  });

  it('neither loses nor repeats anything when it is asked again and again', async () => {
    const piece = fc.constantFrom(
      'a',
      'ä',
      '€',
      '😀',
      '\x1b[1;31mred\x1b[0m',
      '\x1b]0;title\x07',
      'word ',
      '\r\n',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 8 }),
        async (pieces, lengths) => {
          const bytes = Buffer.from(pieces.join(''));
          const { id, write, end } = terminal();
          const marks: number[] = [];
          for (let from = 0, i = 0; from < bytes.length; i += 1) {
            const length = lengths[i % lengths.length]!;
            write((i + 1) * 10, bytes.subarray(from, from + length));
            marks.push((i + 1) * 10);
            from += length;
          }
          await end();
          for (const [index, mark] of marks.entries()) {
            const offset = marks.slice(0, index).reduce((sum, _, i) => sum + lengths[i % lengths.length]!, 0);
            const { content, total_lines, end_line } = await since(mark, { terminal_id: id });
            const lineEnd = bytes.at(-1) === 10 && content !== '' && end_line === total_lines ? '\n' : '';
            // A character or sequence that was cut comes whole, with its last byte.
            expect(`${content}${lineEnd}`.replace(/\n$/, '')).toBe(
              newText(pieces, offset).replace(/\n$/, ''),
            );
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  it('goes on where so many lines were not enough', async () => {
    const { write, end } = terminal();
    for (let line = 1; line <= 300; line += 1) write(line * 10, `line ${line}\r\n`);
    await end();
    expect(await since(1000)).toMatchObject({ start_line: 100, end_line: 199, next_start_line: 200 });
    expect(await since(1000, { lines: 2 })).toMatchObject({ content: 'line 100\nline 101' });
    expect(await since(1000, { max_chars: 17 })).toMatchObject({ content: 'line 100\nline 101' });
  });

  it('is right behind what was not stored', async () => {
    const { write, end } = terminal('sh', { maxStreamBytes: 2000 });
    for (let line = 1; line <= 1000; line += 1) write(line * 10, `line ${line}\r\n`);
    await end();
    expect(await since(9990)).toMatchObject({
      content: 'line 999\nline 1000',
      start_line: 999,
      total_lines: 1000,
    });
    const { content, start_line } = await since(5000);
    expect(content.split('\n')[0]).toBe(`line ${start_line}`);
    expect(start_line).toBeGreaterThan(500);
  });

  it('wants a time', async () => {
    terminal();
    await expect(output({ mode: 'since' })).rejects.toThrow('since needs a since_timestamp');
    for (const none of ['soon', '5', '2026-13-45', '2026-01-13T99:00:00Z', 'Jan 13 2026'])
      await expect(output({ mode: 'since', since_timestamp: none })).rejects.toThrow(`cannot be "${none}"`);
  });

  it.each([
    ['2026-01-13T10:30:01'],
    ['2026-01-13 10:30:01.000'],
    ['2026-01-13T12:00:01+01:30'],
    ['2026-01-13T05:30:01.000-05:00'],
    ['2026-01-13t10:30:01z'],
  ])('takes %s for a time in its own zone, and in UTC where it names none', async (since_timestamp) => {
    const zone = process.env.TZ;
    process.env.TZ = 'Asia/Tokyo';
    try {
      const { write, end } = terminal();
      write(999, 'before\r\n');
      write(1000, 'then\r\n');
      await end();
      expect((await output({ mode: 'since', since_timestamp })).content).toBe('then');
      expect((await output({ mode: 'since', since_timestamp: '2026-01-13' })).content).toBe('before\nthen');
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
});

describe('a terminal’s screen', () => {
  const screen = (params: TerminalOutputParams = {}) => output({ mode: 'screen', ...params });

  it('is what the terminal shows now', async () => {
    const { write, end } = terminal();
    write(1, 'one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\r\n$ ');
    expect(await screen()).toMatchObject({
      ...{ mode: 'screen', content: 'three\nfour\nfive\nsix\n$ ', lines_shown: 5, running: true },
      ...{ start_line: null, total_lines: 7, last_activity: at(1) },
      screen: { columns: 20, rows: 5, cursor_row: 5, cursor_column: 3, alternate: false },
    });
    write(2, '\x1b[2;3HX\x1b[K\x1b[1;1H');
    await until(async () => (await screen()).content.includes('X'));
    expect((await screen()).content).toBe('three\nfoX\nfive\nsix\n$ ');
    expect((await screen()).screen).toMatchObject({ cursor_row: 1, cursor_column: 1 });
    await end();
    expect(await screen()).toMatchObject({ content: 'three\nfoX\nfive\nsix\n$ ', running: false });
  });

  it('is the full-screen program’s while one runs, and what was there before after it', async () => {
    const { write, id } = terminal();
    write(1, 'before\r\n\x1b[?1049h\x1b[2J\x1b[3;5Hin the editor');
    expect(await screen()).toMatchObject({ content: '\n\n    in the editor', screen: { alternate: true } });
    const other = terminal('other');
    other.write(2, 'before\r\n\x1b[?1049h\x1b[2J\x1b[3;5Hin the editor\x1b[?1049lafter');
    expect(await screen({ terminal_id: other.id })).toMatchObject({
      ...{ content: 'before\nafter', screen: { alternate: false } },
    });
    expect((await screen({ terminal_id: id })).content).toContain('in the editor');
  });

  it('is as large as it was when each byte came', async () => {
    const { write, resize, end } = terminal();
    write(1, '0123456789012345678901234\r\n');
    resize(30, 3);
    write(2, '\x1b[3;28Hend');
    await end();
    const { content, screen: shown } = await screen();
    expect(shown).toMatchObject({ columns: 30, rows: 3 });
    expect(content.split('\n')[0]).toBe('0123456789012345678901234');
    expect(content.split('\n')[2]).toBe(`${' '.repeat(27)}end`);
  });

  it('may be a single character, and of characters that are wide', async () => {
    const small = terminal('small', {}, { columns: 1, rows: 1 });
    small.write(1, 'abc');
    expect((await screen()).content).toBe('c');
    const wide = terminal('wide');
    wide.write(2, '日本\x1b[1;3H語\xff');
    expect((await screen({ terminal_id: wide.id })).content).toMatch(/^日語/);
  });

  it.each(['🎉', '✅', '日'])('has two columns for %s, as programs count them', async (character) => {
    const { write } = terminal();
    write(1, `${character}|\x1b[10Gx`);
    expect(await screen()).toMatchObject({ content: `${character}|      x`, screen: { cursor_column: 11 } });
  });

  it('has its cursor in the last column when that is full', async () => {
    const { write } = terminal();
    write(1, 'x'.repeat(20));
    expect((await screen()).screen).toMatchObject({ cursor_row: 1, cursor_column: 20 });
  });

  it('is the same however often it was looked at meanwhile', async () => {
    const { write, id, end } = terminal();
    const bytes = Buffer.from('a\x1b[31mb\x1b[0m\r\nä€😀\x1b[2;1H\x1b[Jxyz\x1b[?1049hALT\x1b[5;1Hlast');
    for (let i = 0; i < bytes.length; i += 3) {
      write(i, bytes.subarray(i, i + 3));
      if (i % 4 === 0) await screen();
    }
    await end();
    const looked = await screen();
    const fresh = await createHost({ home: place.home, watch: false, threads: 0 });
    expect(await fresh.terminalOutput({ terminal_id: id, mode: 'screen' })).toEqual(looked);
    await fresh.close();
    expect(looked.content).toBe('\n   ALT\n\n\nlast');
  });

  it('is drawn from the last clearing where the output is large', async () => {
    const { write, end } = terminal();
    const flood = Buffer.alloc(5 * 1024 * 1024, 'flood\r\n');
    write(1, flood);
    write(2, '\x1b[2J\x1b[Hclear\r\n');
    write(3, flood);
    write(4, '\x1bcreset\r\n');
    await end();
    const { content, note } = await screen();
    expect([content.trimEnd(), note]).toEqual(['reset', undefined]);
  });

  it('says when it may not be exact', async () => {
    const { write, end } = terminal();
    write(1, Buffer.alloc(9 * 1024 * 1024, 'flood\r\n'));
    await end();
    expect(await screen()).toMatchObject({ note: 'the screen is drawn from the last 8 MiB of the output' });
  });
});

/** The visible text of characters whose last byte is at or after `offset`. */
function newText(pieces: readonly string[], offset: number): string {
  let at = 0;
  let text = '';
  for (const unit of pieces.flatMap((piece) => piece.match(/\x1b(?:\[[\d;]*m|\][^\x07]*\x07)|./gsu) ?? [])) {
    at += Buffer.byteLength(unit);
    if (at > offset && !/^[\x1b\r]/.test(unit)) text += unit;
  }
  return text;
}
