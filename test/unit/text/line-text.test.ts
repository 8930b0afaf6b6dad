import { describe, expect, it } from 'vitest';
import { lineText, styledLine } from '../../../shared/text/line-text.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

const ESC = '\x1b';
const CSI = `${ESC}[`;

describe('what a terminal does beside moving and erasing', () => {
  it.each([
    ['draws lines with DEC’s set', '\x1b(0lqqk\x1b(B lqqk', '┌──┐ lqqk'],
    ['draws with shifts', '\x1b)0\x0ex\x0f x', '│ x'],
    ['draws with shifts whose set another line named', '\x0elqk\x0fa\x0ex\x0f', '┌─┐a│'],
    ['leaves text behind a stray shift', '\x0ehello', 'hello'],
    ['leaves shifted capitals', '\x0eHello World\x0f', 'Hello World'],
    ['inserts', 'abc\r\x1b[4hXY\x1b[4lZ', 'XYZbc'],
    ['inserts wide characters', 'abc\r\x1b[4h漢', '漢abc'],
    ['applies a control within a sequence first', 'ab\x1b[\x081mX', 'aX'],
    ['goes on with the sequence behind a control', 'abcd\x1b[2\rC|', 'ab|d'],
    ['ends a sequence at CAN', 'a\x1b[3\x181mX', 'a1mX'],
    ['keeps other modes without effect', 'abc\r\x1b[?4hX\x1b[20h', 'Xbc'],
  ])('%s', (_, raw, text) => {
    expect(lineText(raw)).toBe(text);
    expect(styledLine(raw).text).toBe(text);
  });
});

describe('line text of plain lines', () => {
  it('is the line itself, tabs and any script included', () => {
    for (const line of ['', 'a\tb', '  x  ', '日本語 ✓ e\u0301 👩‍👩‍👧']) expect(lineText(line)).toBe(line);
  });

  it('has spaces in place of form feeds and vertical tabs', () => {
    expect(lineText('page one\fSECTION two')).toBe('page one SECTION two');
    expect(lineText('ab\vcd')).toBe('ab cd');
    expect(lineText('10%\r20%\fdone')).toBe('20% done');
    expect(styledLine(`${CSI}1ma\fb`).text).toBe('a b');
  });

  it('drops the one CR that belongs to a CRLF ending', () => {
    expect(lineText('abc\r')).toBe('abc');
    expect(lineText('\r')).toBe('');
  });
});

describe('redrawn lines', () => {
  const examples: [string, string, string][] = [
    ['the last frame of a progress bar', '10%\r20%\r100%', '100%'],
    ['the rest of a longer frame under a shorter one', 'downloading\rdone', 'doneloading'],
    ['CR before CRLF', 'abc\r\r', 'abc'],
    ['a frame cleared before it is redrawn', `long text\r${CSI}Kshort`, 'short'],
    ['a line cleared as a whole, cursor kept', `abc${CSI}2Kd`, '   d'],
    ['a line cleared up to the cursor', `abcdef${CSI}3D${CSI}1K`, '    ef'],
    ['erasure of the display as that of its line', `abc\r${CSI}Jx`, 'x'],
    ['erased blanks at the end dropped', `abc${CSI}2D${CSI}K`, 'a'],
    ['blanks that erasing left at the end dropped', `abc\r${CSI}2X${CSI}2C${CSI}K`, ''],
    ['printed blanks at the end kept', `abc  \rx`, 'xbc  '],
    ['backspace over a character', 'ab\b \bc', 'ac'],
    ['backspace at the first column', '\b\bab', 'ab'],
    ['overstruck bold', 'N\bNA\bA', 'NA'],
    ['cursor to the right over nothing as blanks', `a${CSI}3Cb`, 'a   b'],
    ['cursor to the right with nothing printed', `a${CSI}3C`, 'a'],
    ['cursor to a column', `abc${CSI}2Gx`, 'axc'],
    ['cursor to a column by its other name', `abc${CSI}2\`x`, 'axc'],
    ['relative cursor by its other name', `abc\r${CSI}2ax`, 'abx'],
    ['deleted characters', `abcdef\r${CSI}2P`, 'cdef'],
    ['inserted blanks', `abc\r${CSI}2@`, '  abc'],
    ['erased characters', `abcdef\r${CSI}2X`, '  cdef'],
    ['repetition', `ab${CSI}3bc`, 'abbbbc'],
    ['a saved and restored cursor', `ab${ESC}7cd${ESC}8X`, 'abXd'],
    ['a cursor saved the other way', `ab${CSI}scd${CSI}uX`, 'abXd'],
    ['restoring what was not saved', `ab${ESC}8c`, 'abc'],
  ];
  it.each(examples)('%s', (_, raw, text) => {
    expect(lineText(raw)).toBe(text);
  });
});

