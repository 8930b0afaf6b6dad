/** The real host on real files, as a window sees it over each transport. */
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { Connection, LibraryEvent } from '../../../shared/api/api.ts';
import { connectionOver } from '../../../shared/api/client.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { untilPasses } from '../../fixtures/until.ts';
import { type Link, transports } from './transports.ts';

const numbered = (from: number, to: number) => {
  let text = '';
  for (let n = from; n <= to; n++) text += `line ${n} \u001b[32mgreen\u001b[0m äöü\n`;
  return text;
};

describe.each(transports)('a window over $name', (transport) => {
  let base: string;
  let file: string;
  let host: Host;
  let link: Link;
  let window: Connection;

  beforeEach(async () => {
    base = makeFolder();
    mkdirSync(path.join(base, 'home'), { mode: 0o700 });
    mkdirSync(path.join(base, 'logs'));
    file = path.join(base, 'logs', 'build.log');
    writeFileSync(file, numbered(1, 5000));
    host = await createHost({ home: path.join(base, 'home'), paths: [path.join(base, 'logs')], watch: true });
    link = await transport.serve(host);
    window = connectionOver(link.client);
  });

  afterEach(async () => {
    await link.dispose();
    await host.close();
    removeFolder(base);
  });

  async function only(): Promise<string> {
    const { outputs } = await window.request('list', {});
    expect(outputs).toHaveLength(1);
    return outputs[0]!.artifact_id;
  }

  it('reads rows at any depth, with their colours', async () => {
    const document = { artifact_id: await only() };
    const { rows, start_line } = await window.request('rows', { document, start_line: 4999, count: 512 });
    expect(start_line).toBe(4999);
    expect(rows.map((row) => row.text)).toEqual(['line 4999 green äöü', 'line 5000 green äöü']);
    expect(rows[0]!.runs).toEqual([{ start: 10, end: 15, fg: 2, style: 0 }]);
    const last = await window.request('rows', { document, start_line: 1, count: 1, from_end: true });
    expect(last.rows[0]!.text).toBe('line 5000 green äöü');
    const line = await window.request('lineAt', { document, offset: rows[1]!.offset });
    expect(line).toBe(5000);
  });

  it('gets the views that the host gives', async () => {
    const artifact_id = await only();
    for (const params of [
      { artifact_id, mode: 'head' as const, lines: 3 },
      { artifact_id, mode: 'tail' as const, lines: 3 },
      { artifact_id, mode: 'range' as const, start_line: 2500, end_line: 2600 },
      { artifact_id, mode: 'summary' as const },
      { file_path: file, mode: 'head' as const, raw: true },
    ]) {
      expect(await window.request('inspect', params)).toEqual(await host.inspect(params));
    }
    const asked = { artifact_id, offset: 1000, limit: 500 };
    expect(await window.request('read', asked)).toEqual(await host.read(asked));
  });

  it('hears of an id and a path that are not there, with the nearest', async () => {
    const id = await only();
    const wrong = `${id.slice(0, -6)}000000`;
    await expect(window.request('inspect', { artifact_id: wrong })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(id),
    });
    await expect(window.request('openPath', { path: path.join(base, 'lgos') })).rejects.toMatchObject({
      code: 'not_found',
    });
    const error = await new Promise((resolve) =>
      window.subscribe('document', { artifact_id: wrong }, () => {}, resolve),
    );
    expect(error).toMatchObject({ code: 'not_found' });
  });

  it('watches a document grow, be counted, and start anew when it is cut', async () => {
    const document = { artifact_id: await only() };
    const states: DocumentState[] = [];
    const errors: Error[] = [];
    const stop = window.subscribe(
      'document',
      document,
      (state) => states.push(state),
      (error) => errors.push(error),
    );
    const now = () => states.at(-1);
    await untilPasses(() => expect(now()).toMatchObject({ total_lines: 5000, condition: 'ok' }));
    const { generation } = now()!;

    appendFileSync(file, numbered(5001, 6000));
    await untilPasses(() => expect(now()).toMatchObject({ total_lines: 6000, generation }));
    expect(now()!.indexed_bytes).toBe(now()!.total_bytes);
    const { rows } = await window.request('rows', { document, start_line: 6000, count: 1 });
    expect(rows[0]!.text).toBe('line 6000 green äöü');

    truncateSync(file, 0);
    appendFileSync(file, 'all over\n');
    await untilPasses(() => expect(now()).toMatchObject({ total_lines: 1 }));
    expect(now()!.generation).toBeGreaterThan(generation);
    const anew = await window.request('rows', { document, start_line: 1, count: 10 });
    expect(anew.rows.map((row) => row.text)).toEqual(['all over']);
    expect(anew.generation).toBe(now()!.generation);

    rmSync(file);
    await untilPasses(() => expect(now()).toMatchObject({ condition: 'vanished' }));
    expect(now()!.problem).not.toBeNull();
    expect(errors).toEqual([]);
    stop();
  });

  it('sees files come and go in the library', async () => {
    const events: LibraryEvent[] = [];
    const known = new Map<string, string>();
    window.subscribe('library', {}, (event) => {
      events.push(event);
      if (event.reset) known.clear();
      for (const id of event.removed) known.delete(id);
      for (const artifact of event.changed) known.set(artifact.artifact_id, artifact.label);
    });
    const labels = () => [...known.values()].sort();
    await untilPasses(() => expect(labels()).toEqual(['build.log']));
    expect(events[0]!.reset).toBe(true);

    writeFileSync(path.join(base, 'logs', 'test.log'), 'one\n');
    await untilPasses(() => expect(labels()).toEqual(['build.log', 'test.log']));
    rmSync(file);
    await untilPasses(() => expect(labels()).toEqual(['test.log']));

    mkdirSync(path.join(base, 'more'));
    writeFileSync(path.join(base, 'more', 'other.log'), 'two\n');
    const artifacts = await window.request('openPath', { path: path.join(base, 'more') });
    expect(artifacts.map((artifact) => artifact.label)).toEqual(['other.log']);
    await untilPasses(() => expect(labels()).toEqual(['other.log', 'test.log']));
    expect(events.filter((event) => event.reset)).toHaveLength(1);
  });

  it('lets go of work that is cancelled, and the host goes on', async () => {
    const artifact_id = await only();
    writeFileSync(file, numbered(1, 400_000));
    const abort = new AbortController();
    const summary = window.request('inspect', { artifact_id, mode: 'summary' }, { signal: abort.signal });
    abort.abort();
    await expect(summary).rejects.toMatchObject({ code: 'cancelled' });
    const tail = await window.request('inspect', { artifact_id, mode: 'tail', lines: 1 });
    expect(tail.content).toBe('line 400000 green äöü');
  });
});
