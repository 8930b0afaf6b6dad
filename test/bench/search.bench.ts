/**
 * Counting the lines that match, against ripgrep counting the same: 1 GiB of real text, as it is, coloured, with CRLF. The two take
 * turns, each time when nothing else runs (`busy` says how true that was), and the ratio is that of the medians. `SPILLWAY_BENCH="coloured literal" npm run bench -- search` runs only what has all of
 * these words in its name, prints that and keeps nothing.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createHost } from '../../electron/host/create.ts';
import type { GrepView } from '../../shared/views.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { type Figure, folder, GIB, MIB, median, print, realText, report, warm } from './harness.ts';
import { quiet } from './quiet.ts';

const require = createRequire(join(process.cwd(), 'package.json'));
const { rgPath } = require('@vscode/ripgrep') as { rgPath: string };
const ROUNDS = { literal: 5, expression: 3 };
const only = (process.env.SPILLWAY_BENCH ?? '').split(' ');

interface Case {
  name: string;
  pattern: string;
  kind: 'literal' | 'expression';
  caseSensitive?: boolean;
}

const cases: Case[] = [
  { name: 'rare literal', pattern: 'OPENSSL_cpuid_setup', kind: 'literal' },
  { name: 'rare literal, sensitive', pattern: 'OPENSSL_cpuid_setup', kind: 'literal', caseSensitive: true },
  { name: 'common literal', pattern: 'call', kind: 'literal' },
  { name: 'common literal, sensitive', pattern: 'call', kind: 'literal', caseSensitive: true },
  { name: 'absent literal', pattern: 'no such text here', kind: 'literal' },
  { name: 'absent literal, sensitive', pattern: 'no such text here', kind: 'literal', caseSensitive: true },
  { name: 'alternation', pattern: 'error|fail|panic', kind: 'expression' },
  { name: 'class', pattern: '[aeiou]{5}', kind: 'expression' },
  { name: 'a.*b', pattern: 'mov.*rax.*rsp', kind: 'expression' },
  { name: 'anchor', pattern: '^\\s+[0-9a-f]+:', kind: 'expression' },
  { name: 'end anchor', pattern: 'ret\\s*$', kind: 'expression' },
  { name: 'word boundaries', pattern: '\\bxor\\b', kind: 'expression' },
  { name: 'no literal', pattern: '\\w+\\s\\d+', kind: 'expression' },
  { name: 'nearly every line', pattern: '.', kind: 'expression' },
];

/** The same text with another treatment of every line. */
function variant(name: string, from: string, change: (chunk: string) => string): string {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const input = openSync(from, 'r');
  const output = openSync(`${path}.part`, 'w');
  const buffer = Buffer.alloc(4 * MIB);
  let rest = '';
  for (let got = readSync(input, buffer); got > 0; got = readSync(input, buffer)) {
    const text = rest + buffer.toString('latin1', 0, got);
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    writeSync(output, Buffer.from(change(text.slice(0, end)), 'latin1'));
    if (statSync(`${path}.part`).size >= GIB) break;
  }
  closeSync(input);
  closeSync(output);
  renameSync(`${path}.part`, path);
  return path;
}

const plain = realText(GIB);
const texts = {
  plain,
  coloured: variant('coloured.txt', plain, (chunk) =>
    chunk
      .replace(/\b(mov|call|jmp|ret)\b/g, '\x1b[1;33m$1\x1b[0m')
      .replace(/^ +[0-9a-f]+:/gm, '\x1b[36m$&\x1b[0m'),
  ),
  crlf: variant('crlf.txt', plain, (chunk) => chunk.replaceAll('\n', '\r\n')),
};

const home = makeFolder();

/** A host with its threads running and the file indexed, which has not searched it yet: answers are kept. */
async function fresh(path: string) {
  const host = await createHost({ home, watch: false });
  await host.inspect({ file_path: path });
  await host.inspect({ file_path: join(process.cwd(), 'package-lock.json'), mode: 'summary' });
  return host;
}

const raw: Record<string, unknown> = {};
const figures: Figure[] = [];
for (const [text, path] of Object.entries(texts)) {
  const chosen = cases.filter((one) =>
    only.every((word) => `${text} ${one.kind} ${one.name}`.includes(word)),
  );
  if (chosen.length === 0) continue;
  warm(path);
  const ratios: { literal: number[]; expression: number[] } = { literal: [], expression: [] };
  for (const one of chosen) {
    const ours: number[] = [];
    const theirs: number[] = [];
    const busy: number[] = [];
    let lines = 0;
    let expected = 0;
    for (let round = 0; round < ROUNDS[one.kind]; round += 1) {
      const host = await fresh(path);
      busy.push(await quiet());
      let start = performance.now();
      try {
        const args = [
          '-c',
          '--no-config',
          one.caseSensitive ? '-s' : '-i',
          ...(text === 'crlf' ? ['--crlf'] : []),
        ];
        expected = Number(execFileSync(rgPath, [...args, '-e', one.pattern, path]).toString());
      } catch {
        expected = 0;
      }
      theirs.push(performance.now() - start);
      start = performance.now();
      const view = (await host.inspect({
        file_path: path,
        mode: 'grep',
        pattern: one.pattern,
        case_sensitive: one.caseSensitive ?? false,
        max_matches: 1,
      })) as GrepView;
      ours.push(performance.now() - start);
      lines = view.match_count;
      await host.close();
    }
    const ratio = median(ours) / median(theirs);
    ratios[one.kind].push(ratio);
    raw[`${text}: ${one.name}`] = { pattern: one.pattern, ours, theirs, busy, lines, expected };
    figures.push({
      what: `${text}, ${one.name} (${lines} lines${lines === expected ? '' : `, ripgrep ${expected}`})`,
      value: ratio,
      unit: 'x ripgrep',
      limit: one.kind === 'literal' ? 1.5 : 10,
    });
  }
  if (ratios.expression.length > 0) {
    figures.push({
      what: `${text}: expressions, median`,
      value: median(ratios.expression),
      unit: 'x ripgrep',
      limit: 6,
    });
  }
}
if (process.env.SPILLWAY_BENCH) {
  print(figures);
  console.log(JSON.stringify(raw));
} else report('search', figures, { load: loadavg(), ...raw });
process.exit();
