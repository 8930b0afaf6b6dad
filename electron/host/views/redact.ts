/**
 * Masks secrets in views (shared/secrets/). Reads the lines around a view, too: it may lie inside a private key, or below
 * the name of a value.
 */
import { linesAround, maskSpans, type Secrets } from '../../../shared/secrets/mask.ts';
import { endOfLine, headerIn, isTableRule, rowCells } from '../../../shared/secrets/named.ts';
import {
  type ByteWindow,
  type FailureView,
  type FieldValues,
  type GrepMatch,
  type GrepView,
  type LinesView,
  type OutlineView,
  partsWithLines,
  type SummaryView,
  type View,
} from '../../../shared/views.ts';

export interface TextOfView {
  maxLineChars: number;
  /** The text of these lines, included. */
  lines(first: number, last: number): Promise<string>;
}

/** Returns the view with its secrets masked and counted. */
export async function redactView(view: View, secrets: Secrets, around: TextOfView): Promise<View> {
  const page = new Page(secrets, around);
  const shown = await masked(view, page);
  return page.count === 0 ? shown : { ...shown, redacted: page.count };
}

async function masked(view: View, page: Page): Promise<View> {
  if (view.mode === 'grep') return maskedGrep(view, page);
  if (view.mode === 'summary') return maskedSummary(view, page);
  if (view.mode === 'outline') return maskedOutline(view, page);
  if (view.mode === 'failure') return maskedFailure(view, page);
  // A new mode does not compile here: it has to say what of it is masked.
  const lines: LinesView = view;
  return { ...lines, content: await page.mask(lines.content, lines.start_line, lines.clipped_lines > 0) };
}

/** Masks pieces of one text, and counts. */
class Page {
  count = 0;
  readonly #secrets: Secrets;
  readonly #around: TextOfView;

  constructor(secrets: Secrets, around: TextOfView) {
    this.#secrets = secrets;
    this.#around = around;
  }

  /** `line`: the number of its first line. `isClipped`: some of its lines may be cut. */
  async mask(text: string, line: number | null, isClipped = false): Promise<string> {
    const { text: shown, count } = await this.uncounted(text, line, isClipped);
    this.count += count;
    return shown;
  }

  async uncounted(text: string, line: number | null, isClipped = false) {
    const masked = this.#secrets.mask(text, line === null ? {} : await this.#textAround(text, line));
    if (!isClipped) return masked;
    const lines = masked.text.split('\n').map((one) => maskedEnds(one, this.#around.maxLineChars));
    const cut = lines.reduce((sum, one) => sum + one.count, 0);
    return { text: lines.map((one) => one.text).join('\n'), count: masked.count + cut };
  }

  async #textAround(text: string, line: number) {
    const { before, behind, header: mayHave } = linesAround(text);
    const last = line + text.split('\n').length - 1;
    const header = line > 1 && mayHave ? await this.#tableHeader(line, text) : '';
    const first = Math.max(1, line - before);
    return {
      before: header + (first < line ? `${await this.#around.lines(first, line - 1)}\n` : ''),
      behind: behind > 0 ? `\n${await this.#around.lines(last + 1, last + behind)}` : '',
    };
  }

  #first: Promise<string> | undefined;
  /** The last row that was looked at. The next one is mostly of the same table. */
  #row: { line: number; cells: number; header: string } | null = null;

  async #tableHeader(line: number, text: string): Promise<string> {
    const cells = rowCells(text.slice(0, endOfLine(text, 0)));
    const header = (await this.#headerSince(line, cells)) ?? (await this.#headerAbove(line, cells));
    this.#row = { line, cells, header };
    return header;
  }

  /** Returns the last row's header, or one since then; null if that row is of another table, or far away. */
  async #headerSince(line: number, cells: number): Promise<string | null> {
    const last = this.#row;
    if (last?.cells !== cells || last.line >= line || line - last.line > HEADER_STEPS.at(-1)!) return null;
    const between = last.line + 1 === line ? '' : await this.#around.lines(last.line + 1, line - 1);
    return between === '' || isTable(between, cells) ? headerIn(between) || last.header : null;
  }

  /** Looks for the header above the row, then in the first line. Empty if no column has secrets. */
  async #headerAbove(line: number, cells: number): Promise<string> {
    let last = line - 1;
    let above = '';
    for (const step of HEADER_STEPS) {
      if (last < 1) break;
      const first = Math.max(1, last - step + 1);
      const lines = await this.#around.lines(first, last);
      above = above === '' ? lines : `${lines}\n${above}`;
      const header = headerIn(above);
      if (header !== '') return header;
      if (!isTable(lines, cells)) return '';
      last = first - 1;
    }
    this.#first ??= this.#around.lines(1, 1).then(headerIn);
    return last < 1 ? '' : this.#first;
  }
}

