import type { AdminIcon } from '../../../platform/features/admin-records';
import { Html } from '../../../platform/html/html';

/** Paths of the icons for records, drawn as lines on a square of 24. */
const RECORD_PATHS: Readonly<Record<AdminIcon, string>> = {
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4l2-2Zm4 5h4',
  book: 'M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2Zm0 0v14',
  box: 'M21 8 12 3 3 8v8l9 5 9-5V8ZM3 8l9 5 9-5m-9 5v8',
  calendar: 'M4 6h16v14H4zm0 5h16M8 3v5m8-5v5',
  cart: 'M3 4h2.5l2.5 11h9.5L20 7H6.2M9.5 20h.01m7 0h.01',
  file: 'M14 3H7a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V7l-4-4Zm0 0v4h4',
  heart: 'M12 20S4 15 4 9.5A4.3 4.3 0 0 1 12 7.3a4.3 4.3 0 0 1 8 2.2C20 15 12 20 12 20Z',
  mail: 'M3 6h18v12H3zm0 1 9 7 9-7',
  money: 'M3 6h18v12H3zm9 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM6 9h.01M18 15h.01',
  paw: 'M12 12.5c-2.7 0-5 2.6-5 4.9 0 1.5 1.1 2.5 2.5 2.5 1 0 1.6-.4 2.5-.4s1.5.4 2.5.4c1.4 0 2.5-1 2.5-2.5 0-2.3-2.3-4.9-5-4.9ZM5 9.5a1.3 1.6 0 1 0 0 3.2 1.3 1.6 0 0 0 0-3.2Zm14 0a1.3 1.6 0 1 0 0 3.2 1.3 1.6 0 0 0 0-3.2ZM9.3 5a1.3 1.7 0 1 0 0 3.4 1.3 1.7 0 0 0 0-3.4Zm5.4 0a1.3 1.7 0 1 0 0 3.4 1.3 1.7 0 0 0 0-3.4Z',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6.5 9c.5-3.5 3-5 6.5-5s6 1.5 6.5 5M16 4.5a3.5 3.5 0 0 1 0 6m2 5c2 .7 3.2 2 3.5 4.5',
  pin: 'M12 21s-7-6-7-11a7 7 0 0 1 14 0c0 5-7 11-7 11Zm0-8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  tag: 'M4 4h8l8.5 8.5-8 8L4 12V4Zm4.5 4.5h.01',
  truck:
    'M3 6h11v11H3zm11 4h4l3 3v4h-7zM7.5 19.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm10 0a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
};

/** Paths of all icons. */
const PATHS = {
  ...RECORD_PATHS,
  alert:
    'M12 9v4m0 4h.01M10.3 4.2 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0Z',
  arrowDown: 'M12 5v14m6-6-6 6-6-6',
  arrowUp: 'M12 19V5m6 6-6-6-6 6',
  audit: 'M9 12h6m-6 4h6M9 8h2M6 3h9l4 4v13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Z',
  bookmark: 'M7 4h10v16l-5-4-5 4V4Z',
  chart: 'M4 20V10m6 10V4m6 16v-7m4 7H2',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevronLeft: 'm15 6-6 6 6 6',
  chevronRight: 'm9 6 6 6-6 6',
  clock: 'M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  close: 'M6 6l12 12M18 6 6 18',
  columns: 'M4 5h16v14H4zm5.5 0v14m5-14v14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11m5-5-5 5-5-5M4 20h16',
  edit: 'M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4',
  external: 'M14 4h6v6m0-6-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5',
  filter: 'M4 5h16l-6.5 8v5L10.5 20v-7L4 5Z',
  gear: 'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm0-12.5v3m0 12v3m9-9h-3M6 12H3m15.4-6.4-2.1 2.1M7.7 16.3l-2.1 2.1m12.8 0-2.1-2.1M7.7 7.7 5.6 5.6',
  history: 'M3.5 12a8.5 8.5 0 1 0 2.7-6.2L3.5 8.5m0-4.5v4.5H8M12 8v4l3 2',
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4v-9Z',
  inbox: 'M4 13h4l1.5 3h5l1.5-3h4M4 13v6h16v-6L17 5H7l-3 8Z',
  info: 'M12 11v5m0-8h.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  key: 'M14.5 13a4.5 4.5 0 1 0-4.2-2.9L4 16.4V20h3.6v-2.4H10v-2.4l1.4-1.4c.9.8 2 .2 3.1-.8Zm1-5h.01',
  keyboard: 'M3 6h18v12H3zm4 4h.01M11 10h.01m3.99 0h.01m-8 4h10',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minus: 'M5 12h14',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M20 11a8 8 0 0 0-14.3-4L4 9m0-5v5h5M4 13a8 8 0 0 0 14.3 4l1.7-2m0 5v-5h-5',
  search: 'm20 20-4.3-4.3M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z',
  server: 'M4 4h16v7H4zm0 9h16v7H4zm3-5.5h.01M7 16.5h.01',
  signOut: 'M10 4H5v16h5m5-4 4-4-4-4m4 4H9',
  sort: 'm8 9.5 4-4 4 4m-8 5 4 4 4-4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4m0-12.8L17 7M7 17l-1.4 1.4',
  system: 'M3 5h18v11H3zm5 15h8m-4-4v4',
  trash: 'M4 7h16M9 7V4h6v3m-8 0 1 13h8l1-13M10 11v5m4-5v5',
  upload: 'M12 15V4m5 5-5-5-5 5M4 20h16',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 8c.7-3.6 4-5 8-5s7.3 1.4 8 5',
} as const;

/** Names of all icons. */
export type IconName = keyof typeof PATHS;

/** Renders an icon in the colour and about the size of the text beside it. Screen readers skip it. */
export function icon(name: IconName): Html {
  return new Html(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${PATHS[name]}"/></svg>`,
  );
}
