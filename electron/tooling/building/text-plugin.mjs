/**
 * Makes `import text from './core.pl'` return the file's text, so that programs in other languages have files of
 * their own. For rolldown, vite and vitest.
 */
import { readFileSync } from 'node:fs';

/** @returns {{ name: string, load: (id: string) => { code: string, moduleType: 'js' } | null }} */
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
