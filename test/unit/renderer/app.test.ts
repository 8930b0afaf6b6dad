import { describe, expect, it } from 'vitest';
import { restore } from '../../../renderer/app/ListColumn.tsx';
import { formatHash, parseHash } from '../../../renderer/app/tabs/tab-state.ts';
import { socketUrl } from '../../../renderer/connection/host-link.ts';
import { StreamName } from '../../../shared/artifact.ts';
import fc from '../../fixtures/fast-check.ts';

describe('the address', () => {
  it('restores the state that it was made from', () => {
    const place = fc.record({
      artifactId: fc.string({ minLength: 1 }),
      stream: fc.constantFrom(null, ...StreamName.options),
      line: fc.option(fc.integer({ min: 1, max: 2 ** 40 })),
    });
    fc.assert(
      fc.property(place, (given) => {
        expect(parseHash(formatHash(given))).toEqual(given);
      }),
    );
  });

  it('ignores invalid parts', () => {
    expect(parseHash('')).toEqual({ artifactId: null, stream: null, line: null });
    expect(parseHash('#a=x&l=0&s=nope')).toEqual({ artifactId: 'x', stream: null, line: null });
    expect(parseHash('#a=x&l=1e99')).toEqual({ artifactId: 'x', stream: null, line: null });
    expect(parseHash('#l=12.5')).toEqual({ artifactId: null, stream: null, line: null });
  });
});

describe('the layout', () => {
  it('is restored from storage', () => {
    expect(restore('{"libraryWidth":412,"libraryOpen":false}')).toEqual({
      libraryWidth: 412,
      libraryOpen: false,
    });
  });

  it('is the default when the stored one is invalid', () => {
    for (const stored of [
      null,
      '',
      '{',
      '[]',
      'null',
      '{"libraryWidth":"x","libraryOpen":1}',
      '{"libraryWidth":1e9}',
    ]) {
      expect(restore(stored)).toEqual({ libraryWidth: 300, libraryOpen: true });
    }
  });
});

describe('the way to the host', () => {
  it('is a socket on the page’s own host, encrypted when the page is', () => {
    expect(socketUrl({ protocol: 'http:', host: '127.0.0.1:8080' })).toBe('ws://127.0.0.1:8080/api');
    expect(socketUrl({ protocol: 'https:', host: 'x.example' })).toBe('wss://x.example/api');
  });
});
