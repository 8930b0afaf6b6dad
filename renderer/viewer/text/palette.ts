/** Reads the theme's colours as numbers from the custom properties of tokens.css. */
import { useMemo } from 'react';
import { useTheme } from '../../theme/theme.ts';
import type { AnsiPalette } from './ansi.ts';
import { parseHex } from './colour.ts';

export function usePalette(): AnsiPalette {
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the properties' values change with the theme
  return useMemo(readPalette, [theme]);
}

/** Black and white, whose readable shades for text don't suit as backgrounds. */
const BEHIND = [0, 7, 8, 15];

function readPalette(): AnsiPalette {
  const computed = getComputedStyle(document.documentElement);
  const property = (name: string) => parseHex(computed.getPropertyValue(name));
  return {
    ansi: Array.from({ length: 16 }, (_, index) => property(`--ansi-${index}`)),
    text: property('--text'),
    background: property('--text-surface'),
    selected: property('--selected'),
    behind: Array.from({ length: 16 }, (_, index) =>
      property(`--ansi-${BEHIND.includes(index) ? 'behind-' : ''}${index}`),
    ),
  };
}
