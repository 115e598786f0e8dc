const style = `
  :root { color-scheme: light dark; --bar: #2f6f4f; --line: #8884; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 1rem; }
  table { border-collapse: collapse; width: 100%; } td { padding: .15rem .5rem .15rem 0; vertical-align: middle; }
  td.count { text-align: right; width: 4rem; font-variant-numeric: tabular-nums; } td.name { width: 12rem; }
  .bar { background: var(--bar); height: .8rem; border-radius: 2px; min-width: 2px; }
  .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85em; }
  li { overflow-wrap: anywhere; } code { font-size: .9em; } details { border-top: 1px solid var(--line); padding: .5rem 0; }
`;

/** A page without script that any browser opens from disk. `body` is HTML. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title><style>${style}</style></head><body>\n${body}\n</body></html>\n`;
}

/** File names and note texts are untrusted. */
export function escaped(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? '');
}
