import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentJournal } from '../../../electron/host/agents.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { readAgents } from '../../fixtures/mcp/read-agents.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const files = () => readdirSync(join(place.home, 'run')).filter((name) => name.startsWith('agents-'));

test('a journal without a call is removed when its process closes it; one with a call stays', () => {
  const idle = new AgentJournal(place.home);
  idle.begin('stdio', 's').left();
  idle.close();
  expect(files()).toEqual([]);
  const used = new AgentJournal(place.home);
  used.begin('stdio', 's').call('run_command', 'ls', null)({ ok: true });
  used.close();
  expect(readAgents(place.home).map(({ agents }) => agents[0]!.call_count)).toEqual([1]);
});

test('journals of processes that ended without a call are removed at the next start', () => {
  const journal = new AgentJournal(place.home);
  journal.begin('stdio', 's').call('run_command', 'ls', null)({ ok: true });
  journal.close();
  const run = join(place.home, 'run');
  const own = JSON.parse(readFileSync(join(run, files()[0]!), 'utf8'));
  const stale = join(run, 'agents-4194304.json');
  const write = (agents: object[]) =>
    writeFileSync(stale, JSON.stringify({ ...own, owner: { ...own.owner, pid: 4_194_304 }, agents }));
  write(own.agents);
  new AgentJournal(place.home).close();
  expect(existsSync(stale)).toBe(true);
  write([]);
  new AgentJournal(place.home).close();
  expect(existsSync(stale)).toBe(false);
});
