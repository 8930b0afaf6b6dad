/** A watched source follows every change on disk, and every process that looks lists the same. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { UNREADABLE } from '../../../electron/library/files/known-files.ts';
import type { LibraryEvent } from '../../../shared/api/api.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { MAX_EVENT_ARTIFACTS } from '../../../shared/limits.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { withoutRoot } from '../../fixtures/without-root.ts';

withoutRoot();

let folder: string;
let source: string;
let home: string;
const hosts: Host[] = [];

beforeEach(() => {
  folder = makeFolder();
  source = join(folder, 'source');
  home = join(folder, 'home');
  mkdirSync(source);
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
  removeFolder(folder);
});

async function watching(
  options: { paths?: string[]; publish?: boolean; watch?: boolean } = {},
): Promise<Host> {
  const host = await createHost({ home, watch: true, threads: 0, paths: [source], ...options });
  hosts.push(host);
  return host;
}

const listed = async (host: Host) => (await host.list({ limit: 10_000 })).outputs;
const paths = async (host: Host) =>
  (await listed(host)).map((artifact) => artifact.streams[0]!.file_path!.slice(source.length + 1)).sort();
const warnings = async (host: Host) => (await listed(host)).map((artifact) => artifact.warnings);

/** The artifacts known to a window that follows the library. */
function follow(host: Host) {
  const known = new Map<string, Artifact>();
  const events: LibraryEvent[] = [];
  host.watchLibrary((event) => {
    events.push(event);
    if (event.reset) known.clear();
    for (const id of event.removed) known.delete(id);
    for (const artifact of event.changed) known.set(artifact.artifact_id, artifact);
  });
  return { known, events };
}

