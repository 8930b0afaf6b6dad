/** Stores small texts in localStorage; without storage, until the window closes. */

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
    // Ignore the error: nothing else depends on it.
  }
}
