/** Provides the terminal profile "Spillway", and shows terminals that are opened with it. */
import * as vscode from 'vscode';

/** `shim` returns the executable to start; null where nothing may be recorded: then the profile is VS Code's own. */
export function provideProfile(shim: () => string | null): vscode.Disposable[] {
  let opening = 0;
  return [
    vscode.window.registerTerminalProfileProvider('spillway.terminal', {
      provideTerminalProfile: () => {
        const path = shim();
        if (path === null) return new vscode.TerminalProfile({});
        opening += 1;
        return new vscode.TerminalProfile({ shellPath: path });
      },
    }),
    // While the panel is closed, VS Code (1.139) waits for such a terminal to be drawn before it opens the panel.
    vscode.window.onDidOpenTerminal((terminal) => {
      if (opening === 0 || terminal.creationOptions.shellPath === undefined) return;
      opening -= 1;
      terminal.show();
    }),
  ];
}
