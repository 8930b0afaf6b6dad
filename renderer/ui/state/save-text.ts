/** Downloads a text as a file; the desktop window asks where to save it. */
export function saveText(name: string, parts: readonly (string | Blob)[], type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(name);
  document.body.append(link);
  link.click();
  link.remove();
  // The download begins only after the click was handled.
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS);
}

const RELEASE_AFTER_MS = 60_000;
const MAX_CHARS = 120;

/** Returns a name that every file system accepts. */
export function fileName(name: string): string {
  const dot = name.lastIndexOf('.');
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const plain = stem
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|-+$/g, '');
  return `${plain.slice(0, MAX_CHARS) || 'output'}${end}`;
}
