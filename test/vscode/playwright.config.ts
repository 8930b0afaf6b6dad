/**
 * The extension in a real VS Code: `npm test -- vscode`. It gets a browser and VS Code, and names them in
 * SPILLWAY_BROWSER, SPILLWAY_VSCODE_NODE and SPILLWAY_VSCODE_SERVER.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';

const executablePath = process.env.SPILLWAY_BROWSER;

export default defineConfig({
  testDir: '.',
  outputDir: fileURLToPath(new URL('../../test-results/vscode', import.meta.url)),
  reporter: [['list']],
  // Each has a VS Code of its own, which takes a core.
  workers: 1,
  // VS Code saves its layout a moment after a change. What passes only when tried again is listed as flaky.
  retries: 1,
  timeout: 180_000,
  expect: { timeout: Number(process.env.T ?? 60_000) },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
});
