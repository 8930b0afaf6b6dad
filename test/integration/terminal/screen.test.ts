/** The screen of a recorded terminal, drawn from its bytes. */
import { describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { TerminalOutputParams } from '../../../shared/terminals.ts';
import { at, output, place, setUpTerminals, terminal } from '../../fixtures/set-up/shown-terminals.ts';
import { until } from '../../fixtures/until.ts';

setUpTerminals();

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
