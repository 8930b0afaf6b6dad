/** Plugins for rolldown, vite and vitest: programs in other languages have files of their own, and are imported. */
import { readFileSync } from 'node:fs';
import wabt from 'wabt';

/**
 * Makes `import text from '<FILE>.pl'` return the file's text.
 * @returns {{ name: string, load: (id: string) => { code: string, moduleType: 'js' } | null }}
 */
export function textPlugin() {
  return {
    name: 'spillway-text',
    load(id) {
      const path = id.split('?')[0] ?? id;
      if (!/\.(pl|bash|sh)$/.test(path)) return null;
      return { code: `export default ${JSON.stringify(readFileSync(path, 'utf8'))};\n`, moduleType: 'js' };
    },
  };
}

const FEATURES = { simd: true, bulk_memory: true, sign_extension: true, mutable_globals: true };

/**
 * Compiles WebAssembly text: the default export of a `.wat` file is the module as a Uint8Array.
 * @returns {{ name: string, load: (id: string) => Promise<{ code: string, moduleType: 'js' } | null> }}
 */
export function watPlugin() {
  return {
    name: 'spillway-wat',
    async load(id) {
      const path = id.split('?')[0] ?? id;
      if (!path.endsWith('.wat')) return null;
      const bytes = await compileWat(path, readFileSync(path, 'utf8'));
      return { code: moduleOf(bytes), moduleType: 'js' };
    },
  };
}

/**
 * @param {string} name what messages call the text
 * @param {string} text WebAssembly text
 * @returns {Promise<Uint8Array>}
 * @throws {Error} with the file, line and column of what is wrong with the text
 */
export async function compileWat(name, text) {
  const { parseWat } = await wabt();
  const module = parseWat(name, text, FEATURES);
  try {
    module.resolveNames();
    module.validate();
    return module.toBinary({}).buffer;
  } finally {
    module.destroy();
  }
}

/**
 * Base64, because bundles are text. Node decodes it a hundred times faster than `atob`, which workers and the window
 * have.
 * @param {Uint8Array} bytes
 */
function moduleOf(bytes) {
  const base64 = JSON.stringify(Buffer.from(bytes).toString('base64'));
  return `const base64 = ${base64};
export default globalThis.Buffer
  ? new Uint8Array(globalThis.Buffer.from(base64, 'base64'))
  : Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
`;
}
