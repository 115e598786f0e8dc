import { html } from 'ghtml';

import type { Edition, EditionFlash } from '../editions/edition-presenter.ts';

/** The content of an edition for feed readers: plain elements, third-party text escaped. */
export function editionHtml({ overview, sections, flashes, corrections, editorsNotes }: Edition): string {
  return [
    html`<p>${overview}</p>`,
    ...editorsNotes.map((note) => html`<p>${note}</p>`),
    ...sections.map(
      ({ label, items }) =>
        html`<h2>${label}</h2>
          <ul>
            !${items.map((item) => itemHtml(item, item.summary)).join('')}
          </ul>`,
    ),
    flashes.length === 0
      ? ''
      : html`<ul>
          !${flashes.map((item) => itemHtml(item, '')).join('')}
        </ul>`,
    ...corrections.map(({ at, note }) => html`<p><time>${at}</time>: ${note}</p>`),
  ].join('');
}

function itemHtml({ title, links, source }: EditionFlash, summary: string): string {
  const head = html`<a href="${links.item}">${title}</a> (${source.name})`;
  return summary === '' ? html`<li>!${head}</li>` : html`<li>!${head}<br />${summary}</li>`;
}
