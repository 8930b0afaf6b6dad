/**
 * Loads the code of `spillway run` with V8's code cache, which the build makes: compiling takes 10 ms. A different
 * version of Node ignores the cache.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

declare const require: NodeJS.Require;
declare const __dirname: string;

const file = `${__dirname}/run-main.cjs`;
const cacheFile = `${__dirname}/run-main.cache`;

const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
// The source must not use `import()`, which fails in a cached script.
const script = new Script(source, { filename: file, cachedData: readCache() });
const module = {
  exports: {} as { main(folder: string, startProgram: () => Promise<unknown>): Promise<void> },
};
script.runInThisContext()(module.exports, require, module, file, __dirname);
// Set only by the build: caches the functions that this run compiled.
if (process.env.SPILLWAY_WRITE_CODE_CACHE === file)
  process.on('exit', () => writeFileSync(cacheFile, script.createCachedData()));
void module.exports.main(__dirname, async () => {
  const program = await import(pathToFileURL(`${__dirname}/command-line.js`).href);
  await program.main(process.argv.slice(2), `${__dirname}/cli.js`, null);
});

function readCache(): Buffer | undefined {
  try {
    return readFileSync(cacheFile);
  } catch {
    return undefined;
  }
}
