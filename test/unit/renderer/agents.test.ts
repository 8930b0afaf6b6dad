import { expect, it } from 'vitest';
import { isShownAtStart } from '../../../renderer/agents/AgentCaptures.tsx';
import type { SourceInfo } from '../../../shared/sources.ts';

it('the switches of agents are explained at the first start only if an agent left captures', () => {
  const source = (captures: number) => ({ captures }) as SourceInfo;
  expect(isShownAtStart({ undecided: true, sources: [source(0), source(0)] })).toBe(false);
  expect(isShownAtStart({ undecided: true, sources: [source(0), source(2)] })).toBe(true);
  expect(isShownAtStart({ undecided: false, sources: [source(2)] })).toBe(false);
});
