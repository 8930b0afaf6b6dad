/** 1 GiB against its summary: the outline of text without sections and of a CI's log, and the values of JSON's fields. */
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

function records(i: number): string {
  const lines = Array.from({ length: 5000 }, (_, line) => {
    const n = i * 5000 + line;
    return `{"time":"${new Date(START + n * 13).toISOString()}","level":"${n % 9 ? 'info' : 'error'}","service":"${n % 3 ? 'auth' : 'billing'}","msg":"request ${n} finished","http":{"method":"GET","path":"/orders/${n % 5000}","status":${n % 7 ? 200 : 503}},"duration_ms":${(n * 37) % 900}}`;
  });
  return `${lines.join('\n')}\n`;
}

const json = generated('records-1g.log', GIB, records);
warm(json);
const FIELDS = ['service', 'http.path', 'duration_ms'];
const times: Record<string, number[]> = {};
for (let round = 0; round < ROUNDS; round += 1) {
  for (const field of [undefined, ...FIELDS]) {
    const host = await createHost({ home: makeFolder(), watch: false });
    await host.inspect({ file_path: small, mode: 'summary' });
    await host.inspect({ file_path: json, mode: 'range', start_line: 1, lines: 1 });
    await quiet();
    const start = performance.now();
    await host.inspect({ file_path: json, mode: 'summary', ...(field ? { field } : {}) });
    const name = field ?? 'summary';
    times[name] = [...(times[name] ?? []), (performance.now() - start) / 1000];
    await host.close();
  }
}
raw['JSON lines'] = times;
const whole = median(times.summary!);
figures.push({ what: 'summary of 1 GiB of JSON lines', value: whole, unit: 's' });
for (const field of FIELDS) {
  const value = median(times[field]!) / whole;
  figures.push({ what: `summary with the values of ${field}, against that`, value, unit: 'x', limit: 2 });
}
report('outline', figures, raw);
process.exit();
