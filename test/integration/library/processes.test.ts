/** Every process of a home lists the same files, and a window gets them in pages. */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../../electron/host/host.ts';
import { MAX_EVENT_ARTIFACTS } from '../../../shared/limits.ts';
import {
  follow,
  listed,
  paths,
  setUpSource,
  source,
  watching,
} from '../../fixtures/set-up/watched-source.ts';
import { withoutRoot } from '../../fixtures/without-root.ts';

setUpSource();

withoutRoot();

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
    // They do not come again as changes: the next event is about a later file.
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
    await inspector.openPath({ path: source });
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
      const { sources } = await host.stats({});
      expect(sources).toContainEqual(
        expect.objectContaining({ source, file_count: 2, total_bytes: 'text\nmore\nnew\n'.length }),
      );
    }
  });

  it('has what the inspector opened in each of many answers asked for at once', async () => {
    writeFileSync(join(source, 'a.log'), '');
    const inspector = await watching({ publish: true, paths: [] });
    const other = await watching({ paths: [], watch: false });
    await inspector.openPath({ path: source });
    const answers = await Promise.all([1, 2, 3].map(() => other.list({})));
    expect(answers.map(({ outputs }) => outputs.length)).toEqual([1, 1, 1]);
  });

  it('has all that the inspector was asked to open at once', async () => {
    const names = ['a.log', 'b.log', 'c.log'];
    for (const name of names) writeFileSync(join(source, name), '');
    const inspector = await watching({ publish: true, paths: [] });
    await Promise.all(names.map((name) => inspector.openPath({ path: join(source, name) })));
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
