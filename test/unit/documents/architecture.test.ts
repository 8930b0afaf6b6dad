/** README.md and ARCHITECTURE.md beside the tree: a newcomer finds what they name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const isThere = (path: string) => existsSync(join(root, path));

describe.each(['README.md', 'ARCHITECTURE.md', 'shared/CONTRACT.md'])('%s', (document) => {
  const text = read(document);

  it('names files and folders that exist', () => {
    const named = [...text.matchAll(/`((?:electron|renderer|shared|test)\/[^`\s*]*)`/g)].map(
      ([, path]) => path!,
    );
    expect(named.filter((path) => !path.includes('NAME') && !isThere(path))).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
    const here = join(document, '..');
    const broken = links.filter((link) =>
      link.startsWith('#')
        ? !anchors.includes(link.slice(1))
        : !/^https?:/.test(link) && !isThere(join(here, link)),
    );
    expect(broken).toEqual([]);
  });
});

it('ARCHITECTURE.md has every room in its table', () => {
  const rooms = ['electron', 'renderer'].flatMap((top) =>
    readdirSync(join(root, top), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => (top === 'electron' ? `\`electron/${name}/\`` : `\`${name}/\``)),
  );
  const text = read('ARCHITECTURE.md');
  const table = text.slice(text.indexOf('## Rooms'), text.indexOf('## Working on it'));
  expect(rooms.filter((room) => !table.includes(room))).toEqual([]);
});

/** Anchors of the headings, as GitHub makes them. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
