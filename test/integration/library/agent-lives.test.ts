/** The life of a capture, of each agent, in each of its places, while it is watched. */
import { appendFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { AgentHome, jsonLines, type Layout } from '../../fixtures/agents/homes.ts';
import { LAYOUTS } from '../../fixtures/agents/layouts.ts';
import { untilPasses } from '../../fixtures/until.ts';

/** Facts of one capture in each agent's whole layout. */
const TOLD: Readonly<Record<string, readonly [end: string, told: Partial<Artifact>]>> = {
  'claude-code': ['b92wlmxk1.output', { command: 'npm run slow', exit_code: 4 }],
  codex: ['.jsonl', { label: 'Codex session, 1 command' }],
  gemini: ['__c4vs.txt', { command: 'seq 1 3000; exit 3', exit_code: 3 }],
  copilot: ['.log', { command: 'serve', exit_code: 7 }],
  qwen: ['0123456789ab.output', { command: 'npm test', exit_code: 2 }],
  kimi: ['output.log', { command: 'seq 1 2000; exit 3', exit_code: 3 }],
  pi: ['.log', { command: 'seq 1 2000; exit 3', exit_code: 3 }],
  cline: ['-a1b2c3d.log', { command: 'npm test', exit_code: 1 }],
  cursor: ['863581.txt', { command: 'npm "test"', exit_code: 1 }],
};
const FUTURE = '=== capture of version 99 ===\nheader: {"new": true}\n\ntext\n';

let agents: AgentHome;
let host: LocalHost;
let secret: string;
beforeEach(async () => {
  agents = new AgentHome();
  secret = agents.write('outside/secret.txt', 'secret of another size\n');
  host = await createHost({
    home: join(agents.folder, 'spillway'),
    watch: true,
    publish: true,
    threads: 0,
    user: agents.user,
  });
});
afterEach(async () => {
  await host.close();
  agents.remove();
});

/** Artifacts by path below the folder. */
async function listed(): Promise<Map<string, Artifact>> {
  const { outputs } = await host.list({ limit: 100 });
  const below = (one: Artifact) => one.streams[0]!.file_path!.slice(agents.folder.length + 1);
  return new Map(outputs.map((one) => [below(one), one]));
}

async function untilSizes(sizes: Readonly<Record<string, number>>): Promise<void> {
  await untilPasses(async () => {
    const found = [...(await listed())].map(([path, { streams }]) => [path, streams[0]!.total_bytes]);
    expect(Object.fromEntries(found)).toEqual(sizes);
  });
}

const textsOf = ({ captures }: Layout) =>
  Object.entries(captures).map(([path, content]): [path: string, text: string] => [
    path,
    typeof content === 'string' ? content : jsonLines(content),
  ]);

describe('a capture of', () => {
  it.each(Object.keys(LAYOUTS))('%s', async (agent) => {
    const layout = LAYOUTS[agent]!;
    const texts = textsOf(layout);
    const at = (path: string) => join(agents.folder, path);
    const each = (size: (text: string, path: string) => number) =>
      untilSizes(Object.fromEntries(texts.map(([path, text]) => [path, size(text, path)])));
    const half = (text: string) => text.slice(0, Math.floor(text.length / 2));

    // Half-written: it appears, and its facts are not guessed.
    for (const [path, text] of texts) agents.write(path, half(text));
    await each((text) => Buffer.byteLength(half(text)));
    for (const artifact of (await listed()).values())
      expect(artifact).toMatchObject({ source: agent, agent: { name: agent } });

    // It grows and ends; what tells about it comes last.
    for (const [path, text] of texts) appendFileSync(at(path), text.slice(half(text).length));
    await each((text) => Buffer.byteLength(text));
    agents.lay({ captures: {}, others: layout.others ?? {}, links: layout.links ?? {} });
    const [end, told] = TOLD[agent] ?? ['', {}];
    await untilPasses(async () => {
      const [artifact] = [...(await listed())].filter(([path]) => path.endsWith(end)).map(([, one]) => one);
      expect(artifact).toMatchObject(told);
    });

    // Rotated: another file has its name, and the old one is none of the agent's.
    for (const [path] of texts) {
      renameSync(at(path), `${at(path)}.1`);
      writeFileSync(at(path), 'anew\n');
    }
    await each(() => 5);

    // A future version with an unknown header replaces the file. It is shown unchanged.
    for (const [path] of texts) {
      const staged = agents.write(`outside/${path}`, FUTURE);
      renameSync(staged, at(path));
    }
    await each(() => FUTURE.length);
    for (const { artifact_id } of (await listed()).values()) {
      const { content } = await host.inspect({ artifact_id, mode: 'head' });
      expect(content).toBe(FUTURE.trimEnd());
    }

    // Deleted, with a link in its place: that leads nowhere.
    for (const [path] of texts) {
      rmSync(at(path));
      symlinkSync(secret, at(path));
    }
    await untilSizes({});
    // And back.
    for (const [path] of texts) {
      rmSync(at(path));
      writeFileSync(at(path), 'back\n');
    }
    await each(() => 5);
    for (const [path] of texts) rmSync(at(path));
    await untilSizes({});
  });
});
