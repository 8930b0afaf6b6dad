/**
 * Makes programs' colours readable: keeps a contrast of at least 4.5 to 1 (WCAG 2 AA) by moving the text's colour
 * towards black or white, never the background's.
 */

/** Each 0-255. */
export type Rgb = readonly [number, number, number];

export const READABLE_CONTRAST = 4.5;

/** `#rrggbb` or `#rgb`. */
export function parseHex(hex: string): Rgb {
  const text = hex.trim().replace('#', '');
  const full = text.length === 3 ? [...text].map((digit) => digit + digit).join('') : text;
  const value = Number.parseInt(full, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function toHex(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Returns entries 16-255 of the 256-colour palette: a 6 x 6 x 6 cube, then 24 greys. */
export function cubeColour(index: number): Rgb {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cell = index - 16;
  return [level(Math.floor(cell / 36)), level(Math.floor(cell / 6) % 6), level(cell % 6)];
}

/** Returns the contrast as defined by WCAG 2: 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns `text`, or its nearest shade towards black or white that is readable on `background`. */
export function readableOn(text: Rgb, background: Rgb, wanted = READABLE_CONTRAST): Rgb {
  if (contrast(text, background) >= wanted) return text;
  const towards: Rgb =
    contrast([255, 255, 255], background) > contrast([0, 0, 0], background) ? [255, 255, 255] : [0, 0, 0];
  let near = 0;
  let far = 1;
  for (let step = 0; step < 8; step += 1) {
    const middle = (near + far) / 2;
    if (contrast(mix(text, towards, middle), background) >= wanted) far = middle;
    else near = middle;
  }
  return mix(text, towards, far);
}

/** Mixes two colours: `part` of the way from `a` to `b`, rounded. */
export function mix(a: Rgb, b: Rgb, part: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(a[index] + (b[index] - a[index]) * part);
  return [at(0), at(1), at(2)];
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
