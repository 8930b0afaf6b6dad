/** The outline of 1 GiB against its summary: of text without sections, and of a CI's log. */
import { createHost } from '../../electron/host/create.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { type Figure, GIB, generated, MIB, median, realText, report, warm } from './harness.ts';
import { quiet } from './quiet.ts';

const START = Date.UTC(2026, 2, 1);

/** A step of 5,000 lines, with groups and traced commands. */
function step(i: number): string {
  const at = (line: number) => `${new Date(START + (i * 5000 + line) * 10).toISOString().slice(0, -1)}0000Z `;
  const lines = Array.from({ length: 5000 }, (_, line) => {
    if (line === 0) return `${at(line)}##[group]Run step ${i}`;
    if (line === 3 || line % 1000 === 990) return `${at(line)}##[endgroup]`;
    if (line % 1000 === 10) return `${at(line)}##[group]Part ${line} of ${i}`;
    if (line % 100 === 50) return `${at(line)}+ make target-${line}`;
    return `${at(line)}[${line % 100}%] Building CXX object src/part${line % 37}/CMakeFiles/file${line}.cpp.o`;
  });
  return `${lines.join('\n')}\n`;
}

const TEXTS = { 'real text': realText(GIB), 'a CI log': generated('ci-1g.log', GIB, step) };
const small = realText(256 * MIB);
const ROUNDS = 3;

const figures: Figure[] = [];
const raw: Record<string, unknown> = {};
for (const [name, path] of Object.entries(TEXTS)) {
  warm(path);
  const times: Record<'summary' | 'outline', number[]> = { summary: [], outline: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    // A host keeps what it knows of a text, so each round needs its own.
    const host = await createHost({ home: makeFolder(), watch: false });
    await host.inspect({ file_path: small, mode: 'summary' });
    await host.inspect({ file_path: path, mode: 'range', start_line: 1, lines: 1 });
    await quiet();
    for (const mode of ['summary', 'outline'] as const) {
      const start = performance.now();
      await host.inspect({ file_path: path, mode });
      times[mode].push((performance.now() - start) / 1000);
    }
    await host.close();
  }
  raw[name] = times;
  const [summary, outline] = [median(times.summary), median(times.outline)];
  figures.push(
    { what: `summary of 1 GiB of ${name}`, value: summary, unit: 's' },
    { what: `outline of the same`, value: outline, unit: 's' },
    { what: `outline of ${name}, against its summary`, value: outline / summary, unit: 'x', limit: 1.5 },
  );
}
report('outline', figures, raw);
process.exit();
