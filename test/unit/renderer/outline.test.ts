/** The tree of a text's sections. */
import { describe, expect, test } from 'vitest';
import {
  firstUnfolded,
  nodesOf,
  pathOf,
  sectionAt,
  shownNodes,
} from '../../../renderer/panels/outline/use-outline.ts';
import type { Section } from '../../../shared/views.ts';

const section = (
  title: string,
  level: number,
  start_line: number,
  end_line: number,
  failing?: true,
): Section => ({
  ...{ title, level, start_line, end_line, status: null, duration_ms: null, errors: 0 },
  ...(failing ? { failing } : {}),
});
const NODES = nodesOf([
  section('build', 1, 1, 20),
  section('install', 2, 2, 9),
  section('npm ci', 3, 3, 8),
  section('test', 2, 10, 19),
  section('unit', 3, 11, 15, true),
  section('lint', 1, 25, 30),
]);
const titles = (nodes: readonly { title: string }[]) => nodes.map(({ title }) => title);

describe('the tree of sections', () => {
  test('begins unfolded as far as the section that failed', () => {
    const unfolded = firstUnfolded(NODES);
    expect(titles(shownNodes(NODES, unfolded))).toEqual(['build', 'install', 'test', 'unit', 'lint']);
    expect(titles(shownNodes(NODES, new Set()))).toEqual(['build', 'lint']);
    // An outer section may be folded while an inner one is not.
    expect(titles(shownNodes(NODES, new Set([3])))).toEqual(['build', 'lint']);
  });

  test('begins with the parts of a single outer section', () => {
    const nodes = nodesOf([section('job', 1, 1, 9), section('step', 2, 2, 3), section('group', 3, 2, 2)]);
    expect(titles(shownNodes(nodes, firstUnfolded(nodes)))).toEqual(['job', 'step']);
  });

  test('knows the innermost section of each line', () => {
    const at = (line: number) => titles(pathOf(NODES, sectionAt(NODES, line))).join('/');
    expect([1, 5, 9, 12, 19, 20, 22, 25, 31].map(at)).toEqual([
      ...['build', 'build/install/npm ci', 'build/install', 'build/test/unit', 'build/test', 'build'],
      ...['', 'lint', ''],
    ]);
    expect(sectionAt([], 1)).toBe(-1);
  });

  test('tells which sections have parts, where levels between were left out, too', () => {
    const nodes = nodesOf([section('job', 1, 1, 9), section('suite', 4, 2, 3), section('other', 1, 10, 10)]);
    expect(nodes.map(({ parent, hasParts }) => [parent, hasParts])).toEqual([
      [-1, true],
      [0, false],
      [-1, false],
    ]);
  });
});
