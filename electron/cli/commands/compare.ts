/** `spillway compare`: prints what an output has that runs that passed have not. */
import { comparedWith, findingLines } from '../../host/views/comparison-text.ts';
import { forOutput, noteForPerson, print, printJson, tell } from '../output/print.ts';
import { targetOf } from '../target.ts';
import { withHost } from '../with-host.ts';

/** Returns the exit status: 1 if something differs. */
export async function compare(failed: string, passed: readonly string[], json: boolean): Promise<number> {
  const found = await withHost(async (host) => {
    const baselines = await Promise.all(passed.map((one) => targetOf(one, host)));
    const target = await targetOf(failed, host);
    const named = passed.length === 0 ? {} : { baselines };
    return host.compare({ ...target, ...named, all_lines: json }, { surface: 'command line' });
  });
  const { findings, total_findings: total, truncated, note } = found;
  if (json) await printJson(found);
  else {
    const lines = findings.flatMap(findingLines);
    await print(forOutput(lines.map((line) => `${line}\n`).join(''), false));
    await tell(noteForPerson(total === 0 ? `nothing differs, ${comparedWith(found)}` : comparedWith(found)));
    if (truncated)
      await tell(noteForPerson(`these are the ${findings.length} most telling of ${total} findings`));
    if (note !== undefined) await tell(noteForPerson(note));
  }
  return total > 0 ? 1 : 0;
}