describe('a source that is watched', () => {
  it('is deleted, and made again: so are its files in the list', async () => {
    mkdirSync(join(source, 'inner'));
    writeFileSync(join(source, 'inner', 'a.log'), '');
    const host = await watching();
    rmSync(source, { recursive: true });
    await expect.poll(() => paths(host)).toEqual([]);
    await expect.poll(() => host.warnings.join()).toMatch(/source no longer exists; its files reappear/);
    mkdirSync(join(source, 'inner'), { recursive: true });
    writeFileSync(join(source, 'inner', 'b.log'), '');
    await expect.poll(() => paths(host)).toEqual(['inner/b.log']);
    await expect.poll(() => host.warnings).toEqual([]);
    writeFileSync(join(source, 'inner', 'c.log'), '');
    await expect.poll(() => paths(host)).toEqual(['inner/b.log', 'inner/c.log']);
  });

  it('shows folders that come, with all that is in them, are renamed, and go', async () => {
    const host = await watching();
    mkdirSync(join(folder, 'made', 'deep'), { recursive: true });
    writeFileSync(join(folder, 'made', 'deep', 'a.log'), '');
    renameSync(join(folder, 'made'), join(source, 'one'));
    await expect.poll(() => paths(host)).toEqual(['one/deep/a.log']);
    renameSync(join(source, 'one'), join(source, 'two'));
    await expect.poll(() => paths(host)).toEqual(['two/deep/a.log']);
    appendFileSync(join(source, 'two', 'deep', 'a.log'), 'more');
    await expect.poll(async () => (await listed(host))[0]?.streams[0]?.total_bytes).toEqual(4);
    rmSync(join(source, 'two'), { recursive: true });
    await expect.poll(() => paths(host)).toEqual([]);
  });

  it('never follows a link that takes the place of a file, of a folder, or of itself', async () => {
    mkdirSync(join(source, 'inner'));
    mkdirSync(join(folder, 'outside'));
    for (const path of ['source/inner/a.log', 'source/b.log', 'outside/a.log', 'outside/b.log'])
      writeFileSync(join(folder, path), path);
    const host = await watching();
    const { events } = follow(host);
    rmSync(join(source, 'inner'), { recursive: true });
    symlinkSync(join(folder, 'outside'), join(source, 'inner'));
    unlinkSync(join(source, 'b.log'));
    symlinkSync(join(folder, 'outside', 'b.log'), join(source, 'b.log'));
    writeFileSync(join(source, 'c.log'), '');
    await expect.poll(() => paths(host)).toEqual(['c.log']);
    renameSync(source, join(folder, 'moved'));
    symlinkSync(join(folder, 'outside'), source);
    await expect.poll(() => paths(host)).toEqual([]);
    unlinkSync(source);
    renameSync(join(folder, 'moved'), source);
    await expect.poll(() => paths(host)).toEqual(['c.log']);
    const sizes = events.flatMap((event) =>
      event.changed.map((artifact) => artifact.streams[0]!.total_bytes),
    );
    expect(sizes.filter((size) => size === 'outside/a.log'.length)).toEqual([]);
  });

  it('says of a file that it may not be read, and of a folder among the warnings', async () => {
    mkdirSync(join(source, 'inner'));
    writeFileSync(join(source, 'a.log'), '');
    writeFileSync(join(source, 'inner', 'b.log'), '');
    const host = await watching();
    chmodSync(join(source, 'a.log'), 0);
    chmodSync(join(source, 'inner'), 0);
    try {
      await expect.poll(() => warnings(host)).toEqual([[UNREADABLE]]);
      expect(await warnings(await watching({ watch: false }))).toEqual([[UNREADABLE]]);
      await expect
        .poll(() => host.warnings.join())
        .toMatch(/no permission to read .*inner: change its permissions/);
    } finally {
      chmodSync(join(source, 'inner'), 0o755);
    }
    chmodSync(join(source, 'a.log'), 0o644);
    await expect.poll(() => warnings(host)).toEqual([[], []]);
    await expect.poll(() => host.warnings).toEqual([]);
  });

  it('may be a single file, that is replaced, goes and comes back', async () => {
    const path = join(source, 'a.log');
    writeFileSync(path, 'one');
    writeFileSync(join(source, 'other.log'), '');
    const host = await watching({ paths: [path] });
    const size = async () => (await listed(host)).map((artifact) => artifact.streams[0]!.total_bytes);
    await expect.poll(size).toEqual([3]);
    writeFileSync(`${path}.new`, 'three');
    renameSync(`${path}.new`, path);
    await expect.poll(size).toEqual([5]);
    unlinkSync(path);
    await expect.poll(size).toEqual([]);
    writeFileSync(path, 'back');
    await expect.poll(size).toEqual([4]);
  });
});

describe('what a window is told', () => {
  it('comes in pages, the newest first', async () => {
    const count = 2 * MAX_EVENT_ARTIFACTS + 10;
    for (let i = 0; i < count; i += 1) writeFileSync(join(source, `file-${i}`), '');
    const host = await watching();
    const { known, events } = follow(host);
    expect(events.length).toBe(1);
    await expect.poll(() => known.size).toEqual(count);
    expect(events.map((event) => [event.reset, event.changed.length])).toEqual([
      [true, MAX_EVENT_ARTIFACTS],
      [false, MAX_EVENT_ARTIFACTS],
      [false, 10],
    ]);
    expect([...known.values()]).toEqual(await listed(host));
    // Nor are they told once more, as changes: the next event is that of a later file.
    writeFileSync(join(source, 'later.log'), '');
    await expect.poll(() => known.size).toBe(count + 1);
    expect(events.length).toBe(4);
    rmSync(source, { recursive: true });
    await expect.poll(() => known.size).toEqual(0);
    for (const { changed, removed } of events)
      expect(changed.length + removed.length).toBeLessThanOrEqual(MAX_EVENT_ARTIFACTS);
  });
});

