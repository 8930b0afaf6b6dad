import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkBoundaries } from '../../../electron/tooling/boundaries/check.mjs';
import { rules } from '../../../electron/tooling/boundaries/rooms.mjs';
import { removeFolder } from '../../fixtures/folder.ts';
import { makeProject, plantFile } from '../../fixtures/set-up/planted-project.ts';

/** A forbidden import for each room, and the message about it. */
const violations: [file: string, text: string, message: string][] = [
  ['shared/a.ts', "import '../electron/reader/x.ts';", 'shared may not import electron/reader'],
  ['shared/a.ts', "import { join } from 'node:path';", "shared may not import Node's modules"],
  ['shared/a.ts', "import { join } from 'path';", "shared may not import Node's modules"],
  ['shared/api/a.ts', "import type { App } from 'electron';", 'shared may not import electron'],
  ['renderer/a.tsx', "import '../electron/host/x.ts';", 'renderer may not import electron/host'],
  ['renderer/viewer/a.tsx', "import fs from 'node:fs';", "renderer/viewer may not import Node's modules"],
  [
    'renderer/viewer/text/a.tsx',
    "import '../../search/x.ts';",
    'renderer/viewer/text may not import renderer/search',
  ],
  [
    'renderer/viewer/document/a.ts',
    "import '../text/x.ts';",
    'renderer/viewer/document may not import renderer/viewer/text',
  ],
  [
    'renderer/viewer/scrolling/a.ts',
    "import '../x.ts';",
    'renderer/viewer/scrolling may not import renderer/viewer',
  ],
  [
    'renderer/viewer/selection/a.ts',
    "import '../text/x.ts';",
    'renderer/viewer/selection may not import renderer/viewer/text',
  ],
  ['renderer/viewer/a.ts', "import '../artifact/x.ts';", 'renderer/viewer may not import renderer/artifact'],
  ['renderer/ui/a.tsx', "import '../actions/x.ts';", 'renderer/ui may not import renderer/actions'],
  [
    'renderer/connection/a.ts',
    "import '../library/x.ts';",
    'renderer/connection may not import renderer/library',
  ],
  ['renderer/actions/a.ts', "import '../viewer/x.ts';", 'renderer/actions may not import renderer/viewer'],
  ['renderer/library/a.ts', "import '../viewer/x.ts';", 'renderer/library may not import renderer/viewer'],
  ['renderer/search/a.ts', "import '../artifact/x.ts';", 'renderer/search may not import renderer/artifact'],
  ['renderer/artifact/a.ts', "import '../app/x.ts';", 'renderer/artifact may not import renderer/app'],
  ['renderer/app/a.ts', "import '../filters/x.ts';", 'renderer/app may not import renderer/filters'],
  ['renderer/agents/a.ts', "import '../viewer/x.ts';", 'renderer/agents may not import renderer/viewer'],
  ['renderer/panels/a.ts', "import '../artifact/x.ts';", 'renderer/panels may not import renderer/artifact'],
  [
    'renderer/viewer/highlight/a.ts',
    "import '../text/x.ts';",
    'renderer/viewer/highlight may not import renderer/viewer/text',
  ],
  [
    'renderer/differences/a.ts',
    "import '../artifact/x.ts';",
    'renderer/differences may not import renderer/artifact',
  ],
  ['renderer/filters/a.ts', "import '../panels/x.ts';", 'renderer/filters may not import renderer/panels'],
  ['renderer/a.tsx', "import 'electron';", 'renderer may not import electron'],
  ['electron/reader/a.ts', "import '../library/x.ts';", 'electron/reader may not import electron/library'],
  ['electron/search/a.ts', "import '../workers/x.ts';", 'electron/search may not import electron/workers'],
  ['electron/workers/a.ts', "import '../host/x.ts';", 'electron/workers may not import electron/host'],
  ['electron/store/a.ts', "import '../library/x.ts';", 'electron/store may not import electron/library'],
  ['electron/archive/a.ts', "import '../host/x.ts';", 'electron/archive may not import electron/host'],
  ['electron/agents/a.ts', "import '../library/x.ts';", 'electron/agents may not import electron/library'],
  ['electron/library/a.ts', "import '../search/x.ts';", 'electron/library may not import electron/search'],
  ['electron/recorder/a.ts', "import '../search/x.ts';", 'electron/recorder may not import electron/search'],
  ['electron/host/a.ts', "import '../mcp/x.ts';", 'electron/host may not import electron/mcp'],
  ['electron/host/deep/a.ts', "import '../../web/x.ts';", 'electron/host may not import electron/web'],
  ['electron/mcp/a.ts', "import '../library/x.ts';", 'electron/mcp may not import electron/library'],
  ['electron/cli/a.ts', "import '../web/x.ts';", 'electron/cli may not import electron/web'],
  ['electron/web/a.ts', "import '../reader/x.ts';", 'electron/web may not import electron/reader'],
  ['electron/shell/a.ts', "import '../app/x.ts';", 'electron/shell may not import electron/app'],
  ['electron/app/a.ts', "import { app } from 'electron';", 'electron/app may not import electron'],
  ['electron/tooling/a.mjs', "import '../host/x.ts';", 'electron/tooling may not import electron/host'],
  [
    'electron/agent-shell/a.ts',
    "import '../tooling/x.ts';",
    'electron/agent-shell may not import electron/tooling',
  ],
  ['electron/connect/a.ts', "import '../tooling/x.ts';", 'electron/connect may not import electron/tooling'],
  ['electron/vscode/a.ts', "import '../mcp/x.ts';", 'electron/vscode may not import electron/mcp'],
  ['electron/main.ts', "import '../renderer/x.ts';", 'electron may not import renderer'],
];

