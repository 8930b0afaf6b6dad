/** The desktop window, in a real Electron. Where there is none it is skipped, and the reason is reported. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, expect, type Page, test } from '@playwright/test';
import { findElectron } from '../../../electron/tooling/machine/electron-runtime.mjs';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const runtime = findElectron();

test.describe('the desktop window', () => {
  // One window, started once.
  test.describe.configure({ mode: 'default' });
  test.skip('missing' in runtime, 'missing' in runtime ? `no Electron here: ${runtime.missing}` : '');

  let folder: string;
  let electron: ElectronApplication;
  let page: Page;

  test.beforeAll(async () => {
    if ('missing' in runtime) return;
    folder = makeFolder();
    const file = join(folder, 'some.log');
    writeFileSync(file, Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join('\n'));
    electron = await _electron.launch({
      executablePath: runtime.path,
      args: [...runtime.args, project, file],
      env: { ...process.env, SPILLWAY_HOME: join(folder, 'home') } as Record<string, string>,
    });
    page = await electron.firstWindow();
  });

  test.afterAll(async () => {
    await electron?.close();
    if (folder) removeFolder(folder);
  });

  test('shows the file it was started on, over its own protocol', async () => {
    expect(page.url()).toBe('spillway://app/');
    await expect(page.getByText('line 1', { exact: true }).first()).toBeVisible();
  });

  test('gives the page neither Node.js nor Electron, and lets it run nothing of others', async () => {
    expect(
      await page.evaluate(() => [
        typeof Reflect.get(globalThis, 'require'),
        typeof Reflect.get(globalThis, 'process'),
      ]),
    ).toEqual(['undefined', 'undefined']);
    const blocked = await page.evaluate(async () => {
      const violation = new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
      });
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      document.head.append(script);
      return [await violation, Reflect.get(globalThis, 'ran')];
    });
    expect(blocked).toEqual(['script-src-elem', undefined]);
    await expect(page.evaluate(() => fetch('https://example.org'))).rejects.toThrow();
  });

  test('neither navigates nor opens windows', async () => {
    // The main process is asked about a navigation before it begins.
    await electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const isPrevented = new Promise<boolean>((resolve) => {
        contents?.once('will-navigate', (event) => resolve(event.defaultPrevented));
        contents?.once('will-frame-navigate', (event) => resolve(event.defaultPrevented));
      });
      Reflect.set(globalThis, 'isPrevented', isPrevented);
    });
    const hasOpened = await page.evaluate(() => {
      location.href = 'https://example.org/';
      return window.open('spillway://app/') !== null;
    });
    expect(hasOpened).toBe(false);
    expect(await electron.evaluate(() => Reflect.get(globalThis, 'isPrevented'))).toBe(true);
    expect(page.url()).toBe('spillway://app/');
    expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  test('has its connection again after a reload', async () => {
    await page.reload();
    await expect(page.getByText('some.log').first()).toBeVisible();
    await expect(page.getByText('Offline')).toHaveCount(0);
  });

  test('keeps its one instance, and opens there what another is started on', async () => {
    if ('missing' in runtime) return;
    const other = join(folder, 'other.log');
    writeFileSync(other, 'from the second start\n');
    const second = await electron.evaluate(
      async ({ app }, [executable, ...args]) => {
        const { spawn } = process.getBuiltinModule('node:child_process');
        const child = spawn(executable ?? '', args, { env: process.env, stdio: 'ignore' });
        return new Promise<number | null>((resolve) => {
          child.on('exit', (code) => resolve(code));
          app.once('second-instance', () => {});
        });
      },
      [runtime.path, ...runtime.args, project, other],
    );
    expect(second).toBe(0);
    await expect(page.getByText('from the second start')).toBeVisible();
  });
});
