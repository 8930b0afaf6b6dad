import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceKind } from '../../../electron/agents/agent.ts';
import { foldersOf, settingOf } from '../../../electron/host/library/agent-sources.ts';
import { diskHere } from '../../fixtures/disk.ts';
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

describe('a kind of source', () => {
  it('has those of its directories that exist', async () => {
    const user = { home, temporary: home, env: {}, platform: 'linux' } as const;
    expect(await foldersOf(agent, user, diskHere)).toEqual([join(home, '.agent')]);
  });

  it('is switched by its name', () => {
    const off = { kind: 'agent', enabled: false, mcp: true, rescue: 'off' } as const;
    expect(settingOf(agent, ['/a', off])).toEqual(off);
    expect(settingOf(agent, [{ ...off, kind: 'other' }])).toBeNull();
  });
});
