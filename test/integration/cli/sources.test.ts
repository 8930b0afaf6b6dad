/** `spillway sources` lists the agents found, and switches them. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentHome } from '../../fixtures/agents/homes.ts';
import { LAYOUTS } from '../../fixtures/agents/layouts.ts';
import { runCli } from '../../fixtures/cli.ts';

let agents: AgentHome;
const spillway = (args: readonly string[]) =>
  runCli(
    args,
    { home: join(agents.folder, 'spillway'), files: agents.folder, remove: () => {} },
    { env: agents.env },
  );
beforeEach(() => {
  agents = new AgentHome();
  agents.lay(LAYOUTS.pi!);
  agents.lay(LAYOUTS.kimi!);
});
afterEach(() => agents.remove());

describe('spillway sources', () => {
  it('lists the agents that were found, and no others', async () => {
    const { stdout, status } = await spillway(['sources']);
    expect(status).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ +/).slice(0, 2).join(' '))).toEqual([
      'NAME AGENT',
      'kimi Kimi',
      'pi pi',
      '',
    ]);
  });

  it('switches rescue on in a home that does not exist yet', async () => {
    rmSync(join(agents.folder, 'spillway'), { recursive: true });
    const { status, stderr } = await spillway(['sources', 'pi', '--rescue', 'all']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(join(agents.folder, 'spillway/config.json'), 'utf8')).toContain('"rescue": "all"');
  });

  it('switches one, which list then leaves out', async () => {
    const listed = async () =>
      JSON.parse((await spillway(['list', '--json'])).stdout).outputs.map(
        (one: { source: string; command: string }) => [one.source, one.command],
      );
    expect((await listed()).sort()).toEqual([
      ['kimi', 'seq 1 2000; exit 3'],
      ['pi', 'seq 1 2000; exit 3'],
    ]);
    expect((await spillway(['sources', 'pi', '--off', '--no-mcp'])).status).toBe(0);
    expect(await listed()).toEqual([['kimi', 'seq 1 2000; exit 3']]);
    const config = JSON.parse(readFileSync(join(agents.folder, 'spillway', 'config.json'), 'utf8'));
    expect(config).toEqual({ sources: [{ kind: 'pi', enabled: false, mcp: false }] });
  });

  it.each([
    [['--on'], /no source is named/],
    [['pi', '--on', '--off'], /exclude each other/],
    [['pi', '--rescue', 'some'], /off, failed or all/],
    [['nano', '--on'], /there is no source "nano"/],
  ])('refuses %j and says why', async (args, problem) => {
    const { stderr, status } = await spillway(['sources', ...args]);
    expect(status).toBe(2);
    expect(stderr).toMatch(problem);
  });
});
