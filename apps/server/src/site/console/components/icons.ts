import { html } from 'ghtml';

/** Outlines of 24 by 24, drawn with the colour of the text. */
const outlines = {
  agent:
    '<path d="M5 5h14a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 19 17h-7l-4.5 3.5V17H5a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 5 5z"/><path d="M8.5 11h.01M12 11h.01M15.5 11h.01"/>',
  alert: '<path d="M12 4.5 3.5 19h17z"/><path d="M12 10v4.5M12 17h.01"/>',
  box: '<path d="M4 8.5 12 4l8 4.500v7L12 20l-8-4.500z"/><path d="m4 8.5 8 4.5 8-4.500M12 13v7"/>',
  building:
    '<path d="M5 20V5.500A1.5 1.5 0 0 1 6.5 4h7A1.5 1.5 0 0 1 15 5.500V20M15 10h3a1.5 1.5 0 0 1 1.5 1.500V20M3.5 20h17M8.5 8h3M8.5 12h3M8.5 16h3"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  clock: '<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>',
  copy: '<rect x="8.5" y="8.5" width="11" height="11" rx="1.5"/><path d="M15.5 8.5V6A1.5 1.5 0 0 0 14 4.5H6A1.5 1.5 0 0 0 4.5 6v8A1.5 1.5 0 0 0 6 15.5h2.5"/>',
  desk: '<path d="M4 5h12.5v12.5A1.5 1.5 0 0 0 18 19H5.5A1.5 1.5 0 0 1 4 17.5z"/><path d="M16.5 9H20v8.5a1.75 1.75 0 0 1-3.5 0"/><path d="M7 8.75h6.5M7 12h6.5M7 15.25h4"/>',
  doc: '<path d="M6.5 3.5H14l4.5 4.5v11a1.5 1.5 0 0 1-1.5 1.5H6.5A1.5 1.5 0 0 1 5 19V5a1.5 1.5 0 0 1 1.5-1.5z"/><path d="M14 3.5V8h4.5M8.5 12h6.5M8.5 15.5h4.5"/>',
  down: '<path d="m6 9.5 6 6 6-6"/>',
  download: '<path d="M12 4.5v11M7 11l5 5 5-5M4.5 17v1A1.5 1.5 0 0 0 6 19.5h12a1.5 1.5 0 0 0 1.5-1.5v-1"/>',
  eye: '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="2.750"/>',
  file: '<path d="M6.5 3.5H14l4.5 4.5v11a1.5 1.5 0 0 1-1.5 1.5H6.5A1.5 1.5 0 0 1 5 19V5a1.5 1.5 0 0 1 1.5-1.5z"/><path d="M14 3.5V8h4.5"/>',
  finger:
    '<path d="M6 9.5a6.5 6.5 0 0 1 12.5 2.3c0 2.2-.2 4-.7 5.7M5.3 13.5c.3-1 .4-1.7.4-2.500M8.5 18.500c.8-2 1.2-4.2 1.2-6.700a2.5 2.5 0 0 1 5 0c0 3-.4 5.7-1.3 8.2"/>',
  folder:
    '<path d="M3.5 7A1.5 1.5 0 0 1 5 5.5h4.5L12 8h7a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 19H5a1.5 1.5 0 0 1-1.5-1.5z"/>',
  globe:
    '<circle cx="12" cy="12" r="8"/><path d="M4 12h16M12 4c2.5 2.4 3.5 5 3.5 8s-1 5.6-3.5 8c-2.5-2.4-3.5-5-3.5-8s1-5.6 3.5-8z"/>',
  home: '<path d="M3.5 10.5 12 4l8.5 6.5V19a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1z"/><path d="M9.5 20v-6h5v6"/>',
  image:
    '<rect x="4" y="5" width="16" height="14" rx="1.5"/><circle cx="9" cy="10" r="1.5"/><path d="m4.5 17.5 5-4 3.5 2.5 3-3 3.5 3.5"/>',
  info: '<circle cx="12" cy="12" r="8"/><path d="M12 11v5M12 8h.01"/>',
  key: '<circle cx="8" cy="15.5" r="4"/><path d="M11 12.5 19.5 4M16 7.5l2.5 2.5M13.2 10.3l1.8 1.8"/>',
  laptop: '<rect x="5" y="5.5" width="14" height="9.5" rx="1.5"/><path d="M3 18.5h18"/>',
  layers:
    '<path d="m12 3.5 8.5 4.5-8.5 4.5L3.5 8z"/><path d="m3.5 12.25 8.5 4.5 8.5-4.5"/><path d="m3.5 16.25 8.5 4.5 8.5-4.5"/>',
  leave:
    '<path d="M14 5H6.500A1.5 1.5 0 0 0 5 6.500v11A1.5 1.5 0 0 0 6.5 19H14M10.5 12H20M16.5 8.5 20 12l-3.5 3.5"/>',
  left: '<path d="m14.5 6-6 6 6 6"/>',
  link: '<path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1"/>',
  lock: '<rect x="5.5" y="10.5" width="13" height="9" rx="1.5"/><path d="M8.5 10.500V8a3.5 3.5 0 0 1 7 0v2.5"/>',
  mail: '<rect x="3.5" y="5.5" width="17" height="13" rx="1.5"/><path d="m4 7 8 6 8-6"/>',
  menu: '<path d="M4.5 7h15M4.5 12h15M4.5 17h15"/>',
  minus: '<path d="M6 12h12"/>',
  more: '<path d="M5.5 12h.01M12 12h.01M18.5 12h.01" stroke-width="2.6"/>',
  out: '<path d="M9 6.5h8.5V15M17 7 7 17"/>',
  pen: '<path d="M4.5 19.5 5.5 15 15.8 4.700a1.7 1.7 0 0 1 2.4 0l1.1 1.100a1.7 1.7 0 0 1 0 2.400L9 18.500z"/>',
  phone: '<rect x="7.5" y="3.5" width="9" height="17" rx="2"/><path d="M11 17.5h2"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  pulse: '<path d="M3 12h4l2.8-7 4.6 14L17 12h4"/>',
  rotate: '<path d="M19.5 5v4.500H15M19 9.500A7.5 7.5 0 1 0 19.5 13"/>',
  search: '<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5 5"/>',
  share:
    '<circle cx="10" cy="8" r="3.5"/><path d="M3.5 19.5c.4-3.4 3-5 6.5-5 1.6 0 3 .3 4.1 1M18 14v6M15 17h6"/>',
  shield: '<path d="M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6z"/><path d="m9 12 2.2 2.2L15.3 10"/>',
  sliders:
    '<path d="M4 7.5h8.5M17 7.5h3M4 16.5h3M11.5 16.5H20"/><circle cx="14.75" cy="7.5" r="2.25"/><circle cx="9.25" cy="16.5" r="2.25"/>',
  terminal:
    '<rect x="3.5" y="5" width="17" height="14" rx="1.5"/><path d="m7.5 10 2.5 2.3-2.5 2.200M12.5 15H16"/>',
  trash:
    '<path d="M4.5 6.5h15M9.5 6.5v-2h5v2M6.5 6.5l.8 12a1.5 1.5 0 0 0 1.5 1.5h6.4a1.5 1.5 0 0 0 1.5-1.5l.8-12M10 10.5v6M14 10.5v6"/>',
  updown: '<path d="m8 9.5 4-4 4 4M8 14.5l4 4 4-4"/>',
  upload: '<path d="M12 16V5M7 9.5 12 4.5l5 5M4.5 16v2A1.5 1.5 0 0 0 6 19.5h12a1.5 1.5 0 0 0 1.5-1.5v-2"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M4.5 20c.5-3.8 3.5-5.5 7.5-5.500s7 1.7 7.5 5.5"/>',
  users:
    '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 19.5c.4-3.4 3-5 6.5-5s6.1 1.6 6.5 5"/><path d="M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18.3 14.9c1.9.8 3 2.4 3.2 4.6"/>',
  x: '<path d="m6 6 12 12M18 6 6 18"/>',
} as const satisfies Readonly<Record<string, string>>;

export type IconName = keyof typeof outlines;

/** Beside a text that says the same, so screen readers skip it. */
export function icon(name: IconName): string {
  return html`<svg class="i" viewBox="0 0 24 24" aria-hidden="true">!${outlines[name]}</svg>`;
}
