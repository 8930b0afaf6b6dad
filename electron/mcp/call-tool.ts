/** Calls a tool for a client: sends its progress, and turns what it throws into a reply that says what to do. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { toSpillwayError } from '../../shared/errors.ts';
import { type ProgressContext, ProgressReports } from './progress.ts';
import type { CallOptions, Tool } from './tools/tool.ts';

interface CallContext {
  readonly mcpReq: ProgressContext['mcpReq'] & { readonly signal: AbortSignal };
}

/** Never rejects. `onDefect` gets the errors that were not written for an agent; the reply does not show them. */
export async function callTool(
  tool: Tool,
  args: unknown,
  context: CallContext,
  from: Pick<CallOptions, 'client' | 'budget'>,
  onDefect?: ((error: unknown) => void) | undefined,
): Promise<CallToolResult> {
  const { signal } = context.mcpReq;
  const reports = new ProgressReports(context);
  const stopTicking = reports.tick();
  try {
    return await tool.call(args, {
      access: 'agent',
      signal,
      ...from,
      report: (progress) => reports.report(progress),
    });
  } catch (error) {
    const { code, what, todo } = toSpillwayError(error);
    if (code !== 'internal') return failure(`${what}: ${todo}`);
    if (!signal.aborted) onDefect?.(error);
    // A message of ours that was not written for an agent may hold paths.
    return failure(
      'Spillway failed at this, which is a defect of its own: try another mode or fewer lines, or read the file itself',
    );
  } finally {
    stopTicking();
    await reports.settle();
  }
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
