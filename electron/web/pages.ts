/** Makes the pages shown instead of the interface: short, without script or style. */
export interface Page {
  status: number;
  html: string;
}

/** `what` and `todo` must be our own text, never text from a request. */
export function page(status: number, what: string, todo: string): Page {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Spillway: ${escapeHtml(what)}</title>
<h1>${escapeHtml(what)}</h1>
<p>${escapeHtml(todo)}</p>
</html>
`;
  return { status, html };
}

export function refusal(status: number, why: string): Page {
  return page(status, `Refused: ${why}`, TODO[status] ?? 'Open the address that Spillway printed.');
}

export const notFound: Page = page(404, 'Not found', 'The interface is at the address without a path.');

export const notBuilt: Page = page(
  503,
  'The interface has not been built',
  'Run `npm run build` in the project, then reload this page.',
);

const TODO: Record<number, string> = {
  401:
    'Open the whole address that Spillway printed in the terminal, including the part after ?token=. ' +
    'After a restart, use the new address it printed, or run `spillway open`.',
  403:
    'Open Spillway at 127.0.0.1 or localhost in its own tab. From another machine, forward its port over SSH and open ' +
    'http://localhost with the forwarded port.',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
