/** A start does not wait for what there is to list, and a list is never told before it is whole. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import type { LibraryEvent } from '../../../shared/api/api.ts';
import { AgentHome } from '../../fixtures/agents/homes.ts';
import { LAYOUTS } from '../../fixtures/agents/layouts.ts';
import { until } from '../../fixtures/until.ts';

const FILES = 200;

let agents: AgentHome;
let host: LocalHost;
let own: string;
let captures: string[];
beforeEach(async () => {
  agents = new AgentHome();
  own = join(agents.folder, 'own');
  mkdirSync(own);
  for (let i = 0; i < FILES; i += 1) writeFileSync(join(own, `${i}.log`), 'text\n');
  captures = agents.lay(LAYOUTS.pi!);
  agents.write('spillway/config.json', JSON.stringify({ sources: [own] }));
  host = await createHost({
    home: join(agents.folder, 'spillway'),
    ...{ watch: true, publish: true, threads: 0, user: agents.user },
    // It never says that it can be used: only questions make it look.
    starting: new Promise<void>(() => {}),
  });
});
afterEach(async () => {
  await host.close();
  agents.remove();
});

it('whoever asks for the list gets all of it, though the start looked at nothing', async () => {
  const { outputs, next_cursor } = await host.list({ limit: 1000 });
  expect(outputs).toHaveLength(FILES + captures.length);
  expect(next_cursor).toBeNull();
});

it('a window is not shown an empty list first', async () => {
  const events: LibraryEvent[] = [];
  const stop = host.watchLibrary((event) => events.push(event));
  await until(() => events.length > 0);
  stop();
  expect(events[0]).toMatchObject({ reset: true, removed: [] });
  expect(events[0]!.changed).toHaveLength(FILES + captures.length);
});

it('a window that has closed meanwhile is told nothing', async () => {
  const events: LibraryEvent[] = [];
  host.watchLibrary((event) => events.push(event))();
  await host.list({});
  expect(events).toEqual([]);
});

it('a file is found by the id that another process gave it', async () => {
  const other = await createHost({
    home: join(agents.folder, 'spillway'),
    ...{ watch: false, threads: 0, user: agents.user },
  });
  const [artifact] = (await other.list({ limit: 1 })).outputs;
  await other.close();
  const view = await host.inspect({ artifact_id: artifact!.artifact_id });
  expect(view.file_path).toBe(artifact!.streams[0]!.file_path);
});

it('storage statistics and the counts of agents are of all files', async () => {
  const { sources } = await host.stats({});
  expect(sources.find(({ source }) => source === own)?.file_count).toBe(FILES);
  const { sources: found } = await host.sources({});
  expect(found.find(({ name }) => name === 'pi')?.captures).toBe(captures.length);
});
