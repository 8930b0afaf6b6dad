/** Copies text to the clipboard; rejects if the browser does not allow it. */
export async function writeClipboard(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('This page has no permission to use the clipboard');
  await navigator.clipboard.writeText(text);
}