describe('every process of a home', () => {
  it('lists, counts and shows the same files', async () => {
    const inspector = await watching({ publish: true, paths: [] });
    const agent = await watching({ paths: [] });
    const { known } = follow(agent);
    mkdirSync(join(source, 'inner'));
    for (const name of ['a.log', 'inner/b.log']) writeFileSync(join(source, name), 'text\n');
    await inspector.openPath(source);
    await expect.poll(() => known.size).toEqual(2);
    appendFileSync(join(source, 'a.log'), 'more\n');
    unlinkSync(join(source, 'inner', 'b.log'));
    renameSync(join(source, 'inner'), join(source, 'moved'));
    writeFileSync(join(source, 'moved', 'c.log'), 'new\n');
    await expect.poll(() => paths(agent)).toEqual(['a.log', 'moved/c.log']);
    await expect.poll(() => paths(inspector)).toEqual(['a.log', 'moved/c.log']);
    await expect.poll(async () => [...known.values()].length).toEqual(2);
    const fresh = await watching({ paths: [], watch: false });
    const whole = await listed(fresh);
    await expect.poll(async () => JSON.stringify(await listed(inspector))).toEqual(JSON.stringify(whole));
    await expect.poll(async () => JSON.stringify(await listed(agent))).toEqual(JSON.stringify(whole));
    for (const host of [fresh, inspector, agent]) {
      const { sources } = await host.stats();
      expect(sources).toContainEqual(
        expect.objectContaining({ source, file_count: 2, total_bytes: 'text\nmore\nnew\n'.length }),
      );
    }
  });

  it('has what the inspector opened in each of many answers asked for at once', async () => {
    writeFileSync(join(source, 'a.log'), '');
    const inspector = await watching({ publish: true, paths: [] });
    const other = await watching({ paths: [], watch: false });
    await inspector.openPath(source);
    const answers = await Promise.all([1, 2, 3].map(() => other.list({})));
    expect(answers.map(({ outputs }) => outputs.length)).toEqual([1, 1, 1]);
  });

  it('has all that the inspector was asked to open at once', async () => {
    const names = ['a.log', 'b.log', 'c.log'];
    for (const name of names) writeFileSync(join(source, name), '');
    const inspector = await watching({ publish: true, paths: [] });
    await Promise.all(names.map((name) => inspector.openPath(join(source, name))));
    expect(await paths(await watching({ paths: [], watch: false }))).toEqual(names);
  });

  it('gives each of two files that want one id the same id, whichever it finds first', async () => {
    const [one, two] = twins();
    for (const name of [one, two]) mkdirSync(join(source, name));
    // In one second, or they want different ids.
    for (let tries = 0; tries < 10; tries += 1) {
      for (const name of [one, two]) {
        rmSync(join(source, name, 'a.log'), { force: true });
        writeFileSync(join(source, name, 'a.log'), name);
      }
      const seconds = [one, two].map((name) =>
        Math.floor(statSync(join(source, name, 'a.log')).birthtimeMs / 1000),
      );
      if (seconds[0] === seconds[1]) break;
    }
    const ids = async (host: Host) =>
      (await listed(host)).map((artifact) => [artifact.streams[0]!.file_path, artifact.artifact_id]).sort();
    const whole = await ids(await watching({ watch: false }));
    expect(new Set(whole.map(([, id]) => id)).size).toBe(2);
    const host = await watching({ paths: [join(source, two), join(source, one)] });
    expect(await ids(host)).toEqual(whole);
    for (const [path, id] of whole) expect((await host.inspect({ artifact_id: id! })).file_path).toBe(path);
    // The one that had to step back has the first id as soon as that is free.
    unlinkSync(whole[0]![0]!);
    await expect.poll(() => ids(host)).toEqual([[whole[1]![0]!, whole[0]![1]!]]);
  });
});

/** Names of two folders whose files `a.log` want the same six digits. */
function twins(): [string, string] {
  const seen = new Map<string, string>();
  for (let i = 0; ; i += 1) {
    const hex = createHash('sha256')
      .update(join(source, `d${i}`, 'a.log'))
      .digest('hex')
      .slice(0, 6);
    const other = seen.get(hex);
    if (other !== undefined) return [other, `d${i}`];
    seen.set(hex, `d${i}`);
  }
}

