/** `spillway compare`: prints what an output has that runs that passed have not. */
import { existsSync } from 'node:fs';
import { namedLines } from '../../../shared/comparison.ts';
import { withArchive } from '../../host/archive/access.ts';
import type { Host } from '../../host/host.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { comparedWith, findingLines, markPart, type ShowPart } from '../../host/views/comparison-text.ts';
import { forOutput, hasColour, noteForPerson, print, printJson, styled, tell } from '../output/print.ts';
import { targetOf } from '../target.ts';
import { isLargeFile, withHost } from '../with-host.ts';

/** An output, or lines of it: `ID:from-to`. A file of such a name is meant itself. */
async function partOf(given: string, host: Host) {
  const lines = namedLines(given);
  if (lines === null || existsSync(given)) return targetOf(given, host);
  const { name, ...range } = lines;
  return { ...(await targetOf(name, host)), ...range };
}

const showPart: ShowPart = (text, of) => markPart(forOutput(text, false), of);
const colourPart: ShowPart = (text, of) =>
  styled(forOutput(text, false), of === 'old' ? 'red' : of === 'new' ? 'green' : null);

/** Returns the exit status: 1 if something differs. */
export async function compare(failed: string, passed: readonly string[], json: boolean): Promise<number> {
  const needs = { threads: [failed, ...passed].some(isLargeFile) };
  const found = await withHost(async (own) => {
    const host = withArchive(own, resolveHome(process.env), 'person');
    const baselines = await Promise.all(passed.map((one) => partOf(one, host)));
    const target = await partOf(failed, host);
    const named = passed.length === 0 ? {} : { baselines };
    return host.compare({ ...target, ...named, all_lines: json }, { surface: 'command line' });
  }, needs);
  const { findings, total_findings: total, note } = found;
  if (json) await printJson(found);
  else {
    const show = hasColour() ? colourPart : showPart;
    const lines = findings.flatMap((finding) => findingLines(finding, show));
    await print(lines.map((line) => `${line}\n`).join(''));
    await tell(noteForPerson(total === 0 ? `nothing differs, ${comparedWith(found)}` : comparedWith(found)));
    if (total > findings.length)
      await tell(noteForPerson(`these are the ${findings.length} most telling of ${total} findings`));
    if (note !== undefined) await tell(noteForPerson(note));
  }
  return total > 0 ? 1 : 0;
}
