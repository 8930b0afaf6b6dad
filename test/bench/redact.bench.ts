/** Masking: a search over 1 GiB with it and without, and what it takes for a reply of 4 KB. */
import { closeSync, openSync, readSync } from 'node:fs';
import { createHost } from '../../electron/host/create.ts';
import { Secrets } from '../../shared/secrets/mask.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { compete, GIB, median, realText, report, warm } from './harness.ts';

const path = realText(GIB);
warm(path);
const host = await createHost({ home: makeFolder(), watch: false });
const redact = new Secrets();
// Each search has a pattern of its own, or it would be answered from the one before.
let number = 0;
const grep = (options: { redact?: Secrets }) => {
  number += 1;
  return host.inspect({ file_path: path, mode: 'grep', pattern: `mov .*0x${number.toString(16)}f` }, options);
};
await grep({});
const searches = await compete({ plain: () => grep({}), masked: () => grep({ redact }) }, 6);
await host.close();

const PAGE_CHARS = 4096;
const file = openSync(path, 'r');
const bytes = Buffer.alloc(500 * PAGE_CHARS);
readSync(file, bytes);
closeSync(file);
const text = bytes.toString('latin1');
const pages = Array.from({ length: 500 }, (_, i) => text.slice(i * PAGE_CHARS, (i + 1) * PAGE_CHARS));
const times = pages.map((page) => {
  const start = performance.now();
  redact.mask(page);
  return performance.now() - start;
});

report(
  'redact',
  [
    { what: 'grep over 1 GiB', value: median(searches.plain), unit: 'ms' },
    { what: 'the same with its secrets masked', value: median(searches.masked), unit: 'ms' },
    {
      what: 'masked beside plain',
      value: median(searches.masked) / median(searches.plain),
      unit: 'x',
      limit: 1.05,
    },
    { what: 'masking of 4 KB', value: median(times), unit: 'ms', limit: 1 },
  ],
  { searches, times },
);
