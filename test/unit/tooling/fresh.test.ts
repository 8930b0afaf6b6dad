import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  packagesAreStale,
  staleTargets,
  stampBuilt,
  stampOf,
} from '../../../electron/tooling/building/fresh.mjs';
import { targets } from '../../../electron/tooling/building/targets.mjs';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let root: string;
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
/** Changes a file's time, since a write of the same size in the same instant is not detected. */
const age = (path: string, seconds: number) => {
  const { mtimeMs } = statSync(join(root, path));
  utimesSync(join(root, path), new Date(), new Date(mtimeMs + seconds * 1000));
};

beforeEach(() => {
  root = makeFolder();
});
afterEach(() => removeFolder(root));

describe('the list of what to build', () => {
  const stale = () => staleTargets(root).map(({ name }) => name);
  const pretendBuilt = () => {
    for (const target of targets) {
      const stamp = stampOf(target, root);
      for (const output of target.outputs) write(`dist/${target.name}/${output}`, 'built');
      stampBuilt(target, stamp, root);
    }
  };

  beforeEach(() => {
    write('electron/main.ts', 'main');
    write('electron/host/host.ts', 'host');
    write('renderer/main.tsx', 'renderer');
    write('shared/views.ts', 'shared');
    write('package-lock.json', '{}');
  });

  it('holds every part at first, and none after a build', () => {
    expect(stale()).toEqual(['renderer', 'node', 'preload', 'vscode']);
    pretendBuilt();
    expect(stale()).toEqual([]);
  });

  it.each([
    ['electron/host/host.ts', ['node', 'preload', 'vscode']],
    ['renderer/main.tsx', ['renderer']],
    ['shared/views.ts', ['renderer', 'node', 'preload', 'vscode']],
    ['package-lock.json', ['renderer', 'node', 'preload', 'vscode']],
  ])('holds the parts made from %s after it was edited', (path, names) => {
    pretendBuilt();
    write(path, 'edited');
    age(path, 1);
    expect(stale()).toEqual(names);
  });

  it('includes each part with a new or a removed file', () => {
    pretendBuilt();
    write('renderer/viewer/new.tsx', '');
    expect(stale()).toEqual(['renderer']);
    rmSync(join(root, 'renderer/viewer/new.tsx'));
    expect(stale()).toEqual([]);
    rmSync(join(root, 'electron/host/host.ts'));
    expect(stale()).toEqual(['node', 'preload', 'vscode']);
  });

  it('is empty when only the times of files changed, as after a checkout', () => {
    pretendBuilt();
    age('electron/main.ts', 100);
    age('shared/views.ts', -100);
    expect(stale()).toEqual([]);
  });

  it('includes a part with an edit that keeps the size', () => {
    pretendBuilt();
    write('electron/main.ts', 'niam');
    age('electron/main.ts', 1);
    expect(stale()).toContain('node');
  });

  it('includes a part that was edited while it was being built', () => {
    const stamps = targets.map((target) => stampOf(target, root));
    write('renderer/main.tsx', 'edited meanwhile');
    targets.forEach((target, index) => {
      for (const output of target.outputs) write(`dist/${target.name}/${output}`, 'built');
      stampBuilt(target, stamps[index] ?? { quick: '', content: '' }, root);
    });
    expect(stale()).toEqual(['renderer']);
  });

  it('includes a part that lost an output file or its build stamp, or has a torn stamp', () => {
    pretendBuilt();
    rmSync(join(root, 'dist/node/worker.cjs'));
    rmSync(join(root, 'dist/.stamps/renderer.json'));
    write('dist/.stamps/preload.json', '{"quick":');
    expect(stale()).toEqual(['renderer', 'node', 'preload']);
  });

  it('ignores an editor’s hidden and backup files', () => {
    pretendBuilt();
    write('renderer/.main.tsx.swp', 'x');
    write('electron/main.ts~', 'x');
    expect(stale()).toEqual([]);
  });
});

describe('installing packages', () => {
  const wanted = {
    '': { name: 'spillway' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/b-other-platform': { version: '1.0.0', integrity: 'sha512-b', optional: true },
  };
  const { 'node_modules/a': a } = wanted;
  const lock = (packages: object) => write('package-lock.json', JSON.stringify({ packages }));
  const installed = (packages: object) =>
    write('node_modules/.package-lock.json', JSON.stringify({ packages }));

  it('is needed when there are none', () => {
    lock(wanted);
    expect(packagesAreStale(root)).toBe(true);
  });

  it('is needed when npm was killed before it finished', () => {
    lock(wanted);
    write('node_modules/a/package.json', '{}');
    expect(packagesAreStale(root)).toBe(true);
  });

  it('is not needed when everything for this platform is there', () => {
    lock(wanted);
    installed({ 'node_modules/a': a });
    expect(packagesAreStale(root)).toBe(false);
    expect(packagesAreStale(root)).toBe(false);
  });

  it.each([
    ['one is missing', {}],
    ['one has another version', { 'node_modules/a': { ...a, version: '1.0.1' } }],
    ['one has other contents', { 'node_modules/a': { ...a, integrity: 'sha512-x' } }],
  ])('is needed when %s', (_case, packages) => {
    lock(wanted);
    installed(packages);
    expect(packagesAreStale(root)).toBe(true);
  });

  it('is needed after another version was requested, or an installed package was changed', () => {
    lock(wanted);
    installed({ 'node_modules/a': a });
    expect(packagesAreStale(root)).toBe(false);
    lock({ ...wanted, 'node_modules/a': { ...a, version: '10.0.0' } });
    expect(packagesAreStale(root)).toBe(true);
    lock(wanted);
    expect(packagesAreStale(root)).toBe(false);
    installed({});
    expect(packagesAreStale(root)).toBe(true);
  });

  it('is needed when they were installed on another platform', () => {
    lock(wanted);
    installed({ 'node_modules/a': a });
    write('node_modules/.spillway.json', JSON.stringify({ quick: 'plan9-mips 1 1', content: '' }));
    expect(packagesAreStale(root)).toBe(true);
  });
});