/** Every way to name a module. */
const spellings = [
  "export { x } from '../electron/host/x.ts';",
  "export * from '../electron/host/x.ts';",
  "import type { X } from '../electron/host/x.ts';",
  "const x = await import('../electron/host/x.ts');",
  "let x: import('../electron/host/x.ts').X;",
  "const x = require('../electron/host/x.ts');",
  "import x = require('../electron/host/x.ts');",
  "new Worker(new URL('../electron/host/x.ts', import.meta.url));",
  'const x = await import(`../electron/host/x.ts`);',
  "import.meta.resolve('../electron/host/x.ts');",
  "import '../shared/../electron/host/x.ts';",
];

describe('the boundary check', () => {
  let root: string;
  const plant = (file: string, text: string) => plantFile(root, file, text);

  beforeEach(() => {
    root = makeProject();
  });
  afterEach(() => removeFolder(root));

  it.each(violations)('in %s, %s is reported', (file, text, message) => {
    plant(file, `// first line\n${text}\n`);
    expect(checkBoundaries(root)).toEqual([{ file, line: 2, message: expect.stringContaining(message) }]);
  });

  it('has a violation for every room', () => {
    const tried = violations.map(([file]) => file);
    for (const room of Object.keys(rules))
      expect(tried.some((file) => file.startsWith(`${room}/`))).toBe(true);
  });

  it.each(spellings)('%s is an import', (text) => {
    plant('renderer/a.ts', text);
    const message = expect.stringContaining('renderer may not import electron/host');
    expect(checkBoundaries(root)).toContainEqual({ file: 'renderer/a.ts', line: 1, message });
  });

  it('allows what the table allows', () => {
    plant('shared/a.ts', "import * as z from 'zod'; import './b.ts';");
    plant(
      'renderer/library/a.tsx',
      "import '../../shared/a.ts'; import { useState } from 'react'; import '../ui/x.tsx'; import './deep/b.ts';",
    );
    plant('electron/host/a.ts', "import 'node:fs'; import '../reader/a.ts'; import '../../shared/a.ts';");
    plant('electron/app/a.ts', "import '../web/a.ts'; import '../../package.json';");
    plant('electron/main.ts', "import 'electron'; import './shell/a.ts'; import './app/a.ts';");
    expect(checkBoundaries(root)).toEqual([]);
  });

  it.each(['electron/attic/a.ts', 'renderer/attic/a.ts', 'renderer/viewer/attic/a.ts'])(
    'reports %s: its folder is in no room',
    (file) => {
      plant(file, '');
      expect(checkBoundaries(root)).toEqual([{ file, line: 1, message: expect.stringContaining('no room') }]);
    },
  );

  it('does not take a text in a comment or a string for an import', () => {
    plant('shared/a.ts', "// import 'electron';\nconst text = \"import 'electron'\";");
    expect(checkBoundaries(root)).toEqual([]);
  });

  it('reports files that import each other in a circle, by types alone too, once for each circle', () => {
    plant('shared/a.ts', "// first line\nimport { b } from './deep/b.ts';\nimport './free.ts';");
    plant('shared/deep/b.ts', "import type { C } from '../c.ts';");
    plant('shared/c.ts', "let a: import('./a.ts').A;");
    plant('shared/free.ts', '');
    plant('shared/outside.ts', "import './a.ts';");
    plant('renderer/ui/d.ts', "import * as e from './e.ts';");
    plant('renderer/ui/e.ts', "const d = await import('./d.ts');");
    expect(checkBoundaries(root)).toEqual([
      { file: 'renderer/ui/d.ts', line: 1, message: expect.stringContaining('d.ts → renderer/ui/e.ts') },
      {
        file: 'shared/a.ts',
        line: 2,
        message:
          'is in a circle: shared/a.ts → shared/deep/b.ts → shared/c.ts → shared/a.ts; move what both need to a third file',
      },
    ]);
  });

  it.each([
    ["export { b } from './b.ts';", 'b'],
    ["export { b as c } from './b.ts';", 'b'],
    ["export type { B } from './b.ts';", 'B'],
    ["export * from './b.ts';", 'everything'],
    ["export * as b from './b.ts';", 'everything'],
    ["import { b } from './b.ts'; export { b };", 'b'],
    ["import type { AST } from 'a-package'; export type { AST };", 'AST'],
    ["import b from './b.ts'; export default b;", 'b'],
  ])('reports a file that passes on what it imported: %s', (text, name) => {
    plant('shared/a.ts', `// first line\n${text}`);
    expect(checkBoundaries(root)).toEqual([
      {
        file: 'shared/a.ts',
        line: 2,
        message: `exports ${name} of another file: import it where it is needed`,
      },
    ]);
  });

  it('accepts exports of own names', () => {
    plant('shared/a.ts', "import { b } from './b.ts'; const a = b; export { a }; export default a;");
    expect(checkBoundaries(root)).toEqual([]);
  });

  it('takes the address of a worker that imports its starter for no circle', () => {
    plant('electron/workers/a.ts', "new Worker(new URL('./b.ts', import.meta.url));");
    plant('electron/workers/b.ts', "import './a.ts';");
    expect(checkBoundaries(root)).toEqual([]);
  });

  it('holds the table of rooms to the folders that are there', () => {
    plant('electron/reader/lines/a.ts', '');
    plant('electron/reader/text/deep/a.ts', '');
    plant('electron/store/a.ts', '');
    const row = (holds: string) =>
      plant('ARCHITECTURE.md', `| room | holds |\n| \`electron/reader/\` | ${holds} |\n`);
    const said = () => checkBoundaries(root).map(({ file, line, message }) => `${file}:${line} ${message}`);
    row('`lines/`, `text/` with `deep/`, unlike `electron/store/`');
    expect(said()).toEqual([]);
    row('`lines/`, `gone/`');
    expect(said()).toEqual([
      'ARCHITECTURE.md:2 names gone/ in electron/reader/, which does not exist',
      'ARCHITECTURE.md:2 does not name text/ of electron/reader/',
    ]);
    row('bytes to lines');
    expect(said()).toEqual([]);
  });
});
