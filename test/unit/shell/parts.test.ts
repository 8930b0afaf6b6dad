/** Edge cases of the desktop window's functions. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handOverPort, type Ipc, type PageMessage } from '../../../electron/shell/hand-over.ts';
import { pathsHandedOver, pathsOf, profileFolder } from '../../../electron/shell/launch.ts';
import { externalAddress, isOurOrigin, isOurPage } from '../../../electron/shell/protocol.ts';
import { BACKGROUND, menuTemplate } from '../../../electron/shell/window.ts';

describe('the preload', () => {
  const origin = 'spillway://app';

  function setUp() {
    const sent: string[] = [];
    const posted: unknown[][] = [];
    let toPage = (_event: { ports: readonly unknown[] }) => {};
    let toPreload = (_event: PageMessage) => {};
    const page = {
      location: { origin },
      addEventListener: (_type: 'message', listener: (event: PageMessage) => void) => {
        toPreload = listener;
      },
      postMessage: (...args: unknown[]) => void posted.push(args),
    };
    const ipc: Ipc = {
      send: (channel) => void sent.push(channel),
      on: (channel, listener) => {
        expect(channel).toBe('spillway:port');
        toPage = listener;
      },
    };
    handOverPort(page, ipc);
    return {
      sent,
      posted,
      page,
      say: (event: Partial<PageMessage>) => toPreload({ source: page, origin, data: null, ...event }),
      deliver: (ports: unknown[]) => toPage({ ports }),
    };
  }

  it('asks for a port when the page says it is ready', () => {
    const { say, sent } = setUp();
    say({ data: { type: 'spillway:ready' } });
    expect(sent).toEqual(['spillway:connect']);
  });

  it('ignores frames, other origins and other messages', () => {
    const { say, sent } = setUp();
    const data = { type: 'spillway:ready' };
    say({ data, source: { another: 'window' } });
    say({ data, origin: 'https://example.org' });
    for (const other of ['spillway:ready', null, 7, { type: 'spillway:port' }, {}]) say({ data: other });
    expect(sent).toEqual([]);
  });

  it('passes the port on to its own page alone', () => {
    const { deliver, posted } = setUp();
    deliver(['the port']);
    expect(posted).toEqual([[{ type: 'spillway:port' }, origin, ['the port']]]);
  });
});

describe('the command line of the window', () => {
  it('begins after the program, or after the app it was given', () => {
    expect(pathsOf(['/opt/spillway', 'a.log'], true, '/work')).toEqual([resolve('/work/a.log')]);
    expect(pathsOf(['/electron', '/app', 'a.log'], false, '/work')).toEqual([resolve('/work/a.log')]);
  });

  it('tells a switch of Chromium from a path', () => {
    expect(pathsOf(['/opt/spillway', '--no-sandbox', '/a', '--lang=de'], true, '/')).toEqual([resolve('/a')]);
  });

  it('takes only absolute paths from another instance', () => {
    expect(pathsHandedOver({ paths: ['/a/b', 'b', '/a/../b', 1, null] })).toEqual(['/a/b']);
    for (const data of [undefined, null, 'x', {}, { paths: '/a' }]) expect(pathsHandedOver(data)).toEqual([]);
  });

  it('has one instance for each home', () => {
    expect(profileFolder('/data', undefined)).toBe('/data');
    expect(profileFolder('/data', '/home/a')).toBe(profileFolder('/data', '/home/x/../a'));
    expect(profileFolder('/data', '/home/a')).not.toBe(profileFolder('/data', '/home/b'));
  });
});

describe('origins', () => {
  it('knows its own', () => {
    for (const url of ['spillway://app/', 'spillway://app/index.html?x']) expect(isOurOrigin(url)).toBe(true);
    for (const url of [
      'spillway://app2/',
      'spillway://x@app:1/',
      'http://app/',
      'spillway:app',
      '',
      'null',
    ]) {
      expect(isOurOrigin(url)).toBe(false);
    }
  });

  it('accepts only the page itself', () => {
    const page = { url: 'spillway://app/', parent: null };
    expect(isOurPage(page)).toBe(true);
    expect(isOurPage({ ...page, parent: page })).toBe(false);
    expect(isOurPage(null)).toBe(false);
  });

  it('opens only web addresses elsewhere', () => {
    expect(externalAddress('https://example.org/a?b#c')).toBe('https://example.org/a?b#c');
    expect(externalAddress('HTTP://EXAMPLE.ORG')).toBe('http://example.org/');
    for (const url of ['file:///a', 'javascript:alert(1)', 'spillway://app/', 'vscode://x', ' ', 'a']) {
      expect(externalAddress(url)).toBeNull();
    }
  });
});

describe('the menu', () => {
  const template = (platform: NodeJS.Platform) => menuTemplate({ openFiles() {}, openFolder() {} }, platform);

  it('has the application’s own menu first on macOS, where closing is not quitting', () => {
    expect(template('darwin')[0]).toEqual({ role: 'appMenu' });
    expect(JSON.stringify(template('darwin'))).toContain('"role":"close"');
    expect(JSON.stringify(template('linux'))).toContain('"role":"quit"');
  });

  it('has no accelerator twice', () => {
    const given = JSON.stringify(template('linux')).match(/"accelerator":"[^"]+"/g) ?? [];
    expect(new Set(given).size).toBe(given.length);
  });
});

describe('the window’s first colour', () => {
  it.each(['light', 'dark'] as const)('is that of the text in the %s theme', (theme) => {
    const tokens = readFileSync(new URL('../../../renderer/ui/theme/tokens.css', import.meta.url), 'utf8');
    const surfaces = [...tokens.matchAll(/--text-surface: (#[0-9a-f]{6});/g)].map(([, colour]) => colour);
    expect(surfaces).toContain(BACKGROUND[theme]);
  });
});
