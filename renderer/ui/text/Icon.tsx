/** The window's own icons: strokes on a 16 x 16 grid. They are decorative, so always put a word beside them. */

import styles from './MiddleText.module.css';

const PATHS = {
  columns: 'M2.5 3.5h11v9h-11z M6.2 3.5v9 M9.8 3.5v9',
  list: 'M2.5 3.5h11v9h-11z M6.5 3.5v9',
  panel: 'M2.5 3.5h11v9h-11z M9.5 3.5v9',
  top: 'M3.5 3h9 M8 13V6 M5 8.8 8 5.8l3 3',
  bottom: 'M3.5 13h9 M8 3v7 M5 7.2l3 3 3-3',
  goto: 'M2.5 8h8 M7.5 4.8 10.7 8l-3.2 3.2 M13.5 3v10',
  back: 'M13.5 8h-10 M7 4.2 3.2 8 7 11.8',
  wrap: 'M2.5 3.5h11 M2.5 8h8.6a2.2 2.2 0 0 1 0 4.4H8 M9.8 10.2 7.6 12.4l2.2 2.2 M2.5 12.4h2.6',
  range: 'M5.5 2.5h-3v11h3 M10.5 2.5h3v11h-3 M6 8h4',
  follow: 'M4.5 3.5 8 7l3.5-3.5 M4.5 8.5 8 12l3.5-3.5',
  summary: 'M2.5 13.5v-4 M6.2 13.5v-9 M9.8 13.5V7 M13.5 13.5v-11',
  details: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2 M8 7.3v3.6 M8 5v.4',
  help: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2 M6.3 6.4c0-2.3 3.5-2.2 3.5 0 0 1.4-1.8 1.4-1.8 2.8 M8 11v.4',
  sun: 'M8 5.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2 M8 1.8v1.4 M8 12.8v1.4 M1.8 8h1.4 M12.8 8h1.4 M3.6 3.6l1 1 M11.4 11.4l1 1 M12.4 3.6l-1 1 M4.6 11.4l-1 1',
  moon: 'M13 9.6A5.4 5.4 0 0 1 6.4 3 5.4 5.4 0 1 0 13 9.6z',
  screen: 'M2.2 3.5h11.6v7.5H2.2z M6 13.5h4',
  close: 'M4 4l8 8 M12 4l-8 8',
  copy: 'M5.5 5.5h7.5v8H5.5z M10.5 5.5v-3H3v8h2.5',
  check: 'M3 8.4 6.4 12 13 4.4',
  cross: 'M4.2 4.2l7.6 7.6 M11.8 4.2l-7.6 7.6',
  clock: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2 M8 4.8V8l2.2 1.5',
  stop: 'M4 4h8v8H4z',
  warn: 'M8 2.6 14.2 13.4H1.8z M8 6.6v3.2 M8 11.4v.3',
  play: 'M4.8 3.2 12.6 8l-7.8 4.8z',
  dash: 'M3.5 8h9',
  file: 'M3.5 1.8h6l3 3v9.4h-9z M9.2 2v3h3',
  terminal: 'M2 3h12v10H2z M4.4 6l2 2-2 2 M8 10.2h3.4',
  tool: 'M9.4 3.2a3.2 3.2 0 0 0-4 4.2L2.4 10.4l3.2 3.2 3-3a3.2 3.2 0 0 0 4.2-4l-2 2-2.2-.8-.8-2.2z',
  capture: 'M2.5 9.5v4h11v-4 M8 2.5v8 M5 7.6l3 3 3-3',
  cmd: 'M3 4.4 6.6 8 3 11.6 M8 12h5',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9 M10.3 10.3l3.4 3.4',
  up: 'M4.5 9.8 8 6.2l3.5 3.6',
  down: 'M4.5 6.2 8 9.8l3.5-3.6',
  chevron: 'M4.5 6.2 8 9.8l3.5-3.6',
  mark: 'M4.5 2.5h7v11L8 10.6l-3.5 2.9z',
  note: 'M3 2.5h10v7l-3.5 4H3z M9.5 13.5v-4H13',
  save: 'M8 2.5v7.5 M5 7.2l3 3 3-3 M3 13.5h10',
  plus: 'M8 3v10 M3 8h10',
  narrow: 'M2.5 3.5h11 M4.5 8h7 M6.5 12.5h3',
  merge: 'M3 2.5c0 4 5 3.5 5 7.5v3.5 M13 2.5c0 4-5 3.5-5 7.5 M5.6 11.2 8 13.5l2.4-2.3',
  compare: 'M2.5 3h4.5v10h-4.5z M9 3h4.5v10h-4.5z M10 6h2.5 M10 8.5h2.5 M3.5 6h2.5',
  pin: 'M5.5 2.5h5 M6.5 2.5v4.2L4.2 9.5h7.6L9.5 6.7V2.5 M8 9.5v4',
  group: 'M2.5 3.5h11 M5 8h8.5 M5 12.5h8.5',
  sources: 'M2.2 12.8V3.4h4l1.4 1.8h6.2v7.6z M6 7.4l3.4 3.4 M9.4 7.4 6 10.8',
  plug: 'M5.8 2v3.2 M10.2 2v3.2 M3.8 5.2h8.4v2.4a4.2 4.2 0 0 1-8.4 0z M8 11.8V14',
  switches:
    'M2 4.8h4.6 M10.2 4.8H14 M8.4 3a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6 M2 11.2h2 M7.6 11.2H14 M5.8 9.4a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6',
  marker: 'M9.6 2.4l4 4-6 6H3.6v-4z M3 14.2h10',
  filter: 'M2.2 3h11.6L9.4 8.2v4.6l-2.8-1.4V8.2z',
  edit: 'M3 13l.6-2.8 7.2-7.2 2.2 2.2-7.2 7.2z M9.4 4.4l2.2 2.2',
  open: 'M2.2 12.8V3.4h4l1.4 1.8h6.2v7.6z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