/** Tries a few lines: trying all 2,000 takes longer than reading them. */
const TRIED_LINES = 16;

function isTable(lines: string, cells: number): boolean {
  const rows = lines.split('\n');
  const step = Math.ceil(rows.length / TRIED_LINES);
  return rows.every((one, i) => i % step !== 0 || rowCells(one) === cells || isTableRule(one));
}

/** Lines that are read for a table's header, as long as all are rows of a table. */
const HEADER_STEPS = [20, 200, 2000];

/** Where a line was cut, a token may have been: letters and digits that touch the cut are masked. */
function maskedEnds(line: string, maxLineChars: number): { text: string; count: number } {
  // A long line is cut a third of the way before a match, which may end it. A cut keeps characters whole.
  if (line.length < Math.floor(maxLineChars / 3) - 128) return { text: line, count: 0 };
  const spans = [CUT_AT_START.exec(line), /(?<![\w+/=.-])[\w+/=.-]{8,}$/.exec(line)].flatMap((run) =>
    run !== null && /\d/.test(run[0]) && /[A-Za-z]/.test(run[0])
      ? [{ from: run.index, to: run.index + run[0].length, rule: 'cut' }]
      : [],
  );
  return { text: maskSpans(line, spans), count: spans.length };
}

/** The lines of a private key in JSON are one. */
const CUT_AT_START = /^(?:[A-Za-z0-9+/]*(?:\\+[rn])+[A-Za-z0-9+/]{16,})+=*|^[\w+/=.-]{8,}/;

const NUMBERED = /^(\d+[:-])(.*)$/s;

/** Masks the numbered lines of a grep block by block, without their numbers. */
async function maskedNumbered(content: string, isClipped: boolean, page: Page) {
  /** The text of each line, before and after masking. */
  const lines = new Map<number, [string, string]>();
  const printed: string[] = [];
  let block: { number: number; mark: string; text: string }[] = [];
  const flush = async () => {
    if (block.length === 0) return;
    const texts = block.map((one) => one.text);
    const shown = (await page.mask(texts.join('\n'), block[0]!.number, isClipped)).split('\n');
    for (const [i, { number, mark, text }] of block.entries()) {
      lines.set(number, [text, shown[i]!]);
      printed.push(`${mark}${shown[i]}`);
    }
    block = [];
  };
  for (const line of content === '' ? [] : content.split('\n')) {
    const [, mark, text] = NUMBERED.exec(line) ?? [];
    if (mark !== undefined) block.push({ number: Number.parseInt(mark, 10), mark, text: text! });
    else {
      await flush();
      printed.push(line);
    }
  }
  await flush();
  return { content: printed.join('\n'), lines };
}

async function maskedGrep(view: GrepView, page: Page): Promise<GrepView> {
  const { content, lines } = await maskedNumbered(view.content, view.clipped_lines > 0, page);
  const matches: GrepMatch[] = [];
  for (const match of view.matches) {
    const { line_number: number, context_before: before, context_after: after } = match;
    const [text, shown] = lines.get(number) ?? ['', ''];
    const whole = [...before, text, ...after];
    const first = number - before.length;
    const arePrinted = whole.every((one, i) => lines.get(first + i)?.[0] === one);
    const context = arePrinted
      ? whole.map((_, i) => lines.get(first + i)![1])
      : (await page.uncounted(whole.join('\n'), first, view.clipped_lines > 0)).text.split('\n');
    matches.push({
      ...match,
      match: maskedMatch(match, text, shown),
      context_before: context.slice(0, before.length),
      context_after: context.slice(before.length + 1),
    });
  }
  return { ...view, content, matches };
}

/** Returns a match as it is shown: its part in a token is masked. */
function maskedMatch({ match, column }: GrepMatch, text: string, shown: string): string {
  if (text === shown) return match;
  const at = text.startsWith(match, column - 1) ? column - 1 : text.indexOf(match);
  return at < 0 ? '*'.repeat(match.length) : shown.slice(at, at + match.length);
}

async function maskedSummary(view: SummaryView, page: Page): Promise<SummaryView> {
  const first_errors: SummaryView['first_errors'] = [];
  for (const error of view.first_errors)
    first_errors.push({ ...error, text: await page.mask(error.text, error.line_number) });
  const { field_values: values } = view;
  return {
    ...view,
    first_errors,
    shapes: await maskedShapes(view.shapes, page),
    ...(values ? { field_values: await maskedValues(values, page) } : {}),
  };
}