describe('output without a line end before a prompt', () => {
  const end = `${ESC}]633;Spillway=0c0430cbf3d8a45c;E\x07`;
  /** As zsh does: a mark, a row of spaces that wraps unless it began in the first column, and the prompt. */
  const prompt = `${CSI}1m${CSI}7m%${CSI}27m${CSI}1m${CSI}0m${' '.repeat(79)}\r \r\r${CSI}0m${CSI}JP> next`;

  it('is shown before the prompt', () => {
    expect(lineText(`{"error":"disk full"}${end}${prompt}`)).toBe('{"error":"disk full"}P> next');
    expect(lineText(`10%\r20%${end}${prompt}`)).toBe('20%P> next');
    expect(lineText(`${CSI}31mred${CSI}0m${end}${prompt}`)).toBe('redP> next');
    expect(lineText(`out${end}P> ab${CSI}2D${CSI}Kx${CSI}4Gy\bz`)).toBe('outP> z');
    expect(lineText(`out${end}one\r${CSI}2Ktwo${CSI}1Kx`)).toBe('out   x');
    expect(lineText(`out${end}\b\b${CSI}9Z1`)).toBe('out1');
  });

  it('leaves the prompt alone if it is empty', () => {
    expect(lineText(`${end}${prompt}`)).toBe('P> next');
    expect(lineText(`${CSI}0m${end}${prompt}`)).toBe('P> next');
  });

  it('is redrawn as usual after any other control string', () => {
    for (const other of [`${ESC}]633;E\x07`, `${ESC}]0;Spillway=0c;E\x07`, `${ESC}]633;Spillway=0c;B\x07`])
      expect(lineText(`out${other}\rP> `)).toBe('P> ');
  });
});

describe('cells', () => {
  const examples: [string, string, string][] = [
    ['the left half of a wide character overwritten', '漢\rx', 'x '],
    ['the right half of a wide character overwritten', '漢\bx', ' x'],
    ['a wide character over two narrow ones', 'abc\r漢', '漢c'],
    ['a wide character over one and a half', '漢漢\r\x1b[C漢', ' 漢 '],
    ['marks with their character', 'xe\u0301\b\bab', 'ab'],
    ['marks put on after a redraw', 'abc\re\u0301', 'e\u0301bc'],
    ['an emoji with its variation selector', 'ab\r☁\ufe0f', '☁\ufe0fb'],
    ['a tab at the end kept', 'abc\rx\b\tq', 'xbc     q'],
    ['a tab kept that a redraw passes over', 'a\tb\ra\tc', 'a\tc'],
    ['a tab partly overwritten', 'a\tb\rxyz', 'xyz     b'],
    ['a tab stepped back into', 'a\tb\b\bx', 'a      xb'],
    ['a tab printed in cells', 'ab\ra\x1b[C\tc', 'ab\tc'],
    ['tab stops forwards and back', 'a\x1b[2Ib\x1b[Zc', 'a               c'],
  ];
  it.each(examples)('%s', (_, raw, text) => {
    expect(lineText(raw)).toBe(text);
  });
});

