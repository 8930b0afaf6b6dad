/** What `npm test -- clients` says of an agent's newest version. */
import { expect, it } from 'vitest';
import { versionChanges } from '../../../electron/tooling/vitest-outcomes.mjs';

it('lists what is different from the pinned version, without what chance moves', () => {
  const rows = new Map([
    ['codex 0.171.0', { record: 'yes', order: '50→60 of 60' }],
    ['codex 0.172.0', { record: 'NO', order: '48→59 of 60' }],
    ['gemini 0.61.0', { record: 'yes' }],
    ['qwen 0.24.4', { record: 'no' }],
    ['qwen 0.25.0', { record: 'no' }],
  ]);
  const tools = new Map([
    ['codex 0.171.0', ['exec_command', 'old']],
    ['codex 0.172.0', ['exec_command', 'new']],
  ]);
  expect(versionChanges(rows, tools)).toEqual([
    'codex 0.171.0 → 0.172.0: record yes → NO, + tool new, - tool old',
    'gemini 0.61.0: no other version was tried',
    'qwen 0.24.4 → 0.25.0: nothing changed',
  ]);
});
