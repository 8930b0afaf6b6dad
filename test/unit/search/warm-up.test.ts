import { expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import { openStream } from '../../../electron/reader/bytes/streams.ts';
import { BlockIndex } from '../../../electron/reader/lines/block-index.ts';
import { prepareSearch, searchStretch } from '../../../electron/search/search-stretch.ts';
import { LineSet } from '../../../shared/line-set.ts';
import { plainBlock } from '../../fixtures/reader/indexed.ts';

it('warms up in several short steps and leaves searches as they are', () => {
  expect([...prepareSearch()].length).toBeGreaterThan(10);
  const bytes = Buffer.from('one warm line\nanother\n');
  const source = openStream({ type: 'bytes', bytes, size: bytes.length });
  const index = new BlockIndex();
  index.append(plainBlock(2), source.size);
  const query = { pattern: 'warm', case_sensitive: true, fixed: false, invert: false };
  const request = { query, raw: false, start: null, end: null };
  const { lines } = searchStretch(source, index, decoderFor('utf-8'), request);
  expect(LineSet.from(lines).slice(1, 9)).toEqual([1]);
});
