/** `spillway pin` and `spillway unpin`: what is pinned stays, whatever is cleaned up. */
import type { PinResult } from '../../shared/lifecycle.ts';
import { print, printJson } from './output/print.ts';
import { withLifecycle } from './with-lifecycle.ts';

export interface PinOptions {
  json?: boolean;
}

export async function pin(id: string, options: PinOptions): Promise<number> {
  return say(await withLifecycle((lifecycle) => lifecycle.pin({ artifact_id: id })), options);
}

export async function unpin(id: string, options: PinOptions): Promise<number> {
  return say(await withLifecycle((lifecycle) => lifecycle.unpin({ artifact_id: id })), options);
}

async function say(result: PinResult, { json }: PinOptions): Promise<number> {
  const { artifact_id, pinned, changed } = result;
  const state = pinned ? 'pinned' : changed ? 'no longer pinned' : 'not pinned';
  if (json) await printJson(result);
  else await print(`${artifact_id} is ${pinned && !changed ? 'pinned already' : state}\n`);
  return 0;
}
