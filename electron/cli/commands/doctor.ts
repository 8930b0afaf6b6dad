/** `spillway doctor`: reports what works here and what does not, one line each. Changes nothing. */
import { escapeLine } from '../../../shared/text/escape.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { print, printJson, type Style, styled, terminalLook } from '../output/print.ts';
import { widthOf } from '../output/table.ts';
import type { Services } from '../services.ts';
import { checkAgents } from './doctor-agents.ts';
import {
  type Check,
  checkElectron,
  checkHome,
  checkMachine,
  checkSocket,
  checkSources,
  checkTerminals,
} from './doctor-machine.ts';

export async function doctor(options: { json?: boolean }, services: Services): Promise<number> {
  const home = resolveHome(process.env);
  const checks = [
    ...checkMachine(),
    ...checkHome(home),
    ...checkSources(home),
    checkTerminals(),
    ...(await checkAgents(services)),
    await checkSocket(home),
    checkElectron(services.entry, process.env),
  ];
  const healthy = checks.every((check) => check.status !== 'fail');
  if (options.json) await printJson({ ok: healthy, version: services.version, home, checks });
  else await print(`spillway ${services.version}\n${checks.map(line).join('')}`);
  return healthy ? 0 : 1;
}

const STYLES: Record<Check['status'], Style> = { ok: 'green', warn: 'yellow', fail: 'red' };
/** Cells before the text of a check. */
const INDENT_CELLS = 16;

function line({ status, name, found, todo }: Check): string {
  const { isTerminal, columns } = terminalLook();
  const text = escapeLine(todo === null ? found : `${found}: ${todo}`);
  const shown = isTerminal ? wrapText(text, columns - INDENT_CELLS, INDENT_CELLS) : text;
  return `${styled(status, STYLES[status])}${' '.repeat(6 - status.length)}${name.padEnd(9)} ${shown}\n`;
}

/**
 * Breaks a sentence at spaces into lines of at most `columns` cells; a longer word stays whole. Indents each line after
 * the first by `indent` spaces.
 */
function wrapText(text: string, columns: number, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || widthOf(longer) <= columns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}
