import { escaped, htmlPage } from './html-page.ts';
import type { ReportInput } from './migration-report.ts';
import { linkLists, remainderName } from './migration-report.ts';
import { movesPageName } from './moves-page.ts';

/** The content of the Markdown report as an HTML page without script that any browser opens from disk. */
export function migrationPage({
  at,
  summary,
  remainders,
  files,
  links,
  interview,
  runs,
  dataview,
}: ReportInput): string {
  const states = Object.entries(summary.states).map(([state, count]) => `${count} ${state}`);
  const sections = [
    `<h1>Migration report</h1><p>As of ${escaped(at)}: ${summary.chunks} chunks; ${states.join(', ')}.</p>`,
    `<h2>Committed chunks by target</h2>${chart(summary.committed)}`,
    `<h2>Pending chunks by proposed target</h2>${chart(summary.routing)}<p>UNCLEAR: ${summary.unclear}. Low confidence (below 40 %): ${summary.lowConfidence}.</p>`,
    list(
      'Files with remarks',
      files.map(({ name, status, detail }) => [name, detail === '' ? status : detail]),
    ),
    list(
      'Not in any chunk',
      remainders.map(({ kind, count, bytes }) => [remainderName(kind), `${count} (${bytes} bytes)`]),
    ),
    ...linkLists.map(({ title, state }) =>
      list(
        title,
        links.filter((link) => link.state === state).map(({ source, raw }) => [source, raw]),
      ),
    ),
    list(
      'Suggested interviews',
      interview.map(({ target, question }) => [target, question]),
    ),
    list(
      'Dataview queries to change',
      dataview.map(({ path, folder, now }) => [path, `the folder "${folder}" is now ${now}`]),
    ),
    runList(runs),
  ];
  return htmlPage('Migration report', sections.join('\n'));
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

/** Each run links to the list of its notes, before and after. */
function runList(runs: ReportInput['runs']): string {
  if (runs.length === 0) return '';
  const lines = runs.map(({ id, startedAt, command, chunks, state }) => {
    const name =
      chunks === 0
        ? `<code>${escaped(id)}</code>`
        : `<a href="moves/${escaped(movesPageName(id, 1))}">${escaped(id)}</a>`;
    return `<li>${name}: ${escaped(`${startedAt}, ${command}, ${chunks} chunks, ${state}`)}</li>`;
  });
  return `<h2>Runs</h2><ul>${lines.join('')}</ul>`;
}

function list(heading: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(([name, text]) => `<li><code>${escaped(name)}</code>: ${escaped(text)}</li>`);
  return `<details open><summary><h2 style="display: inline">${heading} (${rows.length})</h2></summary><ul>${lines.join('')}</ul></details>`;
}
