/** The views of get_terminal_output, with times under the test's control. */
import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import fc from '../../fixtures/fast-check.ts';
import {
  at,
  host,
  output,
  START,
  setUpTerminals,
  since,
  terminal,
} from '../../fixtures/set-up/shown-terminals.ts';
import { until } from '../../fixtures/until.ts';

setUpTerminals();

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

  it('names the nearest terminal, or how to record one, when the name is unknown', async () => {
    await expect(output()).rejects.toThrow(
      'no terminal has been recorded: start one with `spillway terminal`',
    );
    const { id } = terminal('deploy');
    const wrong = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    await expect(output({ terminal_id: wrong })).rejects.toThrow(`the nearest is ${id}`);
    await expect(host.terminalCommands({ artifact_id: '../../etc' })).rejects.toThrow(
      `no terminal has the id "../../etc": the last used is ${id}`,
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
