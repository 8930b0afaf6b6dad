import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locatedSources } from '../../../electron/library/sources/located.ts';
import type { SourceKind } from '../../../electron/library/sources/source.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const agent: SourceKind = {
  name: 'agent',
  title: 'Agent',
  isDirectory: true,
  locate: ({ home }) => [join(home, '.agent'), join(home, '.missing')],
  includes: () => true,
};

let home: string;
beforeEach(() => {
  home = makeFolder();
  mkdirSync(join(home, '.agent'));
});
afterEach(() => removeFolder(home));

const located = (...settings: Parameters<typeof locatedSources>[1]) =>
  locatedSources({ home, temporary: home, env: {}, platform: 'linux' }, settings, [agent]);

describe('the directories of a kind of source', () => {
  it('are watched where they exist, and are not readable over MCP', async () => {
    expect(await located()).toEqual([{ path: join(home, '.agent'), kind: agent, readableOverMcp: false }]);
  });

  it('can be switched off, or made readable to agents, by the name of the kind', async () => {
    expect(await located({ kind: 'agent', enabled: false, mcp: false, rescue: 'off' })).toEqual([]);
    expect(await located({ kind: 'agent', enabled: true, mcp: true, rescue: 'off' })).toMatchObject([
      { readableOverMcp: true },
    ]);
    expect(await located({ kind: 'other', enabled: false, mcp: false, rescue: 'off' })).toHaveLength(1);
  });
});
