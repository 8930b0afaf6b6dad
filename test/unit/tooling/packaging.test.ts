/** The configuration of the packages; `npm test -- packages` builds and unpacks them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { root } from '../../../electron/tooling/building/targets.mjs';
import setFuses, { burn, FUSES } from '../../../electron/tooling/packaging/fuses.mjs';
import { billOfMaterials, changesOf } from '../../../electron/tooling/packaging/release.mjs';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const config = read('electron-builder.yml');

describe('the configuration of packages', () => {
  it('names files that exist', () => {
    const named = [...config.matchAll(/(?:electron\/[\w./-]*[\w]|\bLICENSE\b)/g)].map(([path]) => path);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('gives the desktop entry, the window and the executable one name', () => {
    expect(manifest.desktopName).toBe('spillway-desktop.desktop');
    expect(config).toMatch(/^ {2}executableName: spillway-desktop$/m);
    expect(config).toMatch(/^ {2}syncDesktopName: true$/m);
  });

  it('keeps the sandbox: AppImages have the static runtime', () => {
    expect(config).toMatch(/^toolsets:\n {2}appimage: 1\.0\.3$/m);
    expect(config).not.toContain('no-sandbox');
  });

  it.each([
    ['linux', ['AppImage', 'deb', 'rpm', 'tar.gz']],
    ['mac', ['dmg', 'zip']],
    ['win', ['nsis', 'zip']],
  ])('packs %s for both processors', (system, targets) => {
    const section = new RegExp(`^${system}:\\n([^]*?)(?=^\\w)`, 'm').exec(config)?.[1] ?? '';
    const named = [...section.matchAll(/target: (\S+)\n\s+arch: \[x64, arm64\]/g)].map(
      ([, target]) => target,
    );
    expect(named).toEqual(targets);
  });

  it('has an icon of each size that its name says', () => {
    const folder = join(root, 'electron/tooling/packaging/icons');
    const sizes = readdirSync(folder)
      .filter((name) => name.endsWith('.png'))
      .map((name) => {
        const bytes = readFileSync(join(folder, name));
        const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
        expect(name).toBe(`${width}x${height}.png`);
        return width;
      });
    expect(sizes.sort((a, b) => a - b)).toEqual([16, 24, 32, 48, 64, 128, 256, 512, 1024]);
    const ico = readFileSync(join(folder, 'icon.ico'));
    expect([ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([1, 7]);
    const icns = readFileSync(join(folder, 'icon.icns'));
    expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
  });

  it('asks npm for one dependency, and has an owner', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['@lydell/node-pty']);
    expect(manifest.author.email).toMatch(/@/);
    expect(manifest.homepage).toMatch(/^https:/);
  });
});

describe('the fuses', () => {
  const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
  const runtime = (fuses: string, count = fuses.length) =>
    Buffer.from(`code ${SENTINEL}\x01${String.fromCharCode(count)}${fuses} rest`, 'latin1');

  it('are all set, in each half of a universal binary', () => {
    const both = Buffer.concat([runtime('111111110'), runtime('111111110')]);
    burn(both, 'electron');
    const wire = Object.values(FUSES)
      .map((on) => (on ? '1' : '0'))
      .join('');
    expect(wire).toBe('000011001');
    expect(both.toString('latin1').split(wire)).toHaveLength(3);
  });

  it('leave one alone that the runtime no longer has', () => {
    const bytes = runtime('r11111111');
    burn(bytes, 'electron');
    expect(bytes.toString('latin1')).toContain('r00011001');
  });

  it('are not asked of a stand-in, but of every real runtime', () => {
    const appOutDir = makeFolder();
    const set = (bytes: Buffer) => {
      writeFileSync(join(appOutDir, 'spillway-desktop'), bytes);
      const packager = { executableName: 'spillway-desktop', appInfo: { productFilename: 'Spillway' } };
      setFuses({ electronPlatformName: 'linux', packager, appOutDir } as never);
    };
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    set(Buffer.from('#!/bin/sh\n'));
    expect(said.mock.calls.join()).toContain('this is no Electron runtime');
    said.mockRestore();
    expect(() => set(Buffer.alloc(2_000_000))).toThrow('has no fuses');
    removeFolder(appOutDir);
  });

  it.each([8, 10])('are refused where there are %i', (count) => {
    expect(() => burn(runtime('1'.repeat(count)), 'electron')).toThrow(`has ${count} fuses`);
  });
});

describe('the checklist of security', () => {
  it('names for each point a file that is there, and a test of that name', () => {
    const rows = [
      ...read('SECURITY.md').matchAll(
        /^\| (\d+)\. .* \| `([^`]+)`.* \| (?:`(test\/[^`]+)`: (.*)|none: .*) \|$/gm,
      ),
    ];
    expect(rows.map(([, point]) => Number(point))).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    for (const [, , file = '', test, name] of rows) {
      expect(existsSync(join(root, file))).toBe(true);
      if (test) expect(read(test)).toContain(name);
    }
  });
});

describe('a release', () => {
  const log =
    '# Changes\n\n## Unreleased\n\n- later\n\n## 1.2.0 (2026-12-01)\n\n- this\n\n## 1.1.0 (2026-11-01)\n\n- that\n';

  it('takes the changes of its version, which must have a date', () => {
    expect(changesOf(log, '1.2.0')).toEqual({ date: '2026-12-01', text: '- this' });
    expect(changesOf(log, '1.1.0')).toEqual({ date: '2026-11-01', text: '- that' });
    expect(() => changesOf(log, '1.3.0')).toThrow('no dated section for 1.3.0');
  });

  it('lists what is bundled and is no package, by its name', () => {
    const { components } = billOfMaterials(
      ['rules, https://example.org\n\nText\n'],
      (name) => (name === 'rules' ? null : { version: '1.0.0' }),
      '2026-12-01',
    );
    expect(components).toContainEqual({ type: 'library', name: 'rules' });
  });

  it('lists what is bundled, once each, with versions and licences', () => {
    const notice = (name: string) => `${name} 1.0.0\n\nText\n`;
    const notices = [[notice('zod'), notice('@a/b')].join(`\n${'-'.repeat(80)}\n\n`), notice('zod')];
    const { components } = billOfMaterials(
      notices,
      (name) => ({ version: '1.0.0', license: name === 'zod' ? 'MIT' : 'MIT OR X' }),
      '2026-12-01T00:00:00Z',
    );
    expect(components.map(({ name }) => name)).toEqual(['@a/b', '@lydell/node-pty', 'electron', 'zod']);
    expect(components[0]).toMatchObject({
      purl: 'pkg:npm/%40a/b@1.0.0',
      licenses: [{ expression: 'MIT OR X' }],
    });
    expect(components[3]).toMatchObject({ licenses: [{ license: { id: 'MIT' } }] });
  });
});
