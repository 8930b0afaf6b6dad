/** Opens a person's paths and shows the first artifact. Reports paths that fail in the window. */
import { toSpillwayError } from '../../shared/errors.ts';
import type { WindowInspector } from './inspector.ts';

export async function openPaths(host: WindowInspector['host'], paths: readonly string[]): Promise<void> {
  let shown = false;
  for (const path of paths) {
    try {
      const [first] = await host.openPath(path);
      if (!first || shown) continue;
      host.notify({ type: 'show', artifact_id: first.artifact_id });
      shown = true;
    } catch (error) {
      host.notify({ type: 'message', text: toSpillwayError(error).message });
    }
  }
}