describe('removed sequences', () => {
  const examples: [string, string, string][] = [
    ['colours', `${CSI}1;31mred${CSI}0m`, 'red'],
    ['titles ended by BEL', `${ESC}]0;title\x07text`, 'text'],
    ['titles ended by ST', `${ESC}]0;title${ESC}\\text`, 'text'],
    ['links, keeping their text', `${ESC}]8;;http://x${ESC}\\here${ESC}]8;;${ESC}\\!`, 'here!'],
    ['device strings', `${ESC}P1$r${ESC}\\a${ESC}_app\x07lication${ESC}\\b${ESC}^pm\u009cc`, 'abc'],
    ['charset selections', `${ESC}(Ba${ESC}%Gb`, 'ab'],
    ['movement between lines', `a${CSI}Ab${CSI}5;5Hc${ESC}Md`, 'abcd'],
    ['private modes', `${CSI}?25la${CSI}?2004h${CSI}>4;1mb`, 'ab'],
    ['other controls', 'a\0b\x07c\x0ee\x7ff', 'abcef'],
    ['C1 controls', 'a\u0085b\u0084c', 'abc'],
    ['C1 forms of sequences', '\u009b31mred\u009b0m \u009d0;t\x07x', 'red x'],
    ['a bare escape', `a${ESC}`, 'a'],
    ['an unfinished sequence', `a${CSI}31`, 'a'],
    ['a broken sequence, keeping what broke it', `a${CSI}31é`, 'aé'],
  ];
  it.each(examples)('%s', (_, raw, text) => {
    expect(lineText(raw)).toBe(text);
  });

  it('a title without an end hides nothing after it', () => {
    expect(lineText(`ok ${ESC}]0;rest of the line`)).toBe('ok 0;rest of the line');
    expect(lineText(`ok ${ESC}]0;a${CSI}31mrest`)).toBe('ok 0;arest');
    expect(lineText('ok \u0090rest')).toBe('ok rest');
  });
});

describe('styled lines', () => {
  it('give 16, 256 and RGB colours in both notations', () => {
    const colours: [string, object][] = [
      ['31', { fg: 1 }],
      ['97', { fg: 15 }],
      ['42', { bg: 2 }],
      ['103', { bg: 11 }],
      ['38;5;208', { fg: 208 }],
      ['48:5:17', { bg: 17 }],
      ['38;2;255;128;0', { fg: '#ff8000' }],
      ['38:2::1:2:3', { fg: '#010203' }],
      ['48:2:1:2:3', { bg: '#010203' }],
      ['58;5;9;31', { fg: 1 }],
    ];
    for (const [sgr, colour] of colours) {
      expect(styledLine(`a${CSI}${sgr}mb${CSI}mc`)).toEqual({
        text: 'abc',
        runs: [{ start: 1, end: 2, style: 0, ...colour }],
      });
    }
  });

  it('give attributes as bits, and take them back', () => {
    const { runs } = styledLine(`${CSI}1;2;3;4;7;8;9ma${CSI}22;23;24;27;28;29mb`);
    expect(runs).toEqual([{ start: 0, end: 1, style: 127 }]);
    expect(styledLine(`${CSI}4ma${CSI}4:0mb`).runs).toEqual([{ start: 0, end: 1, style: 8 }]);
  });

  it('ignore colours that do not exist', () => {
    expect(styledLine(`${CSI}38;5;999ma`).runs).toBeNull();
    expect(styledLine(`${CSI}38;2;1;2;300ma`).runs).toBeNull();
  });

  it('merge equal neighbours and leave out those of the default style', () => {
    expect(styledLine(`${CSI}31ma${CSI}0m${CSI}31mb${CSI}39m c`).runs).toEqual([
      { start: 0, end: 2, fg: 1, style: 0 },
    ]);
    expect(styledLine(`${CSI}0mplain`).runs).toBeNull();
  });

  it('keep the colour of the text that a redraw left', () => {
    expect(styledLine(`${CSI}31mabc${CSI}0m\r${CSI}32mx`).runs).toEqual([
      { start: 0, end: 1, fg: 2, style: 0 },
      { start: 1, end: 3, fg: 1, style: 0 },
    ]);
  });
});

