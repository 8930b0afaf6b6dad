/**
 * The rooms, and what each may import: the table of ARCHITECTURE.md. `check.mjs` enforces it.
 *
 * To add a room, add its folder here and in ARCHITECTURE. A file belongs to the innermost folder named here. A
 * folder that contains rooms (`electron`, `renderer`, `renderer/viewer`) owns only its direct files.
 */

/**
 * @typedef {{ may: string[], node: boolean, electron: boolean }} Rule rooms that may be imported; Node's modules;
 * Electron's
 */

const nodeRooms = [
  'reader',
  'search',
  'workers',
  'store',
  'archive',
  'agents',
  'library',
  'recorder',
  'host',
  'agent-shell',
  'connect',
  'mcp',
  'cli',
  'web',
  'shell',
  'app',
];
const everything = ['shared', 'electron', ...nodeRooms.map((room) => `electron/${room}`)];

const inNode = (/** @type {string[]} */ ...may) => ({ may, node: true, electron: false });
const inElectron = (/** @type {string[]} */ ...may) => ({ may, node: true, electron: true });
/** A room of the interface may import `shared` and the named rooms of the interface. */
const inWindow = (/** @type {string[]} */ ...may) => ({
  may: ['shared', ...may.map((room) => `renderer/${room}`)],
  node: false,
  electron: false,
});

const viewerRooms = ['document', 'scrolling', 'selection', 'highlight', 'text'].map(
  (room) => `viewer/${room}`,
);

/** @type {Record<string, Rule>} */
export const rules = {
  shared: { may: [], node: false, electron: false },

  'electron/reader': inNode('shared'),
  'electron/search': inNode('shared', 'electron/reader'),
  'electron/workers': inNode('shared', 'electron/reader', 'electron/search', 'electron/store'),
  'electron/store': inNode('shared', 'electron/reader'),
  'electron/archive': inNode('shared', 'electron/reader', 'electron/store'),
  'electron/agents': inNode('shared', 'electron/reader', 'electron/workers', 'electron/store'),
  'electron/library': inNode(
    'shared',
    ...['reader', 'workers', 'store', 'agents'].map((room) => `electron/${room}`),
  ),
  'electron/recorder': inNode('shared', 'electron/reader', 'electron/store'),
  'electron/host': inNode(
    'shared',
    ...['reader', 'search', 'workers', 'store', 'archive', 'agents', 'library', 'recorder'].map(
      (room) => `electron/${room}`,
    ),
  ),
  'electron/agent-shell': inNode(
    'shared',
    ...['reader', 'store', 'agents', 'host'].map((room) => `electron/${room}`),
  ),
  'electron/connect': inNode(
    'shared',
    ...['reader', 'store', 'agents', 'host', 'agent-shell'].map((room) => `electron/${room}`),
  ),
  'electron/mcp': inNode('shared', 'electron/agents', 'electron/host'),
  // It imports the recorder, since `run` starts a command before any host exists (ARCHITECTURE, "Rooms").
  'electron/cli': inNode(
    'shared',
    ...['reader', 'archive', 'agents', 'recorder', 'host', 'mcp', 'agent-shell', 'connect'].map(
      (room) => `electron/${room}`,
    ),
  ),
  'electron/web': inNode('shared', 'electron/host'),
  'electron/shell': inElectron('shared', 'electron/host'),
  'electron/vscode': inNode('shared', 'electron/host'),
  'electron/app': inNode(...everything),
  'electron/tooling': inNode('electron/shell'),
  electron: inElectron(...everything),

  // Lowest first: each imports only rooms above it in this list, which rules out circles.
  'renderer/ui': inWindow(),
  'renderer/actions': inWindow('ui'),
  'renderer/connection': inWindow('ui'),
  'renderer/library': inWindow('actions', 'connection', 'ui'),
  'renderer/viewer/document': inWindow('connection', 'ui'),
  'renderer/viewer/scrolling': inWindow('viewer/document', 'ui'),
  'renderer/viewer/selection': inWindow('viewer/document', 'viewer/scrolling', 'connection', 'ui'),
  'renderer/viewer/highlight': inWindow('connection', 'ui'),
  'renderer/viewer/text': inWindow(
    ...['document', 'scrolling', 'selection', 'highlight'].map((room) => `viewer/${room}`),
    'ui',
  ),
  'renderer/viewer': inWindow(...viewerRooms, 'library', 'actions', 'ui'),
  'renderer/search': inWindow('viewer', ...viewerRooms, 'actions', 'connection', 'ui'),
  'renderer/filters': inWindow('search', 'viewer', ...viewerRooms, 'actions', 'connection', 'ui'),
  'renderer/panels': inWindow(
    ...['filters', 'search', 'viewer', ...viewerRooms, 'library', 'actions', 'connection', 'ui'],
  ),
  'renderer/differences': inWindow(
    ...['filters', 'search', 'viewer', ...viewerRooms, 'library', 'actions', 'connection', 'ui'],
  ),
  'renderer/artifact': inWindow(
    ...['differences', 'panels', 'filters', 'search', 'viewer', ...viewerRooms],
    ...['library', 'actions', 'connection', 'ui'],
  ),
  'renderer/agents': inWindow('library', 'connection', 'ui'),
  'renderer/app': inWindow(
    ...['artifact', 'differences', 'panels', 'agents', 'search', 'viewer', ...viewerRooms],
    ...['library', 'actions', 'connection', 'ui'],
  ),
  renderer: inWindow('app', 'connection', 'viewer/highlight', 'ui'),
};

const folders = Object.keys(rules);

/** @param {string} path relative to the project, with `/` @returns {string | null} the room's folder */
export function roomOf(path) {
  const parts = path.split('/').slice(0, -1);
  for (let depth = parts.length; depth > 0; depth--) {
    const folder = parts.slice(0, depth).join('/');
    if (!Object.hasOwn(rules, folder)) continue;
    const hasRoomsInside = folders.some((other) => other.startsWith(`${folder}/`));
    return hasRoomsInside && depth < parts.length ? null : folder;
  }
  return null;
}
