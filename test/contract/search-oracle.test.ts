import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost } from '../../electron/host/create.ts';
import type { Host } from '../../electron/host/host.ts';
import { lineText } from '../../shared/text/line-text.ts';
import type { GrepView } from '../../shared/views.ts';
import { type Expression, expression } from '../fixtures/dialects.ts';
import { controlFiles, oddFiles } from '../fixtures/odd-files.ts';
import { hasPython } from '../fixtures/oracle.ts';
import { type Asked, hasPcre, type Opinion, PythonSearch, ripgrep } from '../fixtures/search-oracle.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-search-oracle-'));
let host: Host;
let python: PythonSearch;
let files = 0;

beforeAll(async () => {
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
  python = new PythonSearch();
});
afterAll(async () => {
  await host.close();
  python.close();
  rmSync(folder, { recursive: true });
});

/** A file as it is, and one that holds its line text: what a search without `raw` looks at. */
interface Text {
  name: string;
  raw: string;
  shown: string;
  encoding: string;
  valid: boolean;
}

function file(bytes: Uint8Array): string {
  files += 1;
  const path = join(folder, `file-${files}`);
  writeFileSync(path, bytes);
  return path;
}

function textOf(bytes: Buffer, name = 'generated', encoding = 'utf-8'): Text {
  const decoded = new TextDecoder(encoding).decode(bytes);
  const lines = decoded.split('\n').map((line) => lineText(line));
  const valid = !decoded.includes('\ufffd');
  return { name, raw: file(bytes), shown: file(Buffer.from(lines.join('\n'))), encoding, valid };
}

interface Question extends Omit<Asked, 'pattern'> {
  what: Expression | string;
}

const asked = ({ what, ...rest }: Question, dialect: 'pcre' | 'python'): Asked => ({
  ...rest,
  pattern: typeof what === 'string' ? what : what.in(dialect),
});

async function ours(path: string, { what, ...how }: Question, raw: boolean): Promise<{ count: number; lines: number[] }> {
  const lines: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const view = (await host.inspect({
      file_path: path,
      mode: 'grep',
      pattern: typeof what === 'string' ? what : what.in('javascript'),
      fixed: how.fixed,
      case_sensitive: !how.ignoreCase,
      invert: how.invert,
      context_lines: 0,
      max_matches: 100,
      as_text: true,
      raw,
      cursor,
    })) as GrepView;
    lines.push(...view.matches.map((match) => match.line_number));
    if (view.next_cursor === null || lines.length >= 1000) return { count: view.match_count, lines };
    cursor = view.next_cursor;
  }
}

const words = fc.constantFrom('a', 'b', 'A', 'K', 's', 'é', 'É', 'ñ', 'я', 'Я', '日', '1', '0', ' ', '-', '"', ':', ',', 'ab', 'foo', 'bar', 'error', 'FOO', '\t', 'x.y', 'u\u0301', '(', '|', '*', '\u00a0', '\u3000', '\\', '[x]');
const controls = fc.constantFrom('\r', '\x1b[31m', '\x1b[0m', '\x1b[K', '\b', '\x07', '\x1b]8;;u\x07', '\x1b[2D', '\u0085', '\x00', '\u2028', '\x1b');
const ends = fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n');
const lineOf = fc.array(fc.oneof({ weight: 10, arbitrary: words }, { weight: 1, arbitrary: controls }), { maxLength: 10 });
const text = fc.tuple(fc.array(fc.tuple(lineOf, ends), { maxLength: 25 }), fc.boolean()).map(([lines, ended]) => {
  const all = lines.map(([parts, end]) => parts.join('') + end).join('');
  return Buffer.from(ended ? all : all.replace(/\n$/, ''));
});
const question: fc.Arbitrary<Question> = fc
  .oneof(
    { weight: 9, arbitrary: fc.record({ what: expression, fixed: fc.constant(false) }) },
    { weight: 1, arbitrary: fc.record({ what: fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')), fixed: fc.constant(true) }) },
  )
  .chain((one) => fc.record({ ignoreCase: fc.boolean(), invert: fc.boolean() }).map((how) => ({ ...one, ...how })));

const stats = { questions: 0, answers: 0, noOpinion: [] as string[], wrong: [] as string[] };

async function agree(texts: readonly Text[], questions: readonly Question[]): Promise<void> {
  const forms = texts.flatMap((one) => [
    { ...one, path: one.raw, own: one.raw, isRaw: true },
    { ...one, path: one.shown, own: one.raw, isRaw: false, encoding: 'utf-8' },
  ]);
  const [pythons, rgs] = await Promise.all([
    python.ask(forms, questions.map((q) => asked(q, 'python'))),
    inBatches(questions, (q) => ripgrep(forms.map((form) => form.path), asked(q, 'pcre'))),
  ]);
  for (const [i, q] of questions.entries()) {
    for (const [j, form] of forms.entries()) {
      const found = await ours(form.own, q, form.isRaw);
      for (const [who, opinion] of [['python', pythons[i]!], ['rg', rgs[i]!]] as const) {
        stats.answers += 1; if (found.count > 0) (stats as any).some = ((stats as any).some ?? 0) + 1;
        if (typeof opinion === 'string') { stats.noOpinion.push(`${who} ${q.what}: ${opinion}`); continue; }
        if (who === 'rg' && form.isRaw && !form.valid) continue;
        const wanted = opinion[j]!;
        if (JSON.stringify(wanted.slice(0, 1000)) !== JSON.stringify(found.lines) || wanted.length !== found.count)
          stats.wrong.push(`${who} ${form.name} raw=${form.isRaw} ${q.what} i=${q.ignoreCase} v=${q.invert} F=${q.fixed}: theirs ${wanted.slice(0,20)} (${wanted.length}) ours ${found.lines.slice(0,20)} (${found.count}) ${form.path}`);
      }
    }
  }
  stats.questions += questions.length;
}

async function inBatches(questions: readonly Question[], ask: (q: Question) => Promise<Opinion>): Promise<Opinion[]> {
  const answers: Opinion[] = [];
  for (let i = 0; i < questions.length; i += 4) answers.push(...(await Promise.all(questions.slice(i, i + 4).map(ask))));
  return answers;
}

const long = (bytes: Buffer) => bytes.toString('latin1').split('\n').some((line) => line.length > 10_000);

describe.skipIf(!hasPython || !hasPcre)('explore', () => {
  it('odd', async () => {
    const texts = Object.entries({ ...oddFiles, ...controlFiles }).filter(([, b]) => !long(b)).map(([name, b]) => textOf(b, name));
    const qs = fc.sample(question, 40);
    const t = Date.now();
    await agree(texts, qs);
    console.log('odd', Date.now() - t);
  });
  it('generated', async () => {
    const t = Date.now();
    for (let i = 0; i < Number(process.env.N ?? 20); i++) await agree([textOf(fc.sample(text, 1)[0]!)], fc.sample(question, 60));
    console.log('gen', Date.now() - t, stats.questions, stats.answers, stats.noOpinion.length, stats.wrong.length, (stats as any).some);
    console.log(stats.noOpinion.slice(0, 8).join('\n'));
    console.log(stats.wrong.slice(0, 40).join('\n'));
  });
});
