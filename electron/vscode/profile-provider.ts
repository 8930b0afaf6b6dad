/** Provides the terminal profile "Spillway", and shows terminals that are opened with it. */
import * as vscode from 'vscode';

/** `shim` returns the executable to start; null where nothing may be recorded: then the profile is VS Code's own. */
export function provideProfile(shim: () => string | null): vscode.Disposable[] {
  const opening: (string | undefined)[] = [];
  return [
    vscode.window.registerTerminalProfileProvider('spillway.terminal', {
      provideTerminalProfile: () => {
        const shellPath = shim() ?? undefined;
        opening.push(shellPath);
        return new vscode.TerminalProfile(shellPath === undefined ? {} : { shellPath });
      },
    }),
    // While the panel is closed, VS Code (1.139) waits for such a terminal to be drawn before it opens the panel.
    vscode.window.onDidOpenTerminal((terminal) => {
      const at = opening.indexOf(terminal.creationOptions.shellPath);
      if (at === -1) return;
      opening.splice(at, 1);
      terminal.show();
    }),
  ];
}
