/** Logs whose lines tell their time in other ways than ISO 8601: rows, the histogram, going to a time, and merging. */
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { timeOf } from '../../../renderer/viewer/text/times.ts';
import type { HistogramParams, HistogramState } from '../../../shared/api/search.ts';
import { mergedId } from '../../../shared/artifact.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';

let place: Place;
let host: Host;

beforeEach(async () => {
  place = makePlace();
  host = await createHost({ home: place.home, watch: false, threads: 0 });
});
afterEach(async () => {
  await host.close();
  place.remove();
});

const LINES = 3000;
const STEP_MS = 3000;
const start = new Date(2025, 2, 1, 10).getTime();
const two = (value: number) => String(value).padStart(2, '0');
const clock = (date: Date) => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
const utcClock = (date: Date) => date.toISOString().slice(11, 19);

const formats: Record<string, (date: Date) => string> = {
  nginx_access: (date) =>
    `1.2.3.4 - - [${two(date.getUTCDate())}/Mar/2025:${utcClock(date)} +0000] "GET / HTTP/1.1" 200 12`,
  nginx_error: (date) => `2025/03/01 ${clock(date)} [error] 12#12: *0 open() failed`,
  apache_error: (date) => `[Sat Mar 01 ${clock(date)}.000000 2025] [core:error] [pid 12] msg`,
  syslog: (date) => `Mar  1 ${clock(date)} host app[1]: msg`,
  klog: (date) => `I0301 ${clock(date)}.000000 1 main.go:0] msg`,
  logcat: (date) => `03-01 ${clock(date)}.000  123  456 I Tag: msg`,
  slashes: (date) => `03/01/2025 ${clock(date)} msg`,
  slashes_day_first: (date) => `01/03/2025 ${clock(date)} msg`,
  half_days: (date) =>
    `01/03/2025, ${two(date.getHours() % 12 || 12)}:${clock(date).slice(3)} ${date.getHours() < 12 ? 'am' : 'pm'} msg`,
  flask: (date) => `127.0.0.1 - - [01/Mar/2025 ${clock(date)}] "GET / HTTP/1.1" 200 -`,
  tabs: (date) => `INFO\tserver\t2025-03-01\t${clock(date)}\t-\tmsg`,
  date_command: (date) => `ERROR: job (pid 12) Sat Mar  1 ${clock(date)} 2025: called`,
  seconds: (date) => `${date.getTime() / 1000} msg`,
  json_late: (date) => `{"msg":"${'x'.repeat(700)}","at":{"time":1},"time":"${date.toISOString()}"}`,
  compose: (date) => `web-1  | {"level":"info","msg":"hello","time":"${date.toISOString()}"}`,
  protobuf: (date) => `{"severity":"INFO","timestamp":{"seconds":${date.getTime() / 1000},"nanos":0},"m":1}`,
  time_only: (date) => `${clock(date)}.000 msg`,
  epoch: (date) => `${date.getTime() / 1000}.000 msg`,
  pino: (date) => `{"level":30,"time":${date.getTime()},"pid":1,"msg":"hello"}`,
  zap: (date) => `{"level":"info","ts":${date.getTime() / 1000}.000000,"msg":"hello"}`,
};

async function open(name: string, format: (date: Date) => string, first = start) {
  const path = join(place.files, `${name}.log`);
  const lines = Array.from({ length: LINES }, (_, i) => format(new Date(first + i * STEP_MS)));
  writeFileSync(path, `${lines.join('\n')}\n`);
  const end = (first + LINES * STEP_MS) / 1000;
  utimesSync(path, end, end);
  return (await host.openPath({ path }))[0]!.artifact_id;
}

function histogram(params: HistogramParams): Promise<HistogramState> {
  return new Promise((resolve, reject) => {
    host.watchHistogram(params, (state) => state.done && resolve(state), reject);
  });
}

describe('the times of a log', () => {
  it.each(Object.entries(formats))('are known in the format %s', async (name, format) => {
    const document = { artifact_id: await open(name, format) };
    const { rows } = await host.rows({ document, start_line: 1001, count: 2 });
    expect(rows.map(timeOf)).toEqual([start + 1000 * STEP_MS, start + 1001 * STEP_MS]);
    expect(await host.lineAtTime({ document, time: start + 1000 * STEP_MS })).toBe(1001);
    const { edges } = await histogram({ document, bins: 10 });
    expect(edges.length).toBeGreaterThan(2);
    expect(edges[0]!.time).toBeLessThanOrEqual(start);
    for (const { time, line_number } of edges.slice(1, -1))
      expect(line_number).toBe(1 + Math.ceil((time - start) / STEP_MS));
  });

  it('put lines without years in order beside lines with years', async () => {
    const ids = [
      await open('syslog', formats.syslog!),
      await open('nginx_error', formats.nginx_error!, start + 1000),
      await open('pino', formats.pino!, start + 2000),
    ];
    const document = { artifact_id: mergedId(ids), merged: ids };
    const { rows } = await host.rows({ document, start_line: 1, count: 60 });
    expect(rows.map(({ part }) => part)).toEqual(rows.map((_, i) => i % 3));
    expect(rows.map(timeOf)).toEqual(rows.map((_, i) => start + i * 1000));
    expect(await host.lineAtTime({ document, time: start + 3000 })).toBe(4);
  });
});
