/** Small texts that the window remembers. Without storage they last as long as it does. */

export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function storeText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Nothing but convenience depends on it.
  }
}
