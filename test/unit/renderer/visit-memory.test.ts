import { describe, expect, it } from 'vitest';
import { VisitMemory } from '../../../renderer/app/tabs/tab-visits.ts';
import { START_OF_TEXT } from '../../../renderer/viewer/view-state.ts';

describe('the remembered view of an artifact', () => {
  const visit = { stream: null, search: null, searchOpen: false };

  it('comes back for each of its streams', () => {
    const memory = new VisitMemory();
    memory.rememberView('a', 'stdout', { ...START_OF_TEXT, line: 7 });
    memory.rememberView('a', 'stderr', { ...START_OF_TEXT, line: 9, following: 'on' });
    memory.rememberVisit('a', { ...visit, stream: 'stderr' });
    expect(memory.visit('a')).toEqual({ ...visit, stream: 'stderr' });
    expect(memory.view('a', 'stdout')?.line).toBe(7);
    expect(memory.view('a', 'stderr')?.following).toBe('on');
    expect([memory.view('a', 'combined'), memory.view('b', 'stdout'), memory.visit('b')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('is forgotten after two hundred others', () => {
    const memory = new VisitMemory();
    for (let number = 0; number < 201; number += 1) memory.rememberVisit(`id ${number}`, visit);
    expect([memory.visit('id 0'), memory.visit('id 1')]).toEqual([null, visit]);
  });
});
