/**
 * Runs CommonJS files of the build with V8's code cache beside them, which the build makes: compiling the code takes
 * longer than most commands. A different version of Node ignores the cache.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** Loads a file of the build by its name in the folder; returns its exports. */
export type RequireCached = (name: string) => unknown;

/**
 * @param folder where the build's files are
 * @param requireOther loads what is not in the folder
 */
export function cachedCode(folder: string, requireOther: NodeJS.Require): RequireCached {
  const modules = new Map<string, { exports: unknown }>();
  const scripts: { cacheFile: string; script: Script }[] = [];

  function load(name: string): unknown {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} as unknown };
    modules.set(name, module);
    const file = `${folder}/${name}`;
    const cacheFile = `${file}.cache`;
    // The source must not use `import()`, which fails in a cached script.
    const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
    const script = new Script(source, { filename: file, cachedData: readCache(cacheFile) });
    scripts.push({ cacheFile, script });
    script.runInThisContext()(module.exports, requireFrom, module, file, folder);
    return module.exports;
  }

  const requireFrom = (id: string) => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id));

  // Set only by the build: caches the functions that this run compiled.
  if (process.env.SPILLWAY_WRITE_CODE_CACHE === folder)
    process.on('exit', () => {
      for (const { cacheFile, script } of scripts) writeFileSync(cacheFile, script.createCachedData());
    });
  return load;
}

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
