/** Restricts every page in this process: no navigation, no windows, no permissions but copying. */
import type { App, Session, WebContents } from 'electron';
import { externalAddress, isOurOrigin } from './origin.ts';

/** @param openExternal opens a web address in the person's browser */
export function holdPages(app: App, openExternal: (url: string) => void): void {
  app.on('web-contents-created', (_event, contents) => holdPage(contents, openExternal));
}

function holdPage(contents: WebContents, openExternal: (url: string) => void): void {
  contents.setWindowOpenHandler(({ url }) => {
    const address = externalAddress(url);
    if (address) openExternal(address);
    return { action: 'deny' };
  });
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** Allows copying to the clipboard and refuses every other permission. */
export function holdPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(isAllowed(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin));
  session.setDevicePermissionHandler(() => false);
}

function isAllowed(permission: string, requester: string): boolean {
  return permission === 'clipboard-sanitized-write' && isOurOrigin(requester);
}
