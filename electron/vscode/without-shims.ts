/** Removes from settings.json what leads to the extension. Comments and everything else stay. */
import { applyEdits, type JSONPath, modify, parse } from 'jsonc-parser';

/** `storages`: folders that shims may lie in. `defaultBefore`: the default profile before the extension's. */
export function withoutShims(
  text: string,
  storages: readonly string[],
  defaultBefore: string | null,
): string {
  const settings = (parse(text) ?? {}) as Record<string, unknown>;
  const isShim = (value: unknown) => {
    const path = (value as { path?: unknown } | null)?.path;
    return typeof path === 'string' && storages.some((storage) => path.startsWith(storage));
  };
  let left = text;
  const set = (path: JSONPath, value?: unknown) => {
    left = applyEdits(left, modify(left, path, value, {}));
  };
  const ours: string[] = [];
  for (const [name, value] of Object.entries(settings)) {
    if (isShim(value) || name.startsWith('spillway.')) set([name]);
    if (!name.startsWith('terminal.integrated.profiles.')) continue;
    const profiles = Object.entries(value ?? {});
    const shims = profiles.filter(([, profile]) => isShim(profile)).map(([profile]) => profile);
    ours.push(...shims);
    if (shims.length > 0 && shims.length === profiles.length) set([name]);
    else for (const profile of shims) set([name, profile]);
  }
  for (const [name, value] of Object.entries(settings))
    if (name.startsWith('terminal.integrated.defaultProfile.') && ours.includes(String(value)))
      set([name], defaultBefore ?? undefined);
  return left;
}