/** Lines made of relevant pieces, so that random ones reach every state. */
const pieces = fc.constantFrom(
  ...[
    'a',
    'bc',
    ' ',
    '\t',
    '\r',
    '\b',
    '漢',
    'e\u0301',
    '👩‍👧',
    '\u200d',
    '\u0301',
    '\ufe0f',
    '\ud800',
    '\x07',
  ],
  ...['\u009b', '\u009d', '\u0090', '\u0085', '\u009c', ESC, `${ESC}7`, `${ESC}8`, `${ESC}c`, `${ESC}(0`],
  ...['m', '1m', '31m', '38;5;9m', '38;2;1;2;3m', '7m', '0m'].map((s) => CSI + s),
  ...['K', '1K', '2K', 'J', '2J', 'C', '3C', 'D', '2D', '4G', '9999999999C', '70000G'].map((s) => CSI + s),
  ...['P', '3P', '@', '3@', 'X', '2X', '4b', 's', 'u', '2I', 'Z', '5', '?25', 'A', ''].map((s) => CSI + s),
  ...['0;t', '\x07', `${ESC}\\`, `${ESC}]8;;u`, `${ESC}P`],
);
const line = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

describe('any line', () => {
  it('has no controls but tabs in its line text, which is its own line text', () => {
    fc.assert(
      fc.property(line, (raw) => {
        const text = lineText(raw);
        expect(text).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\x9f]/);
        expect(lineText(text)).toBe(text);
      }),
      { numRuns: cases(3000) },
    );
  });

  it('has the same text with styles, whose runs are in order, apart and within it', () => {
    fc.assert(
      fc.property(line, (raw) => {
        const { text, runs } = styledLine(raw);
        expect(text).toBe(lineText(raw));
        let end = 0;
        for (const run of runs ?? []) {
          expect(run.start).toBeGreaterThanOrEqual(end);
          expect(run.end).toBeGreaterThan(run.start);
          expect(run.style !== 0 || run.fg !== undefined || run.bg !== undefined).toBe(true);
          end = run.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: cases(3000) },
    );
  });

  it('has the same line text after an empty redraw', () => {
    // The prefix forces emulation in cells where appending would suffice.
    const appended = fc.array(fc.constantFrom('a', ' b', '漢', '\t', '😀', `${CSI}31m`, `${CSI}m`), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(appended, (all) => {
        const raw = all.join('');
        expect(styledLine(`${ESC}7${raw}`)).toEqual(styledLine(raw));
      }),
    );
  });
});

describe('hostile lines', () => {
  it('cannot make a line longer than the reach of the cursor', () => {
    expect(lineText(`${CSI}999999999Cx`)).toHaveLength(1024);
    expect(lineText(`x${CSI}999999999b`)).toHaveLength(1024);
    expect(lineText(`x\r${CSI}999999999@`).length).toBeLessThanOrEqual(1024);
    expect(lineText(`x${CSI}99999999999999999999999Gy`)).toHaveLength(1024);
  });

  const units = [
    ...['\r', '\b', '\t', '\u0301', `${ESC}]`, '\u009d', `${ESC}8${CSI}2Kx`],
    ...['1K', 'P', '@', '1Gx', '1024b', '1;', '2K\x1b[1000Gx', '38;2;1;2;3mx'].map((s) => CSI + s),
  ];
  it.each(units.map((unit) => ({ unit, spelt: encodeURIComponent(unit) })))(
    'are read to their end, whatever they repeat: $spelt',
    ({ unit }) => {
      const raw = `${'x'.repeat(1 << 18)}${ESC}7\r${unit.repeat((1 << 19) / unit.length)}ßend`;
      expect(lineText(raw).includes('ßend')).toBe(true);
      expect(styledLine(raw).text.includes('ßend')).toBe(true);
    },
  );
});