/** Masks a value, too, whose field's name alone says that it is secret. */
async function maskedValues(counted: FieldValues, page: Page): Promise<FieldValues> {
  const name = `${counted.field.split('.').at(-1)}: "`;
  const mask = async (text: string, line: number) => {
    const named = `${name}${text.replaceAll(/["\\]/g, "'")}"`;
    const { text: shown, count } = await page.uncounted(named, line);
    return { text: count > 0 ? shown.slice(name.length, -1) : text, count };
  };
  const values: FieldValues['values'] = [];
  for (const one of counted.values) {
    const { text: value, count } = await mask(one.value, one.first_line);
    values.push({ ...one, value });
    page.count += count;
  }
  return { ...counted, values, shapes: await maskedShapes(counted.shapes, page, mask) };
}

async function maskedShapes(
  shapes: SummaryView['shapes'],
  page: Page,
  mask = (text: string, line: number) => page.uncounted(text, line),
): Promise<SummaryView['shapes']> {
  const masked: SummaryView['shapes'] = [];
  for (const one of shapes) {
    const { first_line: line } = one;
    const { text: example, count } = await mask(one.example, line);
    const { text: shape } = await mask(one.shape, line);
    masked.push({ ...one, shape: withoutSecrets(shape, one.example, example), example });
    // A secret of the shape is in its example, too: it counts once.
    page.count += count;
  }
  return masked;
}

/** Masks in a shape what is masked in its example: with fewer cells than that, it may be no row of a table. */
function withoutSecrets(shape: string, example: string, masked: string): string {
  let shown = shape;
  for (const { index, 0: stars } of masked.matchAll(/\*+/g)) {
    const secret = example.slice(index, index + stars.length);
    if (secret !== stars) shown = shown.replaceAll(secret, stars);
  }
  return shown;
}

async function maskedOutline(view: OutlineView, page: Page): Promise<OutlineView> {
  const sections: OutlineView['sections'] = [];
  for (const section of view.sections)
    sections.push({ ...section, title: (await page.uncounted(section.title, section.start_line)).text });
  const content = await page.mask(view.content, null);
  return { ...view, sections, shapes: await maskedShapes(view.shapes, page), content };
}

async function maskedFailure(view: FailureView, page: Page): Promise<FailureView> {
  const parts: string[] = [];
  for (const { start_line, lines } of partsWithLines(view))
    parts.push(await page.mask(lines.join('\n'), start_line, view.clipped_lines > 0));
  const cause = view.cause && {
    ...view.cause,
    text: (await page.uncounted(view.cause.text, view.cause.line_number)).text,
  };
  return { ...view, content: view.parts.length === 0 ? view.content : parts.join('\n'), cause };
}

/** Bytes that are read before and behind a byte window: a private key of 16,384 bits has 13 KB. */
const AROUND_BYTES = 16 * 1024;

/** `read`: the text of so many bytes from an offset on. */
export async function redactWindow(
  window: ByteWindow,
  secrets: Secrets,
  read: (offset: number, limit: number) => Promise<string>,
  around: TextOfView,
): Promise<ByteWindow> {
  if (window.content === '') return window;
  if (window.match_count !== undefined) {
    const page = new Page(secrets, { ...around, maxLineChars: Number.POSITIVE_INFINITY });
    const { content } = await maskedNumbered(window.content, false, page);
    return { ...window, content, ...(page.count === 0 ? {} : { redacted: page.count }) };
  }
  const { offset, bytes_shown: bytes, content, next_offset: next } = window;
  const from = Math.max(0, offset - AROUND_BYTES);
  let before = offset === 0 ? '' : await read(from, offset - from);
  if (from > 0) {
    // The window may be in a table that began before what is around it.
    const rows = before.slice(before.indexOf('\n') + 1);
    const first = `${rows}${content}`;
    const mayHave = rowCells(first.slice(0, endOfLine(first, 0))) > 0;
    const header = mayHave ? headerIn(await around.lines(1, HEADER_STEPS[0]!)) : '';
    if (header !== '') before = header + rows;
  }
  const behind = next === null ? '' : await read(offset + bytes, AROUND_BYTES);
  const spans = secrets.find(content, { before, behind });
  if (spans.length === 0) return window;
  const count = spans.filter(({ isRest }) => !isRest).length;
  return { ...window, content: maskSpans(content, spans), redacted: count };
}