describe('an open document', () => {
  async function open(path: string): Promise<{ host: Host; id: string; states: DocumentState[] }> {
    const host = await watching();
    const id = (await listed(host)).find((artifact) => artifact.streams[0]!.file_path === path)!.artifact_id;
    const states: DocumentState[] = [];
    host.watchDocument(
      { artifact_id: id },
      (state) => states.push(state),
      () => {},
    );
    await expect.poll(() => states.at(-1)?.condition).toEqual('ok');
    return { host, id, states };
  }

  it('says that its file may no longer be read, and gives an agent none of what was read before', async () => {
    const path = join(source, 'a.log');
    writeFileSync(path, 'old text\n');
    const { host, id, states } = await open(path);
    chmodSync(path, 0);
    await expect.poll(() => states.at(-1)?.condition).toEqual('no_permission');
    expect(states.at(-1)?.problem?.what).toBe('the file may no longer be read');
    const { rows } = await host.rows({ document: { artifact_id: id }, start_line: 1, count: 1 });
    expect(rows[0]?.text).toBe('old text');
    await expect(host.inspect({ artifact_id: id }, { access: 'agent' })).rejects.toMatchObject({
      code: 'no_permission',
    });
    const other = await watching();
    await expect(other.inspect({ artifact_id: id })).rejects.toMatchObject({ code: 'no_permission' });
    chmodSync(path, 0o600);
    await expect.poll(() => states.at(-1)?.condition).toEqual('ok');
  });

  it('says that a link, a folder, or nothing is in the place of its file', async () => {
    const path = join(source, 'a.log');
    writeFileSync(path, 'text\n');
    writeFileSync(join(folder, 'outside.log'), 'outside\n');
    const { host, id, states } = await open(path);
    unlinkSync(path);
    symlinkSync(join(folder, 'outside.log'), path);
    await expect.poll(() => states.at(-1)?.problem?.what).toEqual('the file is gone, a link is in its place');
    unlinkSync(path);
    mkdirSync(path);
    await expect
      .poll(() => states.at(-1)?.problem?.what)
      .toEqual('something else is in the place of the file');
    const { rows } = await host.rows({ document: { artifact_id: id }, start_line: 1, count: 1 });
    expect(rows[0]?.text).toBe('text');
    await expect(host.inspect({ artifact_id: id }, { access: 'agent' })).rejects.toThrow();
  });

  it('has the new text of a file that was written twice in one tick of the clock', async () => {
    const path = join(source, 'a.log');
    const tick = new Date(Date.now() + 60_000);
    const write = (text: string) => {
      writeFileSync(path, text);
      utimesSync(path, tick, tick);
    };
    write('one\n');
    const { host, id } = await open(path);
    const text = async () => (await host.inspect({ artifact_id: id })).content;
    expect(await text()).toBe('one');
    write('two\n');
    expect(await text()).toBe('two');
  });

  it('takes in what is added to a compressed file', async () => {
    const path = join(source, 'a.log.gz');
    writeFileSync(path, gzipSync('one\n'));
    const { states } = await open(path);
    for (let lines = 2; lines < 5; lines += 1) {
      appendFileSync(path, gzipSync('more\n'));
      await expect.poll(() => states.at(-1)?.total_lines).toEqual(lines);
    }
  });

  it('says that its file is gone when the folder above became a link to where the file is now', async () => {
    mkdirSync(join(source, 'inner'));
    writeFileSync(join(source, 'inner', 'a.log'), 'text\n');
    const { states } = await open(join(source, 'inner', 'a.log'));
    renameSync(join(source, 'inner'), join(folder, 'moved'));
    symlinkSync(join(folder, 'moved'), join(source, 'inner'));
    await expect.poll(() => states.at(-1)?.condition).toEqual('vanished');
  });
});
