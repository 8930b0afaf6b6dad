/** `spillway pin` and `spillway unpin`: no cleanup removes a pinned capture. */
import { isFileId } from '../../../shared/artifact-names.ts';
import type { PinResult } from '../../../shared/lifecycle.ts';
import { print, printJson } from '../output/print.ts';
import { captureIdOf } from '../target.ts';
import { withHost, withLifecycle } from '../with-host.ts';

export interface PinOptions {
  json?: boolean;
}

export async function pin(id: string, options: PinOptions): Promise<number> {
  const artifact_id = await captureIdOf(id);
  // Pinning another program's file pins a copy of it, which only a host can find.
  if (isFileId(artifact_id)) return say(await withHost((host) => host.pin({ artifact_id })), options);
  return say(await withLifecycle((lifecycle) => lifecycle.pinCapture({ artifact_id })), options);
}

export async function unpin(id: string, options: PinOptions): Promise<number> {
  const artifact_id = await captureIdOf(id);
  return say(await withLifecycle((lifecycle) => lifecycle.unpin({ artifact_id })), options);
}

async function say(result: PinResult, { json }: PinOptions): Promise<number> {
  const { artifact_id, pinned, changed } = result;
  const state = pinned ? 'pinned' : changed ? 'no longer pinned' : 'not pinned';
  if (json) await printJson(result);
  else await print(`${artifact_id} is ${pinned && !changed ? 'pinned already' : state}\n`);
  return 0;
}
