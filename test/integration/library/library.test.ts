import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../../electron/host/host.ts';
import { fileArtifact } from '../../../electron/library/files/file-artifact.ts';
import { type Artifact, ArtifactId } from '../../../shared/artifact.ts';
import { folder, home, setUpSource, source, watching } from '../../fixtures/set-up/watched-source.ts';
import { until } from '../../fixtures/until.ts';

setUpSource();

const makeHost = (options: Parameters<typeof watching>[0] = {}) =>
  watching({ watch: false, paths: [], ...options });

const names = (artifacts: readonly Artifact[]) => artifacts.map((artifact) => artifact.label).sort();
const listed = async (host: Host) => (await host.list({ limit: 1000 })).outputs;

describe('a directory that was opened', () => {
  it('gives its files to a depth of 8, without links, hidden folders, node_modules, pipes or our own home', async () => {
    const deep = join(source, ...'12345678'.split(''));
    mkdirSync(join(deep, '9'), { recursive: true });
    writeFileSync(join(deep, 'deepest.log'), '');
    writeFileSync(join(deep, '9', 'too-deep.log'), '');
    for (const name of ['.hidden', 'node_modules', 'plain']) {
      mkdirSync(join(source, name));
      writeFileSync(join(source, name, `in-${name}.log`), '');
    }
    writeFileSync(join(source, '.hidden-file'), '');
    writeFileSync(join(folder, 'outside.log'), '');
    symlinkSync(join(folder, 'outside.log'), join(source, 'link.log'));
    symlinkSync(folder, join(source, 'folder-link'));
    execFileSync('mkfifo', [join(source, 'pipe')]);
    const inside = join(source, 'home');
    mkdirSync(join(inside, 'captures'), { recursive: true });
    writeFileSync(join(inside, 'captures', 'own.log'), '');
    for (const watch of [false, true]) {
      const host = await makeHost({ home: inside, watch });
      await host.openPath({ path: source });
      expect(names(await listed(host))).toEqual(['.hidden-file', 'deepest.log', 'in-plain.log']);
      if (!watch) continue;
      // The watches tell of the last, so they would have told of the others.
      for (const inner of [
        join(deep, '9'),
        ...['.hidden', 'node_modules', 'home'].map((name) => join(source, name)),
      ])
        writeFileSync(join(inner, 'unseen.log'), '');
      writeFileSync(join(source, 'plain', 'seen.log'), '');
      await until(async () => names(await listed(host)).includes('seen.log'));
      expect(names(await listed(host))).toEqual(['.hidden-file', 'deepest.log', 'in-plain.log', 'seen.log']);
    }
  });

  it('has ids that obey the contract, whatever the names, and are the same in every process', async () => {
    const odd = [
      'a b.log',
      '日本語.txt',
      '..leading',
      `${'x'.repeat(200)}.log`,
      '-dash',
      "quote'\n.log",
      'plain.json',
    ];
    for (const name of odd) writeFileSync(join(source, name), name);
    const one = await listed(await makeHost({ paths: [source] }));
    const two = await listed(await makeHost({ watch: true, paths: [source] }));
    expect(names(one)).toEqual([...odd].sort());
    for (const artifact of one) expect(ArtifactId.safeParse(artifact.artifact_id).success).toBe(true);
    expect(new Set(one.map((artifact) => artifact.artifact_id)).size).toBe(odd.length);
    expect(two).toEqual(one);
  });

  it('is listed newest first, in pages that neither repeat nor leave out', async () => {
    for (let i = 0; i < 25; i += 1) writeFileSync(join(source, `part-${i}`), '');
    const host = await makeHost({ paths: [source] });
    const whole = await listed(host);
    expect(
      [...whole]
        .sort((a, b) => (a.started_at! < b.started_at! ? 1 : -1))
        .map((artifact) => artifact.started_at),
    ).toEqual(whole.map((artifact) => artifact.started_at));
    const paged: Artifact[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await host.list({ limit: 7, ...(cursor ? { cursor } : {}) });
      paged.push(...page.outputs);
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(whole);
    // Ids end in six hexadecimal digits of a hash, so the query must not consist of such digits.
    expect(names((await host.list({ query: 'Part-2', limit: 100 })).outputs)).toEqual([
      'part-2',
      'part-20',
      'part-21',
      'part-22',
      'part-23',
      'part-24',
    ]);
    expect((await host.list({ kind: 'cmd' })).outputs).toEqual([]);
    await expect(host.list({ cursor: 'nonsense' })).rejects.toThrow(/unknown cursor/);
  });

  it('tells its watchers of files that appear, grow, are renamed or go', async () => {
    const host = await makeHost({ watch: true, paths: [source] });
    const known = new Map<string, Artifact>();
    host.watchLibrary(({ changed, removed }) => {
      for (const artifact of changed) known.set(artifact.artifact_id, artifact);
      for (const id of removed) known.delete(id);
    });
    const labels = () => names([...known.values()]).join();
    writeFileSync(join(source, 'a.log'), 'x');
    await until(() => labels() === 'a.log');
    appendFileSync(join(source, 'a.log'), 'yz');
    await until(() => [...known.values()][0]?.streams[0]?.total_bytes === 3);
    renameSync(join(source, 'a.log'), join(source, 'b.log'));
    await until(() => labels() === 'b.log');
    unlinkSync(join(source, 'b.log'));
    await until(() => known.size === 0);
  });
});

describe('what a list says of a file', () => {
  it('is what its own encoding tells, whatever encoding a view was asked for in', async () => {
    writeFileSync(join(source, 'a.log'), 'one\ntwo\n');
    const host = await makeHost({ paths: [source] });
    const [artifact] = await listed(host);
    const target = { artifact_id: artifact!.artifact_id };
    expect((await host.inspect({ ...target, encoding: 'utf-16le' })).total_lines).toBe(1);
    expect((await listed(host))[0]!.streams[0]!.total_lines).toBeNull();
    await host.inspect(target);
    expect((await listed(host))[0]!.streams[0]!.total_lines).toBe(2);
    await host.inspect({ ...target, encoding: 'utf-16le' });
    expect((await listed(host))[0]!.streams[0]!.total_lines).toBe(2);
  });

  it('is told though the file claims to be from a time beyond all dates', () => {
    const path = join(source, 'a.log');
    writeFileSync(path, '');
    // Some file systems keep such a time; on others it can't be set.
    const stats = Object.assign(statSync(path), { mtime: new Date(Number.NaN), mtimeMs: 9e15 });
    expect(fileArtifact(path, stats, null).ended_at).toBeNull();
  });
});

describe('what the running inspector has open', () => {
  it('is found by its id in other processes of the same home, until it is removed', async () => {
    writeFileSync(join(source, 'a.log'), 'text\n');
    const inspector = await makeHost({ publish: true });
    const other = await makeHost();
    const [artifact] = await inspector.openPath({ path: join(source, 'a.log'), agents: true });
    const id = artifact!.artifact_id;
    expect((await other.inspect({ artifact_id: id })).content).toBe('text');
    expect((await other.inspect({ artifact_id: id }, { access: 'agent' })).content).toBe('text');
    await inspector.removeSource({ path: join(source, 'a.log') });
    const later = await makeHost();
    await expect(later.inspect({ artifact_id: id })).rejects.toThrow(/no artifact has the id/);
  });
});

describe('config.json', () => {
  it('names sources of the user, and one that agents may not read', async () => {
    mkdirSync(join(folder, 'private'));
    writeFileSync(join(source, 'open.log'), '');
    writeFileSync(join(folder, 'private', 'own.log'), '');
    const sources = [source, { path: join(folder, 'private'), mcp: false }, { path: folder, enabled: false }];
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({ sources, maxLineChar: 10, maxReplyBytes: 'many' }),
    );
    const host = await makeHost();
    expect(names(await listed(host))).toEqual(['open.log', 'own.log']);
    expect(names((await host.list({}, { access: 'agent' })).outputs)).toEqual(['open.log']);
    const own = (await listed(host)).find((artifact) => artifact.label === 'own.log')!;
    await expect(host.inspect({ artifact_id: own.artifact_id }, { access: 'agent' })).rejects.toThrow(
      /no artifact has the id/,
    );
    expect(host.warnings.join('\n')).toMatch(/maxReplyBytes must be a whole number/);
    expect(host.warnings.join('\n')).toMatch(/unknown setting "maxLineChar", did you mean maxLineChars\?/);
  });

  it('that is broken stops nothing', async () => {
    writeFileSync(join(home, 'config.json'), '{ "sources": [');
    const host = await makeHost();
    expect((await listed(host)).length).toBe(0);
    expect(host.warnings.join()).toMatch(/not valid JSON/);
  });
});
