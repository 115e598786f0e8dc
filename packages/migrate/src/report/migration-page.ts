import type { ReportInput } from './migration-report.ts';

const style = `
  :root { color-scheme: light dark; --bar: #2f6f4f; --line: #8884; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  table { border-collapse: collapse; width: 100%; } td { padding: .15rem .5rem .15rem 0; vertical-align: middle; }
  td.count { text-align: right; width: 4rem; font-variant-numeric: tabular-nums; } td.name { width: 12rem; }
  .bar { background: var(--bar); height: .8rem; border-radius: 2px; min-width: 2px; }
  li { overflow-wrap: anywhere; } code { font-size: .9em; } details { border-top: 1px solid var(--line); padding: .5rem 0; }
`;

/** The content of the Markdown report as an HTML page without script that any browser opens from disk. */
export function migrationPage({
  at,
  summary,
  remainders,
  files,
  links,
  interview,
  runs,
}: ReportInput): string {
  const states = Object.entries(summary.states).map(([state, count]) => `${count} ${state}`);
  const sections = [
    `<h1>Migration report</h1><p>As of ${escaped(at)}: ${summary.chunks} chunks; ${states.join(', ')}.</p>`,
    `<h2>Where the notes went</h2>${chart(summary.committed)}`,
    `<h2>Still pending</h2>${chart(summary.routing)}<p>UNCLEAR: ${summary.unclear}. Low confidence (below 40 %): ${summary.lowConfidence}.</p>`,
    list(
      'Files with remarks',
      files.map(({ name, status, detail }) => [name, detail === '' ? status : detail]),
    ),
    list(
      'Not in any chunk',
      remainders.map(({ kind, count, bytes }) => [kind, `${count} (${bytes} bytes)`]),
    ),
    list(
      'Unresolved links',
      links.map(({ source, raw, state }) => [
        source,
        `${raw}, ${state === 'missing' ? 'no such file was scanned' : 'its note is not committed yet'}`,
      ]),
    ),
    list(
      'Suggested interviews',
      interview.map(({ target, question }) => [target, question]),
    ),
    list(
      'Runs',
      runs.map(({ id, startedAt, command, chunks, state }) => [
        id,
        `${startedAt}, ${command}, ${chunks} chunks, ${state}`,
      ]),
    ),
  ];
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Migration report</title><style>${style}</style></head><body>\n${sections.join('\n')}\n</body></html>\n`;
}

function chart(rows: readonly { readonly target: string; readonly count: number }[]): string {
  if (rows.length === 0) return '<p>Nothing.</p>';
  const most = Math.max(...rows.map(({ count }) => count));
  const lines = rows.map(
    ({ target, count }) =>
      `<tr><td class="name">${escaped(target)}</td><td class="count">${count}</td><td><div class="bar" style="width: ${((100 * count) / most).toFixed(1)}%"></div></td></tr>`,
  );
  return `<table>${lines.join('')}</table>`;
}

function list(heading: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(([name, text]) => `<li><code>${escaped(name)}</code>: ${escaped(text)}</li>`);
  return `<details open><summary><h2 style="display: inline">${heading} (${rows.length})</h2></summary><ul>${lines.join('')}</ul></details>`;
}

/** File names and note texts are untrusted. */
function escaped(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? '');
}
