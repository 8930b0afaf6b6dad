/** Removes from settings.json what leads to the extension. Comments and everything else stay. */
import { applyEdits, modify, parse } from 'jsonc-parser';

/** `storages`: folders that shims may lie in. */
export function withoutShims(text: string, storages: readonly string[]): string {
  const settings = (parse(text) ?? {}) as Record<string, unknown>;
  let left = text;
  for (const [name, value] of Object.entries(settings)) {
    const path = (value as { path?: unknown } | null)?.path;
    const isShim = typeof path === 'string' && storages.some((storage) => path.startsWith(storage));
    const isProfile = name.startsWith('terminal.integrated.defaultProfile.') && value === 'Spillway';
    if (isShim || isProfile || name.startsWith('spillway.'))
      left = applyEdits(left, modify(left, [name], undefined, {}));
  }
  return left;
}
