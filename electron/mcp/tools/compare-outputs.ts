/** `compare_outputs`: what changed since a command last passed. */
import * as z from 'zod';
import { type Comparison, type Finding, namedLines } from '../../../shared/comparison.ts';
import { newestNamed } from '../../host/documents/targets/path-of-target.ts';
import type { Host } from '../../host/host.ts';
import { fromUser } from '../../host/settings/home-path.ts';
import { byKind, findingLines, nothingIn } from '../../host/views/comparison-text.ts';
import { parseArguments } from '../arguments.ts';
import { roomIn } from '../budget.ts';
import { maskedFacts, maskedLine } from '../redaction.ts';
import { textReply } from '../reply.ts';
import { definition, READS, type Tool } from './tool.ts';

const Arguments = z.strictObject({
  artifact_id: z.string().optional().describe('the run (the last that failed)'),
  baselines: z
    .array(z.string())
    .min(1)
    .max(30)
    .optional()
    .describe('ids, paths or id:from-to (its last 5 passes)'),
  max_chars: z.number().int().min(1).optional().describe('most characters of text'),
});

export function compareOutputs(host: Host): Tool {
  return {
    definition: definition({
      name: 'compare_outputs',
      title: 'What changed since it passed',
      description:
        'Use this to see what is new, changed or gone in a run since the command last passed, most telling first. The second block is captured text.',
      input: Arguments,
      annotations: READS,
    }),
    call: async (args, options) => {
      const { artifact_id, baselines, max_chars } = parseArguments('compare_outputs', Arguments, args);
      const id = artifact_id ?? (await newestNamed('last-failed', host, options))!;
      const named = baselines?.map(partOf);
      const { access, signal } = options;
      const asked = { ...partOf(id), ...(named ? { baselines: named } : {}), all_lines: false };
      const found = await host.compare(asked, { access, signal });
      for (const finding of found.findings) {
        const { stream, line_number: line, text } = finding;
        finding.text = await maskedLine(host, { artifact_id: found.artifact_id, stream }, line, text);
      }
      if (found.cause) {
        const { stream, line_number: line, text } = found.cause;
        found.cause.text = await maskedLine(host, { artifact_id: found.artifact_id, stream }, line, text);
      }
      const { usualBytes, mostBytes } = options.budget;
      return replyOf(found, max_chars === undefined ? usualBytes : mostBytes, max_chars);
    },
  };
}

/** An id or a path, with lines behind it or without. */
function partOf(given: string) {
  const { name, ...lines } = namedLines(given) ?? { name: given };
  return { ...(/[/\\~]/.test(name) ? { file_path: fromUser(name) } : { artifact_id: name }), ...lines };
}

/** Ranges that the head names; the text has the rest. */
const MOST_RANGES = 20;

/** Findings as text, as many as fit. */
function replyOf(found: Comparison, maxBytes: number, maxChars = Number.POSITIVE_INFINITY) {
  const { findings, lines, changed_lines: _, ...head } = found;
  const kept: { kind: Finding['kind']; text: string }[] = [];
  let bytes = 0;
  let chars = 0;
  let shown = 0;
  let redacted = 0;
  for (const one of findings) {
    // A secret must be whole to be known: the difference of two is marked inside them.
    const finding = maskedFacts<Finding & { redacted?: number }>(one);
    const text = findingLines(finding).join('\n');
    bytes += Buffer.byteLength(text) + 1;
    chars += text.length + 1;
    if (bytes > roomIn(maxBytes) || chars > maxChars + 1) break;
    kept.push({ kind: finding.kind, text });
    shown++;
    redacted += finding.redacted ?? 0;
  }
  const truncated = head.truncated || shown < findings.length || lines.length > MOST_RANGES;
  return textReply(
    { ...head, lines: lines.slice(0, MOST_RANGES), truncated, ...(redacted > 0 ? { redacted } : {}) },
    kept.length > 0 || findings.length > 0
      ? byKind(kept)
          .map(({ text }) => text)
          .join('\n')
      : head.truncated
        ? 'nothing differs in what was compared'
        : nothingIn(found),
  );
}
