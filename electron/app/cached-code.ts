/**
 * Runs CommonJS files of the build with V8's code cache beside them, which the build makes: compiling the code takes
 * longer than most commands. A different version of Node ignores the cache.
 */
import { isAscii } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** Loads a file of the build by its name in the folder; returns its exports. */
type RequireCached = (name: string) => unknown;

// The source must not use `import()`, which fails in a cached script.
const BEFORE = '(function (exports, require, module, __filename, __dirname) {';
const AFTER = '\n})';

/**
 * @param folder where the build's files are
 * @param requireOther loads what is not in the folder
 */
export function cachedCode(folder: string, requireOther: NodeJS.Require): RequireCached {
  const modules = new Map<string, { exports: unknown }>();
  const scripts: { cacheFile: string; script: Script }[] = [];
  const files = new FileReader();

  function load(name: string): unknown {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} as unknown };
    modules.set(name, module);
    const file = `${folder}/${name}`;
    const cacheFile = `${file}.cache`;
    const source = asText(files.read(file, BEFORE, AFTER));
    const script = new Script(source, { filename: file, cachedData: readCache(files, cacheFile) });
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

/** Reads files into a reused buffer: a start reads a megabyte that V8 does not keep. */
class FileReader {
  #memory = Buffer.alloc(0);

  /** Returns the file's bytes between two texts of ASCII, valid until the next call. Throws what the system throws. */
  read(path: string, before = '', after = ''): Buffer {
    const fd = openSync(path, 'r');
    try {
      const { size } = fstatSync(fd);
      const end = before.length + size;
      if (end + after.length > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(end + after.length);
      this.#memory.write(before, 0, 'latin1');
      for (let at = before.length; at < end; ) {
        const got = readSync(fd, this.#memory, at, end - at, null);
        if (got === 0) throw new Error(`${path} became shorter`);
        at += got;
      }
      this.#memory.write(after, end, 'latin1');
      return this.#memory.subarray(0, end + after.length);
    } finally {
      closeSync(fd);
    }
  }
}

/** V8 keeps ASCII that is read as Latin-1 in one byte a character, without looking at each. */
function asText(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

function readCache(files: FileReader, path: string): Buffer | undefined {
  try {
    return files.read(path);
  } catch {
    return undefined;
  }
}
