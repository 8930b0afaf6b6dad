import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkBoundaries } from '../../../electron/tooling/boundaries/check.mjs';
import { removeFolder } from '../../fixtures/folder.ts';
import { makeProject, plantFile } from '../../fixtures/set-up/planted-project.ts';

describe('the check of names in comments and documents', () => {
  let root: string;
  const plant = (file: string, text: string) => plantFile(root, file, text);

  beforeEach(() => {
    root = makeProject();
  });
  afterEach(() => removeFolder(root));

  it.each([
    ['shared/a.ts', '// one\n// see gone.ts', 'gone.ts'],
    ['shared/a.ts', '/**\n * Read by ./gone.ts. */', './gone.ts'],
    ['renderer/ui/a.module.css', 'a {}\n/* tokens.css */', 'tokens.css'],
    ['electron/search/a.wat', '(module)\n;; as in search/gone.ts', 'search/gone.ts'],
    ['test/unit/a.test.ts', '\n// Twin of reader/gone.mjs', 'reader/gone.mjs'],
    ['shared/a.ts', '\n// Started by entry/gone.sh', 'entry/gone.sh'],
    ['shared/a.ts', '\n// As rare/gone.pl does', 'rare/gone.pl'],
    ['shared/a.ts', '\n// As scanner/gone.wat does', 'scanner/gone.wat'],
    ['shared/a.ts', '\n// See docs/GONE.md', 'docs/GONE.md'],
    ['shared/a.ts', '\n// All of electron/gone/ does', 'electron/gone/'],
    ['electron/agent-shell/a.pl', 'use strict;\n# see gone.pl', 'gone.pl'],
    ['electron/agent-shell/a.sh', '\n# see gone.ts', 'gone.ts'],
    ['electron/vscode/README.md', '# Use\nSee `gone.ts`.', 'gone.ts'],
    ['ARCHITECTURE.md', '# Rooms\nAll in `electron/gone/`.', 'electron/gone/'],
    ['ARCHITECTURE.md', '# Rooms\nBegin at `electron/host/gone.ts`.', 'electron/host/gone.ts'],
  ])('reports that in %s, %j names a missing file', (file, text, name) => {
    plant(file, text);
    expect(checkBoundaries(root)).toEqual([
      { file, line: 2, message: `names ${name}, which does not exist` },
    ]);
  });

  it.each([
    'b.ts',
    'shared/api/deep/',
    './b.ts',
    'deep/c.ts',
    '../../test/d.test.ts',
    'test/<NAME>.bench.ts',
    'all of *.test.ts',
    'https://example.org/x.md',
    'a.log, package.json',
  ])('accepts a comment that names %s', (name) => {
    plant('shared/api/a.ts', `// ${name}`);
    for (const file of ['shared/api/b.ts', 'shared/api/deep/c.ts', 'test/d.test.ts']) plant(file, '');
    expect(checkBoundaries(root)).toEqual([]);
  });

  it('takes a name in code for no comment', () => {
    plant('shared/a.ts', "export const name = 'gone.ts';");
    expect(checkBoundaries(root)).toEqual([]);
  });
});
