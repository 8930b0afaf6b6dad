/** A recorded command and the agent's own copy of its output are one artifact. */
import { describe, expect, it } from 'vitest';
import { Catalogue } from '../../../electron/library/catalogue.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { artifactOf, fileOf } from '../../fixtures/library/artifacts.ts';

const agent = { name: 'claude-code', session: 's1', project: '/w', pid: null, truncated: null };
const times = (start: number, end: number | null) => ({
  started_at: new Date(start * 1000).toISOString(),
  ended_at: end === null ? null : new Date(end * 1000).toISOString(),
});
const recorded = (change: Partial<Artifact> = {}) =>
  artifactOf('ours', { command: 'npm test', agent, ...times(100, 120), ...change });
const copy = (change: Partial<Artifact> = {}) =>
  fileOf('/tmp/b1.output', 'claude-code', { command: 'npm test', agent, ...times(99, 121), ...change });

const rows = (...artifacts: Artifact[]) => {
  const catalogue = new Catalogue();
  for (const artifact of artifacts) catalogue.put(artifact);
  return catalogue;
};
const ids = (catalogue: Catalogue) => catalogue.all().map(({ artifact_id: id }) => id);

describe('a recorded command and the agent’s own copy', () => {
  it.each([
    ['the recording first', [recorded(), copy()]],
    ['the copy first', [copy(), recorded()]],
    ['still running', [recorded(times(100, null)), copy(times(100, null))]],
    ['known by its process', [recorded({ agent: { ...agent, session: 'pid-7' } }), copy()]],
  ])('are one row, ours: %s', (_, artifacts) => {
    const catalogue = rows(...artifacts);
    expect(ids(catalogue)).toEqual(['ours']);
    expect(catalogue.get(copy().artifact_id)).toBeDefined();
  });

  it.each([
    ['another command', copy({ command: 'npm start' })],
    ['another time', copy(times(500, 510))],
    ['another session', copy({ agent: { ...agent, session: 's2' } })],
    ['another agent', copy({ agent: { ...agent, name: 'codex' } })],
    ['an unknown command', copy({ command: null })],
  ])('are two rows when they are of %s', (_, other) => {
    expect(ids(rows(recorded(), other))).toHaveLength(2);
  });

  it('become one when the copy’s command becomes known, and two when the recording is removed', () => {
    const catalogue = rows(recorded(), copy({ command: null }));
    expect(ids(catalogue)).toHaveLength(2);
    catalogue.put(copy());
    expect(ids(catalogue)).toEqual(['ours']);
    catalogue.remove('ours');
    expect(ids(catalogue)).toEqual([copy().artifact_id]);
  });

  it('are one row in the window’s list, too', async () => {
    const catalogue = rows(copy());
    const seen = new Set<string>();
    catalogue.watch(({ changed, removed }) => {
      for (const id of removed) seen.delete(id);
      for (const { artifact_id: id } of changed) seen.add(id);
    });
    catalogue.put(recorded());
    await expect.poll(() => [...seen]).toEqual(['ours']);
    catalogue.close();
  });
});
