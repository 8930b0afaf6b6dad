/**
 * Random histories of a folder beside a host that watches it. SPILLWAY_HISTORIES: how many of each (8).
 * Where the tests run as root, which permissions do not bind, the process takes on another user's rights meanwhile.
 */
import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { UNREADABLE } from '../../../electron/library/files/known-file.ts';
import { directory } from '../../../electron/library/source.ts';
import { FolderTree } from '../../../electron/library/watching/tree.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { diskHere } from '../../fixtures/disk.ts';
import fc from '../../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { Deed, FileHistory, OUTSIDE } from '../../fixtures/library/file-history.ts';
import { untilPasses } from '../../fixtures/until.ts';
import { withoutRoot } from '../../fixtures/without-root.ts';

const runs = Number(process.env.SPILLWAY_HISTORIES ?? 8);
withoutRoot();

describe('a folder to which anything may happen', () => {
  it('is shown as it is in the end, and never as it never was', async () => {
    await fc.assert(fc.asyncProperty(fc.array(Deed, { minLength: 20, maxLength: 50, size: 'max' }), check), {
      numRuns: runs,
      endOnFailure: process.env.SPILLWAY_SHRINK === undefined,
    });
  });
});

describe('the watches of a folder to which anything may happen', () => {
  it('tell by themselves what is there in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Deed, { minLength: 20, maxLength: 50, size: 'max' }), checkTree),
      {
        numRuns: runs,
        endOnFailure: process.env.SPILLWAY_SHRINK === undefined,
      },
    );
  });
});

async function checkTree(deeds: readonly Deed[]): Promise<void> {
  const folder = makeFolder();
  const history = new FileHistory(folder);
  const sizes = new Map<string, number>();
  const tree = new FolderTree(
    { path: history.source, kind: directory, readableOverMcp: true },
    {
      home: join(folder, 'home'),
      disk: diskHere,
      watch: true,
      see: (path, stats) => sizes.set(path, stats.size),
      lose: (path) => sizes.delete(path),
      vanished: () => {},
      problem: () => {},
      silent: () => {},
    },
  );
  try {
    await tree.round();
    for (const deed of deeds) {
      // A part of the history: what happens meets each stage of the watches' own delays.
      if (deed.does === 'wait') await wait(deed.ms);
      else history.do(deed);
    }
    const truth = [...history.truth()].map(([path]) => [path, lstatSync(path).size]).sort();
    const seen = () => [...sizes].sort();
    await expect.poll(seen).toEqual(truth);
  } finally {
    tree.close();
    openUp(folder);
    removeFolder(folder);
  }
}

async function check(deeds: readonly Deed[]): Promise<void> {
  const folder = makeFolder();
  const history = new FileHistory(folder);
  const home = join(folder, 'home');
  const host = await createHost({ home, watch: true, threads: 0, paths: [history.source] });
  try {
    const client = new Client(host, history);
    for (const deed of deeds) {
      if (deed.does === 'wait') await wait(deed.ms);
      else history.do(deed);
      client.open();
    }
    await client.agrees(home);
    expect(client.wrong).toEqual([]);
  } finally {
    await host.close();
    openUp(folder);
    removeFolder(folder);
  }
}

/** A window that applies the library's events, and opens every file it has not opened yet. */
class Client {
  readonly wrong: string[] = [];
  readonly #host: Host;
  readonly #history: FileHistory;
  readonly #artifacts = new Map<string, Artifact>();
  readonly #documents = new Map<string, DocumentState | Error>();
  readonly #reading = new Set<Promise<void>>();

  constructor(host: Host, history: FileHistory) {
    this.#host = host;
    this.#history = history;
    host.watchLibrary(({ reset, changed, removed }) => {
      if (reset) this.#artifacts.clear();
      for (const id of removed) this.#artifacts.delete(id);
      for (const artifact of changed) {
        this.#artifacts.set(artifact.artifact_id, artifact);
        const { file_path: path, total_bytes: bytes } = artifact.streams[0]!;
        if (!history.hadSize(path!, bytes)) this.wrong.push(`${path} never had ${bytes} bytes`);
      }
    });
  }

