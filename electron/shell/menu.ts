/** The application menu: actions that the page does not have itself. */
import type { MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  openFiles(): void;
  openFolder(): void;
}

export function menuTemplate(actions: MenuActions, platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: '&Open File…', accelerator: 'CmdOrCtrl+O', click: () => actions.openFiles() },
        { label: 'Open &Folder…', accelerator: 'CmdOrCtrl+Shift+O', click: () => actions.openFolder() },
        { type: 'separator' },
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { label: '&Edit', submenu: [{ role: 'copy' }, { role: 'selectAll' }] },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        { role: 'reload' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
  ];
}
