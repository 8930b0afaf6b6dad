/** Changes a server's list of tools: adds the proxy's `inspect_output`, and takes away what previews would break. */
import type { Host } from '../../host/host.ts';
import { inspectOutput } from '../tools/inspect-output.ts';
import { withElements, withoutKey } from './message.ts';

/** Inserts the tool into a JSON array. All other bytes stay. */
export function withOurs(list: string): string {
  const end = list.lastIndexOf(']');
  const isEmpty = list.slice(1, end).trim() === '';
  return `${list.slice(0, end)}${isEmpty ? '' : ','}${announced()}${list.slice(end)}`;
}

/** Removes each tool's `outputSchema`: clients refuse results without the structured content that one announces. */
export function withoutSchemas(list: string): string {
  return withElements(list, (tool) => withoutKey(tool, 'outputSchema'));
}

/** The definition alone needs no host. */
function announced(): string {
  return JSON.stringify(inspectOutput({} as Host).definition);
}
