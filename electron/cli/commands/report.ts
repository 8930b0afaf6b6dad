/** `spillway report`: prints a failure as one document to give away. */
import type { ReportFormat } from '../../../shared/report.ts';
import { forOutput, noteForPerson, print, tell } from '../output/print.ts';
import { redactedNote } from '../output/views.ts';
import { targetOf } from '../target.ts';
import { withHost } from '../with-host.ts';

export async function report(given: string, format: ReportFormat, redact: boolean): Promise<number> {
  const { text, redacted } = await withHost(async (host) =>
    host.report({ ...(await targetOf(given, host)), format, redact }, { surface: 'command line' }),
  );
  await print(forOutput(text, false));
  for (const note of redactedNote(redacted || undefined)) await tell(noteForPerson(note));
  return 0;
}
