/** `spillway doctor`: what works here and what does not, a line each. Nothing is changed. */
import { escapeLine } from '../../shared/text/escape.ts';
import { resolveHome } from '../host/settings/home.ts';
import type { Check } from './checks/check.ts';
import { checkElectron } from './checks/electron-runtime.ts';
import { checkHome } from './checks/home.ts';
import { checkMachine } from './checks/machine.ts';
import { checkSocket } from './checks/socket.ts';
import { checkSources } from './checks/sources.ts';
import { checkTerminals } from './checks/terminals.ts';
import { print, printJson } from './output/print.ts';
import type { Services } from './services.ts';

export async function doctor(options: { json?: boolean }, services: Services): Promise<number> {
  const home = resolveHome(process.env);
  const checks = [
    ...checkMachine(),
    ...checkHome(home),
    ...checkSources(home),
    checkTerminals(),
    await checkSocket(home),
    checkElectron(services.entry, process.env),
  ];
  const healthy = checks.every((check) => check.status !== 'fail');
  if (options.json) await printJson({ ok: healthy, version: services.version, home, checks });
  else await print(`spillway ${services.version}\n${checks.map(line).join('')}`);
  return healthy ? 0 : 1;
}

function line(check: Check): string {
  const todo = check.todo === null ? '' : `: ${check.todo}`;
  return `${check.status.padEnd(5)} ${check.name.padEnd(9)} ${escapeLine(check.found + todo)}\n`;
}