  open(): void {
    for (const id of this.#artifacts.keys()) {
      if (this.#documents.has(id)) continue;
      this.#documents.set(id, new Error('not told yet'));
      this.#host.watchDocument(
        { artifact_id: id },
        (state) => {
          this.#documents.set(id, state);
          this.#read(id);
        },
        (error) => this.#documents.set(id, error),
      );
    }
  }

  /** Waits until the list shows the files that exist. A lasting difference is an error. */
  async agrees(home: string): Promise<void> {
    await untilPasses(() => this.#compare(home));
    await Promise.all(this.#reading);
  }

  async #compare(home: string): Promise<void> {
    const truth = this.#history.truth();
    const shown = facts([...this.#artifacts.values()]);
    expect(shown.map(({ path }) => path)).toEqual([...truth.keys()].sort());
    expect(facts((await this.#host.list({ limit: 1000 })).outputs)).toEqual(shown);
    const other = await createHost({ home, watch: false, threads: 0, paths: [this.#history.source] }).catch(
      () => null,
    );
    if (other && existsSync(this.#history.source)) {
      const listed = facts((await other.list({ limit: 1000 })).outputs);
      await other.close();
      expect(listed).toEqual(shown);
    }
    for (const { path, bytes, id, warnings } of shown) {
      const text = truth.get(path);
      expect(warnings).toEqual(text === null ? [UNREADABLE] : []);
      if (text === null) continue;
      expect(bytes).toBe(Buffer.byteLength(text!));
      expect(await this.#text(id)).toBe(text);
      const state = this.#documents.get(id);
      if (!state || state instanceof Error) continue;
      expect([path, state.condition, state.total_bytes]).toEqual([path, 'ok', bytes]);
    }
    for (const state of this.#documents.values()) {
      if (state instanceof Error) continue;
      const path = state.artifact.streams[0]!.file_path!;
      const text = truth.get(path);
      if (text === undefined) expect([path, state.condition]).not.toEqual([path, 'ok']);
      if (text === null) expect([path, state.condition]).toEqual([path, 'no_permission']);
    }
  }

  /** Whatever is shown on the way is a text that was there, or the beginning of one. */
  #read(id: string): void {
    const reading = this.#text(id)
      .then((text) => {
        if (text.includes(OUTSIDE)) this.wrong.push(`${id} shows what is outside`);
        else if (!this.#history.hadSuchText(text)) this.wrong.push(`${id} shows ${JSON.stringify(text)}`);
      })
      .catch((error) => {
        if (!(error instanceof SpillwayError) || error.code === 'internal') this.wrong.push(String(error));
      })
      .finally(() => this.#reading.delete(reading));
    this.#reading.add(reading);
  }

  async #text(id: string): Promise<string> {
    const { rows } = await this.#host.rows({ document: { artifact_id: id }, start_line: 1, count: 2000 });
    const last = rows.at(-1);
    const text = rows.map((row) => row.text).join('\n');
    if (!last) return '';
    const { total_bytes } = await this.#host
      .inspect({ artifact_id: id, lines: 1 })
      .catch(() => ({ total_bytes: -1 }));
    return total_bytes === last.offset + last.bytes ? text : `${text}\n`;
  }
}

function facts(artifacts: readonly Artifact[]) {
  return artifacts
    .map(({ artifact_id: id, source, status, started_at, ended_at, warnings, streams }) => {
      const { file_path: path, total_bytes: bytes } = streams[0]!;
      return { path: path!, id, source, status, started_at, ended_at, warnings, bytes };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function openUp(path: string): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  chmodSync(path, 0o755);
  if (stats.isDirectory()) for (const name of readdirSync(path)) openUp(join(path, name));
}
